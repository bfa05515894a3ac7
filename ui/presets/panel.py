"""The row of presets on the Explore page, and the words of the one that the page stands at."""

from typing import Any

import streamlit as st

from tsk_core import limits
from tsk_core.config import TrainConfig
from ui import runs
from ui.controls import widget_values
from ui.data.choose import Chosen
from ui.data.decisions import reset_decisions
from ui.data.source import from_gallery
from ui.presets.settings import PRESETS, Preset, counterpart, current
from ui.steering import ask
from ui.text import in_markdown

__all__ = ["apply", "at", "presets_panel"]

_ROW = "preset"  # key of the row; holds the title that is marked
_TITLES = list(dict.fromkeys(preset.title for preset in PRESETS))


def apply(preset: Preset) -> None:
    """Set every widget to the preset's value and ask for training; a run of this page that still trains is stopped.

    Only in a callback, or before any widget is made: Streamlit refuses values for widgets that are there.
    """
    values = widget_values(preset.config, preset.test_size)
    values["rules"] = min(values["rules"], limits.value("rules"))  # on a server that allows fewer
    values |= {"data": preset.data, "target": preset.target, "view": preset.tab, "data_box": False}
    for key, value in values.items():
        st.session_state[key] = value
    reset_decisions(f"gallery:{preset.data}", preset.target)
    runs.stop()
    ask("train")


def presets_panel(here: Preset | None, row: Any, words: Any) -> None:
    """One press sets everything and trains; the words stay for as long as the page has a preset's settings.

    here: the preset that the page stands at. row, words: the containers that the presets and the words are drawn in.
    """
    busy = runs.training() is not None
    st.session_state[_ROW] = st.session_state.preset_title = here and here.title
    with row.container(horizontal=True, vertical_alignment="center", key="preset_row"):
        st.caption("In one click:", width="content", help=_HELP)
        st.pills("Presets", _TITLES, key=_ROW, on_change=_pressed, disabled=busy, label_visibility="collapsed", wrap=True)
    if here is not None:
        with words:
            _say(here, busy)


def at(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> Preset | None:
    """The preset that the page's settings and data are, if any."""
    return current(config, test_size, _untouched(chosen))


_HELP = "Each sets all controls and trains at once. Change a control afterwards, and the page is yours again."


def _pressed() -> None:
    """Start with the first preset of the pressed title; pressing the marked one, which unmarks it, starts it again."""
    title = st.session_state[_ROW] or st.session_state.preset_title
    apply(next(preset for preset in PRESETS if preset.title == title))


def _say(preset: Preset, busy: bool) -> None:
    """What to watch, the answer for those who ask, and the way to a counterpart that has no place of its own in the row."""
    other = counterpart(preset)
    shared = other.title == preset.title
    watch, buttons = st.columns([2, 1] if shared else [6, 1], vertical_alignment="center")
    watch.markdown(f":material/visibility: {in_markdown(preset.watch)}")
    with buttons.container(horizontal=True, horizontal_alignment="right"):
        if shared:
            word = "Again" if PRESETS.index(other) < PRESETS.index(preset) else "Then"
            st.button(f"{word}: {other.label}", key="preset_other", disabled=busy, on_click=apply, args=(other,))
        with st.popover("Why?"):
            st.markdown(f"**Why did this happen?**\n\n{in_markdown(preset.why)}")


def _untouched(chosen: Chosen | None) -> str:
    """The name of the dataset where it is as the gallery has it, else ""."""
    if chosen is None or chosen.dataset is None or not chosen.source.key.startswith("gallery:"):
        return ""
    name = chosen.source.key.removeprefix("gallery:")
    return name if chosen.dataset.sha256 == from_gallery(name).sha256 else ""
