"""Presenter mode, ``?present=1``: large type, few controls, and a key for each action of a lecturer.

Above the chart stand, in four lines: what is shown; the sentence of the preset, or what a lecturer changed; the scores with the
buttons; the tabs with the epoch slider. presenter.css lays them out.
"""

from pathlib import Path

import streamlit as st

from ui import presets
from ui.explore.comparison import comparison_run, comparison_sentence
from ui.explore.heading import Pending
from ui.explore.keys import REPORTED, key_list, press
from ui.live import on_keys
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["PRESENT", "present_button", "presenter", "presenting"]

PRESENT = "present"
_STYLE = Path(__file__).parents[1] / "presenter.css"


def presenting() -> bool:
    """Whether the page is in presenter mode."""
    return st.query_params.get(PRESENT) == "1"


def present_button() -> None:
    """A button that starts presenter mode."""
    if not presenting():
        st.button(
            "Present", icon=":material/slideshow:", width="stretch", on_click=_present, args=(True,),
            help="For a projector: large type, few controls, and keys for all actions.",
        )  # fmt: skip


def presenter(run: RunView | None, title: str, changed: Pending, preset: presets.Preset | None) -> None:
    """Draw the first two lines, and let the keys work.

    title: of the run shown, as Markdown. changed: how the controls differ from it. preset: the one that the page is at.
    """
    st.html(_STYLE)
    on_keys(REPORTED, lambda key: press(key, presets.last_applied() or preset))
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        name = f"**{in_markdown(_title(preset))}** · " if preset else ""
        st.markdown(name + title)
        with st.popover("Keys", icon=":material/keyboard:", key="key_list"):
            key_list()
        st.button("Leave", icon=":material/close:", on_click=_present, args=(False,), help="Show all controls.")
    with st.container(horizontal=True, vertical_alignment="center", key="presented"):
        st.markdown(_sentence(run, changed, preset))
        if preset is not None:
            presets.why(preset)
    if run is None:
        key_list()


def _title(preset: presets.Preset) -> str:
    return preset.title if preset.label == preset.title else f"{preset.title}, {preset.label}"


def _sentence(run: RunView | None, changed: Pending, preset: presets.Preset | None) -> str:
    """What to look at, as Markdown: what the next run changes, else the sentence of the preset, else the comparison."""
    if run is None and preset is None:
        return "Press **N** for the first preset, or **T** to train."
    if changed:
        return f"Next run: **{in_markdown(changed.changes)}**. Press **T** to train."
    return in_markdown(preset.watch if preset else comparison_sentence(run, comparison_run(run)))


def _present(wanted: bool) -> None:
    if wanted:
        st.query_params[PRESENT] = "1"
    else:
        st.query_params.pop(PRESENT, None)
