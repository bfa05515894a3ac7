"""Why there is no table to train on: said in the middle of the page, which a phone shows too, with what helps.

The choice of the data is drawn in the sidebar before the page, so it leaves here what the page is to say.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from ui.data.decisions import decide
from ui.data.ranges import group_into_ranges, ranges_box
from ui.data.read_options import reset_button
from ui.platform import session
from ui.text import in_markdown, shortened


@dataclass(frozen=True)
class Unready:
    """What a page says of data that cannot be trained on.

    text: one sentence. kind: how grave it is; an "info" says what to do first. file: the file whose read options may be the
    reason. grouped: of a numeric target, where its decisions are stored and the bin edges that grouping would use.
    left_out: where all columns are, where the decisions are stored and the columns that could be categories.
    """

    text: str
    kind: Literal["info", "warning", "error"] = "error"
    file: str | None = None
    grouped: tuple[str, tuple[float, ...]] | None = None
    left_out: tuple[str, tuple[str, ...]] | None = None


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
    if unready.left_out and unready.left_out[1]:
        _offer_categories(*unready.left_out)


def _offer_ranges(key: str, edges: tuple[float, ...]) -> None:
    """Show the bin edges of a numeric target, and offer to group it."""
    ranges_box(key)
    st.caption(in_markdown(f"Bin edges: {', '.join(f'{edge:g}' for edge in edges)}."))
    st.button("Group into ranges", type="primary", on_click=group_into_ranges, args=(key,))


def _offer_categories(key: str, columns: tuple[str, ...]) -> None:
    """Offer to use the columns that were left out, with their most frequent values as categories."""
    names = ", ".join(f"“{shortened(name, 40)}”" for name in columns[:3])
    more = f" and {len(columns) - 3} more" if len(columns) > 3 else ""
    st.button(
        in_markdown(f"Use {names}{more} as {'a category' if len(columns) == 1 else 'categories'}"), type="primary",
        on_click=decide, args=("categories", key, columns),
    )  # fmt: skip
