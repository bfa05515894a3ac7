"""The state of a visitor's session, named and typed. Nothing else touches ``st.session_state``; keys stand beside their owners.

A value that a page computes once belongs into ``ui.platform.caches``; tables, which take memory, into ``ui.platform.memory``.
Widgets that stand in links have the keys of ``tsk_core.config.SETTINGS``, see ``widget``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import streamlit as st

from ui.platform.streamlit_internals import get_script_run_ctx, runtime

T = TypeVar("T")
Value = Any
REDRAWING: dict[str, None] = {}  # the names of keys that the whole page is drawn with


def values_of(names: Iterable[str]) -> dict[str, Value]:
    """The values that are set, by name; of widgets those that the page has drawn.

    A click on a setting looks up some four hundred values. ``st.session_state`` takes six times as long for each: it asks each
    time which session this is, and whether the script has to stop.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if _is_beside_pages():
        return {}
    if context is None:  # without a server
        return {name: st.session_state[name] for name in names if name in st.session_state}
    found, state = {}, context.session_state
    with state._lock:
        for name in names:
            try:
                found[name] = state._state[name]
            except KeyError:
                continue
    return found


def _is_beside_pages() -> bool:
    """Whether this is a thread of the server that draws no page, such as one that makes a download: it has no session."""
    return get_script_run_ctx(suppress_warning=True) is None and runtime.exists()


class Key(Generic[T]):
    """One value of the session. name: its key there, and that of its widget where it has one. default: where it is not set.

    make: instead of a default, for a value that is changed in place: made and stored at its first use.
    redraws: whether the whole page is drawn with it, so that a fragment runs the page where it has changed (``drawing``).
    """

    def __init__(
        self, name: str, default: T | None = None, *, make: Callable[[], T] | None = None, redraws: bool = False
    ) -> None:  # fmt: skip
        self.name, self._make = name, make
        self.default: Any = default  # a key without one is of a value that may be None, or that is set before it is read
        if redraws:
            REDRAWING[name] = None

    def get(self) -> T:
        """The value, or the default."""
        if self._make is not None and not self.is_set():
            made = self._make()
            if _is_beside_pages():
                return made
            self.set(made)
        return values_of([self.name]).get(self.name, self.default)

    def set(self, value: T) -> None:
        """Set the value; of a widget only in a callback, or before the widget is made."""
        st.session_state[self.name] = value

    def pop(self) -> T:
        """Remove the value; returns it, or the default."""
        return st.session_state.pop(self.name, self.default)

    def remove(self) -> None:
        """Remove the value; a callback."""
        self.pop()

    def is_set(self) -> bool:
        """Whether there is a value; of a widget also whether the page has drawn it."""
        return bool(values_of([self.name]))

    def __repr__(self) -> str:
        return f"Key({self.name!r})"


class Keys(Generic[T]):
    """One value of the session for each of something: ``pattern`` has a place for each part of its name."""

    def __init__(self, pattern: str, default: T | None = None, *, make: Callable[[], T] | None = None) -> None:
        self.pattern, self._default, self._make = pattern, default, make

    def __call__(self, *parts: object) -> Key[T]:
        """The key of this one."""
        return Key(self.pattern.format(*parts), self._default, make=self._make)

    def existing(self) -> Iterator[Key[T]]:
        """All that are set."""
        start = self.pattern.partition("{")[0]
        return (Key(str(name), self._default, make=self._make) for name in list(st.session_state) if str(name).startswith(start))


def widget(name: str) -> Key[Value]:
    """The value of the widget of a setting, by its key in links: ``SETTINGS[…].key``."""
    return Key(name)


def set_widgets(values: Mapping[str, Value]) -> None:
    """Set widgets by their keys in links; in a callback, or before any of them is made."""
    for name, value in values.items():
        widget(name).set(value)


# What several packages share that do not know each other. Every other key stands beside its owner.
VIEW = Key[str]("view")  # the open tab of a run
PAINTED = Key[str]("painted", "", redraws=True)  # the text of painted points, see ``tsk_core.data.painted``
DATA_BOX = Key[bool]("data_box")
DATA_BOX_FOR = Key[tuple[str, bool]]("data_box_for", ("", False))  # the table, or "run", that it was last drawn for; whether open
COMPARED_VARIANTS = Key[list[str]]("compared_variants")
COMPONENT = Keys[Mapping[str, Value]]("{}", MappingProxyType({}))  # what a table or a component reports, by its key
