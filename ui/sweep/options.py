"""The axes of a sweep, what it trains besides, and how it is drawn: widgets that links carry, and the plan they make."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import DataError, SettingError
from tsk_core.experiments import AXES, MOST_AXES, SCORES, SWEEP, Axis, Plan, most_training_rows, parse_axis, sweep_plan
from tsk_core.experiments import EQUAL as EQUALS
from tsk_core.numbers import number_text
from ui.experiments import linked_plan, options
from ui.experiments.options import BAND, BANDS, SCORE, SEEDS
from ui.experiments.panel import EXPERIMENT_REQUESTED
from ui.platform.caches import once_per_session
from ui.platform.session import Key, Keys
from ui.sweep.words import AXIS_NAMES, METRICS
from ui.text import in_markdown

SWEEP_AXES = Key[list[str]]("sweep_axes")  # such as "batch=16,32", which may be wrong
AXIS_NAME = Keys[str]("axis_name{}")
AXIS_VALUES = Keys[str]("axis_values{}")
SWEEP_OPENED = Key["int | None"]("sweep_open")  # number of the training that was clicked
SHOW_KEY = Key[str]("show")
DRAW_KEY = Key[str]("draw")
EQUAL_KEY = Key[str]("equal")


# The axes of a sweep: up to four, each a setting and its values in a text box; kept in the session, and in the link as text.


NONE = "none"
_NUMBERS = ("First", "Second", "Third", "Fourth")
_HELP = "A setting that takes several values. Everything else is as set in the sidebar."
_VALUES_HELP = "Numbers separated by commas. Empty for the usual values."


def usual(key: str) -> str:
    """The usual values of an axis, as text."""
    return ", ".join(map(number_text, AXES[key].usual))


DEFAULT_AXES = (f"batch={usual('batch')}",)


def read_link() -> None:
    """Take the axes of the link once, or those of a sweep that it names; before any widget is made."""
    if plan := linked_plan(SWEEP):
        SWEEP_AXES.set([axis.text for axis in plan.axes])
        options.take_over(plan)
        EQUAL_KEY.set(plan.equal)
    if not SWEEP_AXES.is_set():
        texts = [st.query_params.get(_key(at), "") for at in range(MOST_AXES)]
        SWEEP_AXES.set([text for text in texts if text] or list(DEFAULT_AXES))


def joined_note(axes: Sequence[Axis], plan: Plan) -> str:
    """A sentence where batch sizes are one value, since each has all training rows; else ""."""
    for wanted, axis in zip(axes, plan.axes, strict=True):
        if len(axis.values) < len(wanted.values):
            return f"Batch sizes from {axis.full:,} on have all training rows in one batch, so they are trained once."
    return ""


def axes_row() -> tuple[Axis, ...] | None:
    """Draw the axes; returns them. None, with a message on the page, where one cannot be read."""
    texts = SWEEP_AXES.get()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_axes_row"):
        for at in range(min(len(texts) + 1, MOST_AXES)):
            _axis_widgets(at, texts[at] if at < len(texts) else "")
    found, failures = [], []
    for text in texts:
        try:
            found.append(parse_axis(text))
        except SettingError as error:
            failures.append(error)
    for failure in failures:
        st.error(in_markdown(failure))
    _write_link([axis.text for axis in found] if not failures else texts)
    return None if failures else tuple(found)


def link_axes(axes: tuple[Axis, ...]) -> dict[str, str]:
    """The axes for a full link, by key."""
    return {_key(at): axis.text for at, axis in enumerate(axes)}


def _key(at: int) -> str:
    return f"axis{at + 1}"


def _axis_widgets(at: int, text: str) -> None:
    """Which setting, and its values. text: "" for an axis that is not there."""
    name, _, values = text.partition("=")
    name_key, values_key = AXIS_NAME(at), AXIS_VALUES(at)
    options = [*([NONE] if at else []), *AXES]
    known = name if name in AXES else NONE if at else options[0]
    name_key.set(known)
    values_key.set(values or (usual(name) if name in AXES else ""))
    row = st.container(horizontal=True, vertical_alignment="bottom", key=f"sweep_axis{at}", gap="xsmall", width="content")
    with row:
        st.selectbox(
            f"{_NUMBERS[at]} axis", options, key=name_key.name, format_func=label_of, on_change=_choose, args=(at,), help=_HELP,
            width=190 if text else 130,
        )  # fmt: skip
        if text:
            st.text_input(
                f"Values of the {_NUMBERS[at].lower()} axis", key=values_key.name, on_change=_type, args=(at,), help=_VALUES_HELP,
                label_visibility="collapsed", width=_width(values_key.get() or ""),
            )  # fmt: skip


def _width(values: str) -> int:
    """Of a box in which all values are seen, in pixels."""
    return max(170, min(520, 40 + 7 * len(values)))


def label_of(key: str) -> str:
    """What a person calls an axis, in few letters."""
    return "None" if key == NONE else AXIS_NAMES[key]


def _choose(at: int) -> None:
    """Another setting takes its usual values; without one, the axis goes, and those after it move up."""
    texts, name = SWEEP_AXES.get(), AXIS_NAME(at).get()
    SWEEP_AXES.set([*texts[:at], *([] if name == NONE else [f"{name}={usual(name)}"]), *texts[at + 1 :]])


def _type(at: int) -> None:
    texts, name = list(SWEEP_AXES.get()), AXIS_NAME(at).get()
    texts[at] = f"{name}={AXIS_VALUES(at).get() or usual(name)}"
    SWEEP_AXES.set(texts)


def _write_link(texts: list[str]) -> None:
    """The axes in the address, where they are not the usual one."""
    usual_ones = texts == [parse_axis(text).text for text in DEFAULT_AXES]
    for at in range(MOST_AXES):
        text = "" if usual_ones or at >= len(texts) else texts[at]
        if text and st.query_params.get(_key(at)) != text:
            st.query_params[_key(at)] = text
        elif not text and _key(at) in st.query_params:
            del st.query_params[_key(at)]


SHOW, DRAW, EQUAL = SHOW_KEY.name, DRAW_KEY.name, EQUAL_KEY.name  # keys of widgets and links
_DRAWN_WITH = (SWEEP_AXES, SWEEP_OPENED, EXPERIMENT_REQUESTED)
DRAWN_WITH = (
    SEEDS,
    SCORE,
    EQUAL,
    SHOW,
    BAND,
    DRAW,
    *(key.name for key in _DRAWN_WITH),
)  # what fragments of the page have to notice
_MAP = "map"
_DRAWN = {_MAP: "heat map", "lines": "lines", "parallel": "parallel coordinates"}  # in links -> what people read
_SHOWN = {name: f"{metric.short[0].upper()}{metric.short[1:]}" for name, metric in METRICS.items()}
_OPTIONS = {SCORE: SCORES, EQUAL: EQUALS, SHOW: METRICS, BAND: BANDS, DRAW: _DRAWN}
_SEEDS = 5
_SEEDS_HELP = options.SEEDS_HELP.format(each="cell")
_SHOW_HELP = (
    "What is drawn of each training: BCA, RCA, entropy of the firing levels, dead rules, fidelity of rules with three conditions,"
    " conditions of all rules, or a training's share of the seconds of its stack."
)
_BAND_HELP = "SD: the standard deviation of the seeds. 95% interval: that of their mean, corrected for overlapping training sets."
_EQUAL_HELP = (
    "What all batch sizes get the same number of. Epochs: as in the sidebar; a large batch then takes fewer gradient steps."
    " Steps: as many gradient steps as batch size and epochs of the sidebar take, so that only the size of the batches differs."
)
_DRAW_HELP = "Heat maps, a line for each value of the second axis, or, with four axes, parallel coordinates."


@dataclass(frozen=True)
class Wanted:
    """How the sweep is trained, scored and drawn.

    score, show, band: keys of ``SCORES``, ``METRICS`` and ``BANDS``. draw: "map", "lines" or "parallel". equal: of ``EQUAL``.
    """

    seeds: int
    score: str
    show: str
    band: str
    draw: str
    equal: str = EQUALS[0]


def correct_link() -> None:
    """Replace values that a link cannot have; before any widget is made."""
    if options.correct_seeds(_SEEDS) | options.correct_choices(_OPTIONS):
        st.rerun()  # so that the widgets take the corrected values


def options_row(axes: Sequence[Axis]) -> Wanted:
    """Draw the widgets; returns what they say. axes: decide in which ways the cells can be drawn, and what they share."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_options"):
        seeds = options.seeds_input(_SEEDS, _SEEDS_HELP)
        score = options.score_choice()
        equal = EQUALS[0]
        if any(axis.key == "batch" for axis in axes):
            equal = options.choice("Equal", EQUAL, EQUALS, EQUALS[0], _EQUAL_HELP)
        show = options.listed("Show", SHOW, _SHOWN, _SHOW_HELP, width=120)
        band = options.band_choice(_BAND_HELP)
        draw = _draw_choice(len(axes)) if len(axes) > 1 else _MAP
    return Wanted(seeds, score, show, band, draw, equal)


