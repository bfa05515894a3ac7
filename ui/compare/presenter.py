"""Presenter mode of Compare, ``?present=1``: large type, few controls, keys; verdict and a chart on the first screen."""

from collections.abc import Callable
from pathlib import Path

from tsk_core.experiments import SCORES, Variant
from tsk_core.numbers import counted
from ui.compare.controls import Wanted
from ui.compare.presets import PRESETS, apply
from ui.experiments import next_option, request
from ui.experiments.options import BANDS
from ui.page.presenter import Keys, presenter_line
from ui.platform import session
from ui.text import in_markdown

_STYLE = Path(__file__).with_name("presenter.css")
_LIST = {
    "N · Page Down": "next preset", "M · Page Up": "previous preset", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "1 … 6": "tabs",
    "← →": "previous, next epoch", "Space": "replay training", "E": "explain the chart",
    "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(title: str, wanted: Wanted, data: str, busy: bool) -> None:
    """Draw the first line, and let the keys work. title: of the presets if the page is at one."""
    session.COMPARE_BUSY.set(busy)
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
        if not session.COMPARE_BUSY.get():
            place = session.COMPARE_PRESET_PLACE
            before = place.get() if place.is_set() else -1 if step > 0 else 0
            place.set((before + step) % len(PRESETS))
            apply(PRESETS[place.get()])

    return switch


_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _preset(1), "PageDown": _preset(1), "m": _preset(-1), "PageUp": _preset(-1),
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(session.SCORE, list(SCORES)), "b": next_option(session.BAND, list(BANDS)),
}  # fmt: skip
KEYS = Keys(_LIST, _ACTIONS)
