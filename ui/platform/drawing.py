"""How parts of a page are drawn: fragments, errors, the widgets of links.

**Fragments**, and changes outside of them. The browser sends what changes within a moment as one message. Where part of it
comes from a fragment, as when somebody changes a setting and presses Train, Streamlit runs that fragment alone: the page would
never see the press. So each fragment asks first whether something outside of it changed, and then runs the whole page. No
fragment is drawn again by itself: what is new of a run comes beside Streamlit (``ui.live``).

**Errors** become one sentence on the page, never a traceback.

**The widget of a link** stands beside the one that people see. Streamlit writes the labels of a widget's options into links. So
a link fills a hidden widget whose options are the link's own values, and beside it stands one with the same value that has
words for them.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.errors import TSKError
from tsk_core.settings import SETTINGS
from ui.platform import session
from ui.platform.session import Key
from ui.platform.streamlit_internals import get_script_run_ctx
from ui.platform.turns import page_lock
from ui.platform.visitor import address, visitor
from ui.text import in_markdown

DRAWN_WITH = Key[tuple[tuple[str, ...], list[Any]]]("page_noted", ((), []))  # keys and values that the page was drawn with


# Fragments.

_SETTINGS = (START_KEY, *(setting.key for setting in SETTINGS.values() if setting.key))

P = ParamSpec("P")
R = TypeVar("R")


def fragment(draw: Callable[P, R]) -> Callable[P, R]:
    """``st.fragment``, drawn again when it is the visitor's turn."""
    return st.fragment(_in_turn(draw))


def dialog(title: str, width: Literal["small", "large"]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """``st.dialog``, drawn again when it is the visitor's turn."""

    def decorate(draw: Callable[P, R]) -> Callable[P, R]:
        return st.dialog(title, width=width)(_in_turn(draw))

    return decorate


def _in_turn(draw: Callable[P, R]) -> Callable[P, R]:
    """The same under the page lock, which the page has where it draws the fragment with the rest."""

    @wraps(draw)
    def drawn(*args: P.args, **named: P.kwargs) -> R:
        with page_lock(visitor(), address()):
            return draw(*args, **named)

    return drawn


def note_page(more: Sequence[str]) -> None:
    """Note the values that the page is drawn with: once its controls are drawn, before its fragments. more: further keys."""
    keys = (*_SETTINGS, *session.REDRAWING, *more)
    DRAWN_WITH.set((keys, _values(keys)))


def note_page_again() -> None:
    """In a fragment: note the values as they are now, since the rest of the page is what it would be with them."""
    keys, _ = DRAWN_WITH.get()
    DRAWN_WITH.set((keys, _values(keys)))


def run_page_if_changed(but: Sequence[str] = ()) -> None:
    """In a fragment, before anything else: run the whole page where one of the noted values is another one now.

    but: the keys whose changes the fragment draws by itself.
    """
    keys, values = DRAWN_WITH.get()
    if any(now != then for key, now, then in zip(keys, _values(keys), values, strict=True) if key not in but):
        st.rerun()


def _values(keys: Sequence[str]) -> list[Any]:
    values = session.values_of(keys)
    return [values.get(key) for key in keys]


# Errors.


@contextmanager
def show_errors() -> Iterator[None]:
    """Show an error of this block on the page, and go on after the block."""
    try:
        yield
    except Exception as error:
        st.error(error_markdown(error))


def error_markdown(error: Exception) -> str:
    """An error as Markdown; an unexpected one goes to the log of the server with its traceback."""
    if isinstance(error, TSKError):
        return in_markdown(error)
    logging.getLogger("tsk_explorer").error("The page failed", exc_info=error)
    return "The app failed unexpectedly. Your settings are in the address bar: reload the page to continue."


# Links.


@contextmanager
def linked_widget(link: Key[str], shown: Key[str]) -> Iterator[None]:
    """Draw the widget of the key ``link`` inside; page.css hides it. Its value becomes that of ``shown``, which is drawn next."""
    with st.container(key=f"linked_{link.name}"):
        yield
    shown.set(link.get())


def by_history() -> bool:
    """Whether Back or Forward led to the address that the browser names.

    Every press brings an address along, too: the one from before the last change where the browser had not heard of that when it
    was pressed.
    """
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
