"""Presenter mode of Paper, ``?present=1``: large type, few controls, and a key for each part, table and cell."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from tsk_core.study import ALGORITHMS
from ui.experiments import next_option
from ui.page.presenter import Keys, presenter_line
from ui.paper.controls import METRICS, PROPOSED, TABLES, TITLES, VALUES
from ui.platform import session
from ui.text import in_markdown

_STYLE = Path(__file__).with_name("presenter.css")


def presenter(tabs: Sequence[str]) -> None:
    """Draw the first line, and let the keys work; after the tabs are made. tabs: of the page."""
    tab = _chosen(session.PAPER_TAB, tabs)
    presenter_line(f"**{in_markdown(tab)}**{in_markdown(_shown(tab))}", keys(tabs), _STYLE)


def keys(tabs: Sequence[str]) -> Keys:
    """The keys of the page."""
    listed = {
        "N · Page Down": "next part of the page", "M · Page Up": "previous part", f"1 … {len(tabs)}": "parts",
        "T": "next table", "C": "ours, the paper's, the difference", "B": "algorithms beyond the paper", "R": "RCA or BCA",
        "D": "next dataset", "A": "next algorithm", "V": "hide, show the buttons", "?": "this list",
    }  # fmt: skip
    forward, back = (_next(session.PAPER_TAB, tabs, step) for step in (1, -1))
    actions: dict[str, Callable[[], None]] = {
        "n": forward, "PageDown": forward, "m": back, "PageUp": back,
        **{str(number): partial(session.PAPER_TAB.set, tab) for number, tab in enumerate(tabs, 1)},
        "t": _next(session.PAPER_TABLE, list(TABLES)), "c": _next(session.PAPER_VALUES, VALUES),
        "r": _next(session.PAPER_METRIC, METRICS), "b": _switch_beyond, "d": _next(session.PAPER_DATASET, TITLES),
        "a": _next(session.PAPER_ALGORITHM, [PROPOSED, *(name for name in ALGORITHMS if name != PROPOSED)]),
    }  # fmt: skip
    return Keys(listed, actions)


def _next(widget: session.Key[str], options: Sequence[str], step: int = 1) -> Callable[[], None]:
    """As ``next_option``, from what the widget shows before anything is chosen."""

    def switch() -> None:
        widget.set(_chosen(widget, options))
        next_option(widget, options, step)()

    return switch


def _chosen(widget: session.Key[str], options: Sequence[str]) -> str:
    """What the widget has, or will have by the link once it is made; else the first option."""
    value = widget.get() or st.query_params.get(widget.name)
    return value if value in options else options[0]


def _switch_beyond() -> None:
    session.PAPER_BEYOND.set(not session.PAPER_BEYOND.get())


def _shown(tab: str) -> str:
    """What the part shows, where keys change it."""
    if tab == "Results":
        return f" · {_chosen(session.PAPER_TABLE, list(TABLES))} · {_chosen(session.PAPER_VALUES, VALUES).lower()}"
    return f" · {_chosen(session.PAPER_METRIC, METRICS)}" if tab in ("Statistics", "Pairs") else ""
