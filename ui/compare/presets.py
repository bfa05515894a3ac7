"""One-click comparisons for a lecture: data, the paper's settings and variants; a click starts."""

from typing import NamedTuple

import streamlit as st

from tsk_core.config import START_KEY, TrainConfig
from tsk_core.data.gallery import is_available_offline
from ui.compare.controls import variants
from ui.data.decisions import reset_decisions
from ui.experiments import request
from ui.platform import session
from ui.settings.controls import widget_values

__all__ = ["PRESETS", "ComparePreset", "apply", "preset_row", "title_of"]

DATA, OTHER = "vehicle", "wine"  # of the paper; what is always there
SEEDS_OF_ALL, EPOCHS, TEST_SIZE = 10, 60, 0.3
_ROW = "compare_preset"


class ComparePreset(NamedTuple):
    """title: its button. variants: as links write them."""

    title: str
    variants: tuple[str, ...]


PRESETS = (
    ComparePreset("What does UR do?", ("none", "ur")),
    ComparePreset("What does BN do?", ("none", "bn")),
    ComparePreset("UR and BN", ("none", "bn", "ur", "ur-bn")),
)


def apply(preset: ComparePreset) -> None:
    """Set every widget to the preset's values and request the comparison; in a callback."""
    data = DATA if is_available_offline(DATA) else OTHER
    values = widget_values(TrainConfig.paper(max_epochs=EPOCHS, random_state=0), TEST_SIZE)
    values |= {START_KEY: "paper", session.DATA.name: data, session.SEEDS.name: SEEDS_OF_ALL}
    values |= {session.SCORE.name: "mean", session.BAND.name: "sd"}
    session.TARGET.pop()
    session.set_widgets(values)
    session.COMPARED_VARIANTS.set(list(preset.variants))
    reset_decisions(f"gallery:{data}", "class")
    session.COMPARE_PRESET_USED.set(True)
    request("start")


def title_of() -> str:
    """The title of the preset with the variants that the page has, after one was pressed; else ""."""
    if not session.COMPARE_PRESET_USED.get():
        return ""
    return next((preset.title for preset in PRESETS if list(preset.variants) == variants()), "")


def preset_row(busy: bool) -> None:
    """A button for each; a press sets all controls and starts."""
    with st.container(horizontal=True, vertical_alignment="center", key="preset_row"):
        data = DATA if is_available_offline(DATA) else OTHER
        for number, preset in enumerate(PRESETS):
            text = f"Compares {len(preset.variants)} variants on {data}, {SEEDS_OF_ALL} seeds, {EPOCHS} epochs. Starts at once."
            st.button(preset.title, key=f"{_ROW}_{number}", disabled=busy, help=text, on_click=apply, args=(preset,))
