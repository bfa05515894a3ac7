"""Presenter mode of Sweep, ``?present=1``: large type, few controls, keys; the sentence and the figure on the first screen."""

from collections.abc import Callable
from pathlib import Path

from tsk_core.experiments import SCORES, Plan
from tsk_core.numbers import counted
from ui.experiments import next_option, request
from ui.experiments.options import BANDS
from ui.page.presenter import Keys, presenter_line
from ui.platform import session
from ui.sweep.options import drawn_as
from ui.sweep.words import AXIS_NAMES, METRICS
from ui.text import in_markdown

_STYLE = Path(__file__).with_name("presenter.css")
_LIST = {
    "N · Page Down": "next metric: BCA, RCA, entropy, …", "M · Page Up": "previous metric", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "D": "draw as heat maps, lines, …",
    "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(plan: Plan | None, data: str) -> None:
    """Draw the first line, and let the keys work. plan: of the page as it was last drawn."""
    session.SWEEP_AXES_DRAWN.set(1 if plan is None else len(plan.axes))
    presenter_line(in_markdown(_shown(plan, data)), KEYS, _STYLE)


def _shown(plan: Plan | None, data: str) -> str:
    if plan is None:
        return data
    names = " × ".join(AXIS_NAMES[axis.key] for axis in plan.axes)
    steps = " · equal gradient steps" if plan.equal == "steps" else ""
    return f"{data} · {names} · {counted(plan.seeds, 'seed')}{steps}"


def _draw() -> None:
    axes = session.SWEEP_AXES_DRAWN.get()
    if axes > 1:
        next_option(session.DRAW, drawn_as(axes))()


_FORWARD, _BACK = next_option(session.SHOW, list(METRICS)), next_option(session.SHOW, list(METRICS), -1)
_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _FORWARD, "PageDown": _FORWARD, "m": _BACK, "PageUp": _BACK, "d": _draw,
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(session.SCORE, list(SCORES)), "b": next_option(session.BAND, list(BANDS)),
}  # fmt: skip
KEYS = Keys(_LIST, _ACTIONS)
