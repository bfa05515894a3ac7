"""Presenter mode of Explore.

Above the chart stand, in four lines: what is shown; the sentence of the preset, or what a lecturer changed; the scores with the
buttons; the tabs with the epoch slider. presenter.css lays them out.
"""

import streamlit as st

from ui import presets
from ui.explore.comparison import comparison_run, comparison_sentence
from ui.explore.heading import Pending
from ui.explore.keys import keys_at
from ui.page.presenter import key_list, presenter_line
from ui.runs.run_view import RunView
from ui.text import in_markdown


def presenter(run: RunView | None, title: str, changed: Pending, preset: presets.Preset | None) -> None:
    """Draw the first two lines, and let the keys work.

    title: of the run shown, as Markdown. changed: how the controls differ from it. preset: the one that the page is at.
    """
    keys = keys_at(preset)
    name = f"**{in_markdown(_title(preset))}** · " if preset else ""
    presenter_line(name + title, keys)
    with st.container(horizontal=True, vertical_alignment="center", key="presented"):
        st.markdown(_sentence(run, changed, preset))
        if preset is not None and preset.why:
            presets.why(preset)
    if run is None:
        key_list(keys)


def _title(preset: presets.Preset) -> str:
    return preset.title if preset.label == preset.title else f"{preset.title}, {preset.label}"


def _sentence(run: RunView | None, changed: Pending, preset: presets.Preset | None) -> str:
    """What to look at, as Markdown: what the next run changes, else the sentence of the preset, else the comparison."""
    if run is None and preset is None:
        return "Press **N** for the first preset, or **T** to train."
    if changed:
        return f"Next run: **{in_markdown(changed.changes)}**. Press **T** to train."
    return in_markdown(preset.watch if preset else comparison_sentence(run, comparison_run(run)))
