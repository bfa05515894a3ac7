"""Presenter mode, ``?present=1``: large type, hidden controls, and a key for each action of a lecturer."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import presets
from ui.charts import TABS
from ui.data.choose import Chosen
from ui.explore.steering import request
from ui.live import on_keys
from ui.runs import current_run
from ui.text import in_markdown, in_words, shortened

__all__ = ["keys", "present_button", "presenter", "presenting"]

_KEY = "present"
_LETTERS = {"t": "train", "p": "pause", "s": "step", "x": "stop"}
_STYLE = """<style>
html { font-size: 19px !important; }
[data-testid="stHeader"], .st-key-preset_row, .st-key-compare_row, .st-key-more_steering, .tsk-view-order { display: none; }
.stMainBlockContainer { padding: 3.25rem 1.5rem 1rem; max-width: none; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.4rem; }
.st-key-presenter { position: fixed; inset: 0.4rem 1.5rem auto; width: auto; z-index: 10; }
.st-key-presenter { background: light-dark(#ffffff, #171614); } /* the background of the page, which scrolls beneath it */
.st-key-presenter [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-presenter p { margin: 0; }
.st-key-presenter_keys { position: absolute; width: 1px; }
@media (max-width: 640px) { .st-key-presenter { position: static; } } /* two lines high, so it would cover the buttons */
</style>"""
_KEYS = {
    "T": "train", "P": "pause, resume", "S": "one epoch", "X": "stop", "N": "next preset", "← →": "previous, next epoch",
    "Space": "replay training", f"1 … {len(TABS)}": "tabs",
}  # fmt: skip


def presenting() -> bool:
    """Whether the page is in presenter mode."""
    return st.query_params.get(_KEY) == "1"


def present_button() -> None:
    """A button that starts presenter mode."""
    if not presenting():
        st.button(
            "Present", icon=":material/slideshow:", width="stretch", on_click=_present, args=(True,),
            help="For a projector: large type, hidden controls, and keys for all actions.",
        )  # fmt: skip


def presenter(config: TrainConfig | None, chosen: Chosen | None, preset: presets.Preset | None) -> None:
    """Large type, the keys, and a button that ends presenter mode. preset: the one that the settings match."""
    st.html(_STYLE)
    on_keys("n" + "".join(_LETTERS), lambda letter: _press(letter, preset))
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        name = "" if chosen is None else f"**{in_markdown(shortened(chosen.shown.name, 40))}**"
        st.markdown(f"{name} · {in_markdown(_settings_line(config))}" if config else name)
        with st.popover("Keys", icon=":material/keyboard:"):
            keys()
        st.button("Leave", icon=":material/close:", on_click=_present, args=(False,), help="Show all controls.")


def keys() -> None:
    """What each key does; a page in presenter mode shows it until the first run."""
    st.markdown("  \n".join(f"**{key}** {action}" for key, action in _KEYS.items()))


def _settings_line(config: TrainConfig) -> str:
    """The settings that lectures are about, since the sidebar is hidden."""
    values = {"R": config.n_rules, "λ": config.ur_weight, "B": config.batch_size, "f̄": config.firing}
    batch_norm = "no BN" if config.batch_norm == "none" else config.batch_norm.upper()
    return " · ".join([*(f"{symbol} {in_words(value)}" for symbol, value in values.items()), batch_norm])


def _present(wanted: bool) -> None:
    if wanted:
        st.query_params[_KEY] = "1"
    else:
        st.query_params.pop(_KEY, None)


def _press(letter: str, preset: presets.Preset | None) -> None:
    """Do what the button of the same name does, if it is enabled."""
    if letter == "n":
        presets.apply(presets.following(preset))
    elif (current_run.active() is not None) != (_LETTERS[letter] == "train"):
        request(_LETTERS[letter])
