"""Presenter mode of Compare, ``?present=1``: large type, few controls, keys; verdict and a chart on the first screen."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from tsk_core.experiments import SCORES
from ui.compare.controls import BAND, BANDS, SCORE, Wanted
from ui.compare.presets import PRESETS, apply
from ui.experiments import next_option, request
from ui.explore.presenter import PRESENT
from ui.live import on_keys
from ui.text import in_markdown

__all__ = ["REPORTED", "key_list", "presenter", "press"]

_STYLES = [Path(__file__).parents[1] / "presenter.css", Path(__file__).with_name("presenter.css")]
_LIST = {
    "N · Page Down": "next preset", "M · Page Up": "previous preset", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "1 … 6": "tabs",
    "← →": "previous, next epoch", "Space": "replay training", "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(title: str, wanted: Wanted, data: str, busy: bool) -> None:
    """Draw the first line, and let the keys work. title: of the presets if the page is at one."""
    for style in _STYLES:
        st.html(style)
    st.session_state.compare_busy = busy
    on_keys(REPORTED, press)
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        name = f"**{in_markdown(title)}** · " if title else ""
        st.markdown(name + in_markdown(_shown(wanted, data)))
        with st.popover("Keys", icon=":material/keyboard:", key="key_list"):
            key_list()
        st.button("Leave", icon=":material/close:", on_click=_leave, help="Show all controls.")


def press(key: str) -> None:
    """Do what a key does; called before the script runs."""
    if action := _ACTIONS.get(key):
        action()


def _shown(wanted: Wanted, data: str) -> str:
    if wanted.plan is None:
        return data
    names = ", ".join(variant.name for variant in wanted.plan.variants)
    return f"{data} · {names} · {wanted.plan.seeds} seeds"


def key_list() -> None:
    """What each key does."""
    st.markdown("  \n".join(f"**{key}** {action}" for key, action in _LIST.items()))


def _preset(step: int) -> Callable[[], None]:
    """The preset so many places further; the first one before any."""

    def switch() -> None:
        if not st.session_state.get("compare_busy"):
            at = st.session_state.get("compare_preset_at", -1 if step > 0 else 0)
            st.session_state.compare_preset_at = (at + step) % len(PRESETS)
            apply(PRESETS[st.session_state.compare_preset_at])

    return switch


def _leave() -> None:
    st.query_params.pop(PRESENT, None)


_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _preset(1), "PageDown": _preset(1), "m": _preset(-1), "PageUp": _preset(-1),
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(SCORE, list(SCORES)), "b": next_option(BAND, BANDS),
}  # fmt: skip
REPORTED = list(_ACTIONS)  # the keys that the browser reports; it does by itself what the others do
