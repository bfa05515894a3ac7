"""Presenter mode of Sweep, ``?present=1``: large type, few controls, keys; the sentence and the figure on the first screen."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from tsk_core.experiments import SCORES, Plan
from ui.experiments import next_option, request
from ui.explore.presenter import PRESENT
from ui.live import on_keys
from ui.sweep.options import BAND, DRAW, SCORE, SHOW, drawn_as
from ui.sweep.words import AXIS_NAMES, BANDS, METRICS
from ui.text import in_markdown

__all__ = ["REPORTED", "presenter", "press"]

_STYLES = [Path(__file__).parents[1] / "presenter.css", Path(__file__).with_name("presenter.css")]
_LIST = {
    "N · Page Down": "next metric: BCA, RCA, entropy, …", "M · Page Up": "previous metric", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "D": "draw as heat maps, lines, …",
    "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(plan: Plan | None, data: str) -> None:
    """Draw the first line, and let the keys work. plan: of the page as it was last drawn."""
    for style in _STYLES:
        st.html(style)
    st.session_state.sweep_axes_drawn = 1 if plan is None else len(plan.axes)
    on_keys(REPORTED, press)
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        st.markdown(in_markdown(_shown(plan, data)))
        with st.popover("Keys", icon=":material/keyboard:", key="key_list"):
            st.markdown("  \n".join(f"**{key}** {action}" for key, action in _LIST.items()))
        st.button("Leave", icon=":material/close:", on_click=_leave, help="Show all controls.")


def press(key: str) -> None:
    """Do what a key does; called before the script runs."""
    if action := _ACTIONS.get(key):
        action()


def _shown(plan: Plan | None, data: str) -> str:
    if plan is None:
        return data
    names = " × ".join(AXIS_NAMES[axis.key] for axis in plan.axes)
    return f"{data} · {names} · {plan.seeds} {'seed' if plan.seeds == 1 else 'seeds'}"


def _draw() -> None:
    axes = st.session_state.get("sweep_axes_drawn", 1)
    if axes > 1:
        next_option(DRAW, drawn_as(axes))()


def _leave() -> None:
    st.query_params.pop(PRESENT, None)


_FORWARD, _BACK = next_option(SHOW, list(METRICS)), next_option(SHOW, list(METRICS), -1)
_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _FORWARD, "PageDown": _FORWARD, "m": _BACK, "PageUp": _BACK, "d": _draw,
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(SCORE, list(SCORES)), "b": next_option(BAND, list(BANDS)),
}  # fmt: skip
REPORTED = list(_ACTIONS)  # the keys that the browser reports; it does by itself what the others do
