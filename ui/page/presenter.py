"""Presenter mode, ``?present=1``: large type, few controls, and a key for each action of a lecturer.

Each page declares its own keys and says what is shown; its own style may follow presenter.css.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from ui.live import on_keys

PRESENT, KEY = "present", "p"
_STYLE = Path(__file__).with_name("presenter.css")


@dataclass(frozen=True)
class Keys:
    """The keys of a page.

    listed: keys as people read them -> what they do. actions: keys as the browser names them -> what is called before the script
    runs; the browser does by itself what the other keys do. columns: of the list.
    """

    listed: Mapping[str, str]
    actions: Mapping[str, Callable[[], None]]
    columns: int = 1


def presenting() -> bool:
    """Whether the page is in presenter mode."""
    return st.query_params.get(PRESENT) == "1"


def present_button() -> None:
    """A button that starts presenter mode, and its key, which ends it where no other action has it."""
    st.button(
        "Present", icon=":material/slideshow:", key="present_button", shortcut=KEY, on_click=_present, args=(True,),
        help="For a projector: large type, few controls, and keys for all actions; key P.",
    )  # fmt: skip


def presenter_line(
    shown: str, keys: Keys, style: Path | None = None, more: Callable[[], None] = lambda: None
) -> None:  # fmt: skip
    """Draw the first line, and let the keys work.

    shown: what the page shows, as Markdown. style: of this page. more: draws a box of this page.
    """
    for css in (_STYLE, *([style] if style else [])):
        st.html(css)
    ends = KEY not in keys.actions
    if ends:
        keys = replace(keys, listed={KEY.upper(): "leave presenter mode", **keys.listed})
    on_keys(list(keys.actions), lambda key: keys.actions.get(key, lambda: None)())
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        st.markdown(shown)
        more()
        with st.popover("Keys", icon=":material/keyboard:", key="key_list"):
            key_list(keys)
        st.button(
            "Leave", icon=":material/close:", key="leave", shortcut=KEY if ends else None, on_click=_present, args=(False,),
            help="Show all controls.",
        )  # fmt: skip


def key_list(keys: Keys) -> None:
    """What each key does, in columns."""
    lines = [f"**{key}** {action}" for key, action in keys.listed.items()]
    rows = -(-len(lines) // keys.columns)
    for column, start in zip(st.columns(keys.columns), range(0, len(lines), rows), strict=True):
        column.markdown("  \n".join(lines[start : start + rows]))


def _present(wanted: bool) -> None:
    if wanted:
        st.query_params[PRESENT] = "1"
    else:
        st.query_params.pop(PRESENT, None)
