"""Presenter mode, ``?present=1``: large type, controls folded away, and keys for what a lecturer does."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import presets, runs
from ui.charts import TABS
from ui.data.choose import Chosen
from ui.live import on_keys
from ui.steering import ask
from ui.text import in_markdown, in_words, shortened

__all__ = ["keys", "presenter", "presenting", "way_in"]

_KEY = "present"
_LETTERS = {"t": "train", "p": "pause", "s": "step", "x": "stop"}
_STYLE = """<style>
html { font-size: 19px !important; }
[data-testid="stHeader"], .st-key-preset_row, .st-key-compare_row, .st-key-more_steering, .tsk-view-order { display: none; }
.stMainBlockContainer { padding: 3.25rem 1.5rem 1rem; max-width: none; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.4rem; }
.st-key-presenter { position: fixed; inset: 0.4rem 1.5rem auto; width: auto; z-index: 10; }
.st-key-presenter { background: light-dark(#ffffff, #171614); } /* the page's own ground, under which it scrolls away */
.st-key-presenter [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-presenter p { margin: 0; }
.st-key-presenter_keys { position: absolute; width: 1px; }
</style>"""
_KEYS = {
    "T": "train", "P": "pause, resume", "S": "one epoch", "X": "stop", "N": "next preset", "← →": "previous, next epoch",
    "Space": "replay training", f"1 … {len(TABS)}": "tabs",
}  # fmt: skip


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


def presenter(config: TrainConfig | None, chosen: Chosen | None, here: presets.Preset | None) -> None:
    """Large type, the keys, and the way out. here: the preset that the page stands at."""
    st.html(_STYLE)
    on_keys("n" + "".join(_LETTERS), lambda letter: _heard(letter, here))
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        name = "" if chosen is None else f"**{in_markdown(shortened(chosen.shown.name, 40))}**"
        st.markdown(f"{name} · {in_markdown(_in_a_line(config))}" if config else name)
        with st.popover("Keys", icon=":material/keyboard:"):
            keys()
        st.button("Leave", icon=":material/close:", on_click=_present, args=(False,), help="Show all controls.")


def keys() -> None:
    """What each key does; also what a page shows that waits for the first run."""
    st.markdown("  \n".join(f"**{key}** {words}" for key, words in _KEYS.items()))


def _in_a_line(config: TrainConfig) -> str:
    """The settings that lectures are about, since the sidebar is folded away."""
    values = {"R": config.n_rules, "λ": config.ur_weight, "B": config.batch_size, "f̄": config.firing}
    batch_norm = "no BN" if config.batch_norm == "none" else config.batch_norm.upper()
    return " · ".join([*(f"{symbol} {in_words(value)}" for symbol, value in values.items()), batch_norm])


def _present(wanted: bool) -> None:
    if wanted:
        st.query_params[_KEY] = "1"
    else:
        st.query_params.pop(_KEY, None)


def _heard(letter: str, here: presets.Preset | None) -> None:
    """Do what the button of the same name does, where it could be pressed."""
    if letter == "n":
        presets.apply(presets.following(here))
    elif (runs.training() is not None) != (_LETTERS[letter] == "train"):
        ask(_LETTERS[letter])
