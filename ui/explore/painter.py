"""The painter: a plane to paint points on, shapes to begin with, and a training after each stroke.

The browser has the points while a stroke lasts (``ui/client/paint``) and tells them at its end.
"""

import streamlit as st

from tsk_core.data import to_csv
from tsk_core.data.painted import CLASSES, IN_LINK, MOST, NOISE, PRESETS, ROWS, SOURCE, as_frame, preset, resampled
from tsk_core.errors import TSKError
from ui.data import source
from ui.data.source import DATA, PAINTED_NOTE, PAINTED_VERSION
from ui.live import mount
from ui.platform import session
from ui.platform.session import Key
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.text import in_markdown

PAINT_SHAPE = Key["str | None"]("paint_shape")
PAINT_ROWS = Key[int]("paint_rows")
PAINT_NOISE = Key[float]("paint_noise")
PAINT_AND_TRAIN = Key[bool]("paint_and_train", default=True)


_OWN = "own"  # the points that are there, among the shapes
_SHAPES = {**PRESETS, _OWN: "My points, drawn again"}
_STEPS = {"rows": 20, "noise": 0.01}  # of the sliders


def is_painting() -> bool:
    """Whether the data of the page are painted points."""
    return DATA.get() == source.PAINTED


def painter(run: RunView | None) -> st.delta_generator.DeltaGenerator:
    """Draw it; returns the place beside it, for the run that the page shows."""
    plane, beside = st.columns([2, 3], gap="medium")
    with plane:
        _plane(run)
    with beside if run is None else plane, st.container(key="paint_more", gap="small"):
        if run is None:
            st.caption(
                "Paint points of two classes at least, or start from a shape. Then press Train: the model follows each stroke."
            )
        _shapes()
        _download()
    return beside.container(key="beside_painter")


def _plane(run: RunView | None) -> None:
    with st.container(key="painter", gap="xsmall"):
        given = {
            "text": session.PAINTED.get(), "version": PAINTED_VERSION.get(), "classes": list(CLASSES), "most": MOST,
            "inLink": IN_LINK,
        }  # fmt: skip
        mount("paint", key="views:paint", calls={"points": _take}, paint=given)
        if note := PAINTED_NOTE.get():
            st.caption(in_markdown(note))
        if _is_of_points(run):
            st.toggle(
                "Train as I paint", value=True, key=PAINT_AND_TRAIN.name,
                help="Each stroke ends the training before it and starts a new one, with the settings of the page.",
            )  # fmt: skip


def _shapes() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paint_shapes"):
        st.selectbox(
            "Start from", list(_SHAPES), index=None, format_func=_SHAPES.__getitem__, key=PAINT_SHAPE.name, placeholder="a shape",
            on_change=_draw, width=190, help="The new points replace those painted; Undo on the plane brings the old ones back.",
        )  # fmt: skip
        st.slider("Rows", *ROWS, 200, _STEPS["rows"], key=PAINT_ROWS.name, on_change=_draw, width=130)
        st.slider(
            "Noise", *NOISE, 0.04, _STEPS["noise"], key=PAINT_NOISE.name, on_change=_draw, width=130,
            help="Standard deviation of the noise added to both coordinates. The plane is 1 wide.",
        )  # fmt: skip


def _download() -> None:
    points = source.painted_points()
    st.download_button(
        "Save as CSV", to_csv(as_frame(points)), "painted-points.csv", "text/csv", icon=":material/download:", on_click="ignore",
        disabled=not len(points),
    )  # fmt: skip


def _take(value: object) -> None:
    """What the browser says at the end of a stroke."""
    if source.take_points(value):
        PAINT_SHAPE.set(None)  # the sliders are for what is chosen in the list, and no longer for what was painted further
        _follow()


def _draw() -> None:
    """Put the chosen shape in the place of the points, with the rows and the noise of the sliders."""
    name, rows, noise = PAINT_SHAPE.get(), PAINT_ROWS.get(), PAINT_NOISE.get()
    if name is None:
        return
    try:
        source.put_points(resampled(source.painted_points(), rows, noise) if name == _OWN else preset(name, rows, noise))
    except TSKError as error:
        PAINTED_NOTE.set(str(error))
        return
    if name == _OWN:
        PAINT_SHAPE.set(None)  # else each move of a slider would add noise to noise
    _follow()


def _follow() -> None:
    """Train on the points as they are now, where the page shows a run of points and the reader did not switch that off."""
    if PAINT_AND_TRAIN.get() and _is_of_points(current_run.get()):
        current_run.restart()


def _is_of_points(run: RunView | None) -> bool:
    return run is not None and run.data.get("source") == SOURCE
