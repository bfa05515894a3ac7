"""Why there is no table to train on: said in the middle of the page, which a phone shows too, with what helps.

The choice of the data is drawn in the sidebar before the page, so it leaves here what the page is to say.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from ui.data.decisions import decide
from ui.data.read_options import reset_button
from ui.platform import session
from ui.text import in_markdown

__all__ = ["DEFAULT_RANGES", "Unready", "show_unready"]

DEFAULT_RANGES = 3  # of a numeric target


@dataclass(frozen=True)
class Unready:
    """What a page says of data that cannot be trained on.

    text: one sentence. kind: how grave it is; an "info" says what to do first. file: the file whose read options may be the
    reason. grouped: of a numeric target, where its decisions are stored and the bin edges that grouping would use.
    """

    text: str
    kind: Literal["info", "warning", "error"] = "error"
    file: str | None = None
    grouped: tuple[str, tuple[float, ...]] | None = None


def show_unready(*, beside_run: bool) -> None:
    """Say it, if there is anything. beside_run: whether the page shows a run, which what to do first must not push down."""
    unready = session.UNREADY.get()
    if unready is None:
        return
    if unready.kind == "info" and beside_run:
        st.caption(in_markdown(unready.text))
        return
    {"info": st.info, "warning": st.warning, "error": st.error}[unready.kind](in_markdown(unready.text))
    reset_button(unready.file)
    if unready.grouped:
        _offer_ranges(*unready.grouped)


def _offer_ranges(key: str, edges: tuple[float, ...]) -> None:
    """Show the bin edges of a numeric target, and offer to group it."""
    st.number_input(
        "Number of ranges, about equally many rows in each", 2, 20, DEFAULT_RANGES, key=session.RANGES(key).name, width=360
    )
    st.caption(in_markdown(f"Bin edges: {', '.join(f'{edge:g}' for edge in edges)}."))
    st.button("Group into ranges", type="primary", on_click=_group, args=(key,))


def _group(key: str) -> None:
    decide("bins", key, int(session.RANGES(key).get() or DEFAULT_RANGES))
