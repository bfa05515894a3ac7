"""The row of presets on the Explore page, and the text of the preset that the page is at."""

import streamlit as st

from tsk_core.config import START_KEY, TrainConfig
from ui.data.choose import Chosen
from ui.data.decisions import reset_decisions
from ui.data.source import from_gallery
from ui.platform import session
from ui.presets.settings import PRESETS, Preset, counterpart, current
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.settings.controls import widget_values
from ui.text import in_markdown

__all__ = ["apply", "last_applied", "matching", "of_run", "preset_row", "preset_text", "why"]

_TITLES = list(dict.fromkeys(preset.title for preset in PRESETS))
_HELP = "Each preset sets all controls and starts training. You can change any control afterwards."


def apply(preset: Preset) -> None:
    """Set every widget to the preset's value and request training; a run of this page that is training is stopped.

    Only in a callback, or before any widget is made: Streamlit does not allow to set the value of a widget that exists.
    """
    values = widget_values(preset.config, preset.test_size)
    values |= {START_KEY: "paper", session.DATA.name: preset.data, session.TARGET.name: preset.target}
    session.set_widgets(values | {session.VIEW.name: preset.tab, session.DATA_BOX.name: False})
    reset_decisions(f"gallery:{preset.data}", preset.target)
    session.PRESET_APPLIED.set(preset.name)
    current_run.stop()
    current_run.request("train")


def last_applied() -> Preset | None:
    """The preset that this session applied last."""
    return next((preset for preset in PRESETS if preset.name == session.PRESET_APPLIED.get()), None)


def matching(run: RunView | None, config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> Preset | None:
    """The preset that the page is at, if any: that of the run shown; before the first run, that of the controls."""
    return current(config, test_size, _unchanged_dataset(chosen)) if run is None else of_run(run)


def of_run(run: RunView) -> Preset | None:
    """The preset that a run was made with, if any."""
    found = current(run.config, run.test_size, run.data["name"])
    same_data = found is not None and (run.data["sha256"], run.data["target"]) == (from_gallery(found.data).sha256, found.target)
    return found if same_data else None


def preset_row(preset: Preset | None) -> None:
    """One button per title; a press sets all controls and trains. preset: the one that the page is at."""
    busy = current_run.active() is not None
    for key in (session.PRESET_ROW, session.PRESET_TITLE):  # the row loses its title where it is pressed again
        key.set(preset and preset.title)
    with st.container(horizontal=True, vertical_alignment="center", key="preset_row"):
        st.caption("Presets:", width="content", help=_HELP)
        st.pills(
            "Presets",
            _TITLES,
            key=session.PRESET_ROW.name,
            on_change=_press,
            disabled=busy,
            label_visibility="collapsed",
            wrap=True,
        )


def preset_text(preset: Preset) -> None:
    """What to watch, the explanation for those who ask, and a button for a counterpart with the same title."""
    other = counterpart(preset)
    shared = other.title == preset.title
    watch, buttons = st.columns([2, 1] if shared else [6, 1], vertical_alignment="center")
    watch.markdown(f":material/visibility: {in_markdown(preset.watch)}")
    with buttons.container(horizontal=True, horizontal_alignment="right"):
        if shared:
            prefix = "Again" if PRESETS.index(other) < PRESETS.index(preset) else "Then"
            busy = current_run.active() is not None
            st.button(f"{prefix}: {other.label}", key="preset_other", disabled=busy, on_click=apply, args=(other,))
        why(preset)


def why(preset: Preset) -> None:
    """The explanation, for those who ask."""
    with st.popover("Why?", key="why"):
        st.markdown(f"**Why did this happen?**\n\n{in_markdown(preset.why)}")


def _press() -> None:
    """Start the first preset of the pressed title; a press on the selected title, which deselects it, starts it again."""
    title = session.PRESET_ROW.get() or session.PRESET_TITLE.get()
    apply(next(preset for preset in PRESETS if preset.title == title))


def _unchanged_dataset(chosen: Chosen | None) -> str:
    """The name of the dataset if it is as in the gallery, else ""."""
    if chosen is None or chosen.dataset is None or not chosen.source.key.startswith("gallery:"):
        return ""
    name = chosen.source.key.removeprefix("gallery:")
    return name if chosen.dataset.sha256 == from_gallery(name).sha256 else ""