def drawn_as(n_axes: int) -> list[str]:
    """The ways in which the cells of so many axes can be drawn, of two at least."""
    return [way for way in _DRAWN if way != "parallel" or n_axes == 4]


def plan_of(
    axes: tuple[Axis, ...] | None, config: TrainConfig | None, test_size: float, wanted: Wanted, dataset: Dataset | None
) -> Plan | None:
    """The plan of the page; None, with a message on the page, where there cannot be one."""
    if axes is None or config is None:
        return None
    options: dict[str, Any] = {"seeds": wanted.seeds, "test_size": test_size, "score": wanted.score, "equal": wanted.equal}
    try:
        return sweep_plan(axes, config, None if dataset is None else partial(_rows, dataset), **options)
    except (SettingError, DataError) as error:
        st.error(in_markdown(error))
        return None


_rows = once_per_session(entries=8)(most_training_rows)


def link_values(axes: tuple[Axis, ...] | None, wanted: Wanted) -> dict[str, str]:
    """The values of a full link, by key."""
    trained = {SEEDS: str(wanted.seeds), SCORE: wanted.score, EQUAL: wanted.equal}
    return link_axes(axes or ()) | trained | {SHOW: wanted.show, BAND: wanted.band, DRAW: wanted.draw}


def _draw_choice(n_axes: int) -> str:
    """How to draw; a choice that these axes do not have, such as parallel coordinates of fewer axes, becomes a map."""
    ways = drawn_as(n_axes)
    if DRAW_KEY.is_set() and DRAW_KEY.get() not in ways:
        DRAW_KEY.set(_MAP)
    if st.query_params.get(DRAW, _MAP) not in ways:
        st.query_params[DRAW] = _MAP
    return options.named_choice("Draw as", DRAW, {way: _DRAWN[way] for way in ways}, _MAP, _DRAW_HELP)
