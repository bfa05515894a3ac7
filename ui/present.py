"""Presenter mode, ``?present=1``: large type, controls folded away, and keys for what a lecturer does."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import presets, runs
from ui.data.choose import Chosen
from ui.live import listen

__all__ = ["presenter", "presenting", "way_in"]

_KEY = "present"
_LETTERS = {"t": "train", "p": "pause", "s": "step", "x": "stop"}
_STYLE = """<style>
html { font-size: 20px !important; }
.stMainBlockContainer { padding: 2.75rem 1.5rem 1rem; max-width: none; }
</style>"""
_HINT = "Keys: T train · P pause · S step · X stop · N next preset · ← → epoch · space play · 1–9 tabs"


def presenting() -> bool:
    """Whether the page was asked for as a lecturer shows it."""
    return st.query_params.get(_KEY) == "1"


def way_in() -> None:
    """A button to present the page as it stands."""
    if not presenting():
        st.button(
            "Present", icon=":material/slideshow:", width="stretch", on_click=_present, args=(True,),
            help="Large type, controls folded away, and keys: for a projector.",
        )  # fmt: skip


def presenter(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """Large type, the keys, and the way out."""
    st.html(_STYLE)
    here = presets.at(config, test_size, chosen)
    listen("n" + "".join(_LETTERS), lambda letter: _heard(letter, here))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_HINT, width="stretch")
        st.button("Leave", icon=":material/close:", type="tertiary", on_click=_present, args=(False,), help="Show all controls.")


def _present(wanted: bool) -> None:
    if wanted:
        st.query_params[_KEY] = "1"
    else:
        st.query_params.pop(_KEY, None)


def _heard(letter: str, here: presets.Preset | None) -> None:
    """Do what the button of the same name does, where it could be pressed."""
    shown = runs.shown()
    alive = shown is not None and shown.mine and not shown.status.ended
    if letter == "n":
        presets.apply(presets.following(here))
    elif alive != (_LETTERS[letter] == "train"):
        st.session_state.asked = _LETTERS[letter]
