"""How parts of a page are drawn: fragments, errors, the widgets of links.

**Fragments**, and changes outside of them. The browser sends what changes within a moment as one message. Where part of it
comes from a fragment, as when a chart asks for more while somebody opens a tab or presses Train, Streamlit runs that fragment
alone: the page would never see the press. So each fragment asks first whether something outside of it changed, and then runs
the whole page.

**Errors** become one sentence on the page, never a traceback.

**The widget of a link** stands beside the one that people see. Streamlit writes the labels of a widget's options into links. So
a link fills a hidden widget whose options are the link's own values, and beside it stands one with the same value that has
words for them.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Generic, Literal, ParamSpec, TypeVar

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.errors import TSKError
from tsk_core.settings import SETTINGS
from ui.platform import session
from ui.platform.session import Key
from ui.platform.streamlit_internals import ForwardMsg, ThreadState, get_script_run_ctx
from ui.platform.turns import ahead, page_lock
from ui.platform.visitor import address, visitor
from ui.text import in_markdown

DRAWN_WITH = Key[tuple[tuple[str, ...], list[Any]]]("page_noted", ((), []))  # keys and values that the page was drawn with
HANDLED = Key[dict[str, tuple[str, ...]]]("page_handled", make=dict)  # fragment -> keys whose changes it draws alone


# Fragments.

NO_TICK = 86_400.0  # seconds: an interval at which nothing is drawn again, since Streamlit ends one with the whole page only
SECONDS_AHEAD = 0.1  # between two ticks, for each page or fragment that waits and would be drawn before the next one
LONGEST = 10.0  # seconds that a full room makes of it at most

_SETTINGS = (START_KEY, *(setting.key for setting in SETTINGS.values() if setting.key))

P = ParamSpec("P")
R = TypeVar("R")


def fragment(draw: Callable[P, R], run_every: float | None = None) -> Callable[P, R]:
    """``st.fragment``, drawn again when it is the visitor's turn. run_every: seconds between two ticks, more in a full room."""
    return st.fragment(_in_turn(draw if run_every is None else _Ticking(draw, run_every)), run_every=run_every)


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


def handles(keys: Sequence[str]) -> None:
    """In a fragment that is drawn with the page: it draws alone what follows from these values."""
    fragment_id = ThreadState.get().fragment_id
    if fragment_id is not None:
        HANDLED.get()[fragment_id] = tuple(keys)


def run_page_if_changed() -> None:
    """In a fragment, before anything else: run the whole page where one of the noted values is another one now.

    Values that a fragment of this run handles may be others: in a full room, a click and a tick of another fragment that waited
    for their turn come in one run.
    """
    keys, values = DRAWN_WITH.get()
    handled, context = HANDLED.get(), get_script_run_ctx()
    fragments = context.fragment_ids_this_run or () if context is not None else ()
    handled_now = {key for fragment_id in fragments for key in handled.get(fragment_id, ())}
    if any(now != then for key, now, then in zip(keys, _values(keys), values, strict=True) if key not in handled_now):
        st.rerun()


class _Ticking(Generic[P, R]):
    """A fragment that the browser draws again at an interval, which it sets anew where it changes.

    In a full room, ticks would take more of the time than all clicks, so they come the less often the more people wait. Streamlit
    itself sets the interval at runs of the whole page only, which cost five times as much.
    """

    def __init__(self, draw: Callable[P, R], run_every: float) -> None:
        self._draw, self.interval, self._sent = draw, run_every, run_every
        wraps(draw)(self)

    def __call__(self, *args: P.args, **named: P.kwargs) -> R:
        around, _drawn.ticking = getattr(_drawn, "ticking", None), self
        try:
            result = self._draw(*args, **named)
        finally:
            _drawn.ticking = around
        in_the_room = min(round(SECONDS_AHEAD * ahead(visitor(), address())), LONGEST)
        self._send(max(self.interval, float(in_the_room)))
        return result

    def _send(self, seconds: float) -> None:
        context, fragment_id = get_script_run_ctx(), ThreadState.get().fragment_id
        if seconds != self._sent and context is not None and fragment_id is not None:
            message = ForwardMsg()
            message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, fragment_id
            context.enqueue(message)
            self._sent = seconds


_drawn = threading.local()  # ticking: the innermost one that this thread draws


def tick_every(seconds: float) -> None:
    """In a fragment that the browser draws again at an interval: the interval from now on."""
    _drawn.ticking.interval = seconds


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
