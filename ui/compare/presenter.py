"""One-click comparisons for a lecture, and presenter mode of Compare, ``?present=1``."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset, dataset_names
from tsk_core.data.gallery import is_available_offline
from tsk_core.experiments import SCORES, Variant
from tsk_core.numbers import counted
from ui.compare.controls import Wanted, variants
from ui.data.decisions import reset_decisions
from ui.data.source import DATA, DATA_CHOSEN, LINK, TARGET
from ui.experiments import next_option, request
from ui.experiments.options import BAND_KEY, BANDS, SCORE_KEY, SEEDS_KEY
from ui.page.presenter import Keys, presenter_line
from ui.platform import session
from ui.platform.session import Key
from ui.settings.controls import TEST_KEY
from ui.settings.opening import use_settings
from ui.text import in_markdown

COMPARE_BUSY = Key[bool]("compare_busy", default=False)
COMPARE_PRESET_PLACE = Key[int]("compare_preset_at")
COMPARE_PRESET_USED = Key[bool]("compare_preset_used", default=False)


# One-click comparisons for a lecture: the paper's model and its variants on the visitor's table; a click starts.
#
# Where nobody has chosen a table yet, it is one of the paper's.


_DATA, _OTHER = "vehicle", "wine"  # of the paper; what is always there
SEEDS_OF_ALL, TEST_SIZE = 10, 0.3
_CONFIG = TrainConfig.paper(random_state=0)
_ROW = "compare_preset"


class ComparePreset(NamedTuple):
    """title: its button. variants: as links write them."""

    title: str
    variants: tuple[str, ...]


PRESETS = (
    ComparePreset("What does UR do?", ("none", "ur-val")),
    ComparePreset("What does BN do?", ("none", "bn")),
    ComparePreset("UR and BN", ("none", "bn", "ur-val", "ur-bn-val")),
)


def apply(preset: ComparePreset) -> None:
    """Set every widget to the preset's values and request the comparison; in a callback. A table that was chosen stays."""
    if _chosen():
        use_settings(_CONFIG, TEST_SIZE, keep=[TEST_KEY])
    else:
        data = _usual()
        TARGET.pop()
        reset_decisions(f"gallery:{data}", "class")
        use_settings(_CONFIG, TEST_SIZE, data={DATA.name: data})
    session.set_widgets({SEEDS_KEY.name: SEEDS_OF_ALL, SCORE_KEY.name: "mean", BAND_KEY.name: "sd"})
    session.COMPARED_VARIANTS.set(list(preset.variants))
    COMPARE_PRESET_USED.set(True)
    request("start")


def title_of() -> str:
    """The title of the preset with the variants that the page has, after one was pressed; else ""."""
    if not COMPARE_PRESET_USED.get():
        return ""
    return next((preset.title for preset in PRESETS if list(preset.variants) == variants()), "")


def preset_row(busy: bool, dataset: Dataset | None) -> None:
    """A button for each; a press sets the settings and starts. dataset: on the page, None while there is none."""
    name = dataset.name if dataset is not None and _chosen() else _usual()
    lacking = dataset is None and _chosen()
    with st.container(horizontal=True, vertical_alignment="center", key="preset_row"):
        for number, preset in enumerate(PRESETS):
            text = (
                f"Compares {len(preset.variants)} variants of the Paper settings on {name}, with {SEEDS_OF_ALL} seeds,"
                f" {_CONFIG.max_epochs} epochs. Starts at once."
            )
            st.button(
                preset.title, key=f"{_ROW}_{number}", disabled=busy or lacking, on_click=apply, args=(preset,),
                help=in_markdown(text),
            )  # fmt: skip


def _chosen() -> bool:
    """Whether a person, a link or another page chose the dataset: it is not merely the first one of the list."""
    linked = "data" in (LINK.get() or {})
    return linked or DATA_CHOSEN.get() or DATA.get() not in (None, dataset_names()[0])


def _usual() -> str:
    return _DATA if is_available_offline(_DATA) else _OTHER


_STYLE = Path(__file__).with_name("presenter.css")
_LIST = {
    "N · Page Down": "next preset", "M · Page Up": "previous preset", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "1 … 6": "tabs",
    "← →": "previous, next epoch", "Space": "replay training", "E": "explain the chart",
    "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(title: str, wanted: Wanted, data: str, busy: bool) -> None:
    """Draw the first line, and let the keys work. title: of the presets if the page is at one."""
    COMPARE_BUSY.set(busy)
    name = f"**{in_markdown(title)}** · " if title else ""
    presenter_line(name + in_markdown(_shown(wanted, data)), KEYS, _STYLE)


def _shown(wanted: Wanted, data: str) -> str:
    if wanted.plan is None:
        return data
    names = ", ".join(map(_with_ur_weight, wanted.plan.variants))
    return f"{data} · {names} · {counted(wanted.plan.seeds, 'seed')}"


def _with_ur_weight(variant: Variant) -> str:
    """The name of a variant with its λ, unless it has none or says it."""
    ur_weight = variant.config.ur_weight
    return variant.name if "λ" in variant.name or not ur_weight else f"{variant.name} (λ {ur_weight:g})"


def _preset(step: int) -> Callable[[], None]:
    """The preset so many places further; the first one before any."""

    def switch() -> None:
        if not COMPARE_BUSY.get():
            place = COMPARE_PRESET_PLACE
            before = place.get() if place.is_set() else -1 if step > 0 else 0
            place.set((before + step) % len(PRESETS))
            apply(PRESETS[place.get()])

    return switch


_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _preset(1), "PageDown": _preset(1), "m": _preset(-1), "PageUp": _preset(-1),
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(SCORE_KEY, list(SCORES)), "b": next_option(BAND_KEY, list(BANDS)),
}  # fmt: skip
KEYS = Keys(_LIST, _ACTIONS)
