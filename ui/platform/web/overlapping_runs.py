"""A run that has to stop and the run that takes its place overlap for a moment, with the same state of the session.

Streamlit (``runner.fastReruns``) asks the run in progress to stop and starts the next one at once, each with a lock of its own.
Until the former notices, it may register a widget while the latter goes through all of them: "dictionary changed size during
iteration", in place of the page. Seen once in some thousand presses of a busy server.
"""

from collections.abc import Iterator, KeysView

from ui.platform.streamlit_internals import WStates

__all__ = ["let_runs_overlap"]


def let_runs_overlap() -> None:
    """Let what goes through the widgets of a session do so on a copy of their names; calling it again does nothing."""
    WStates.__iter__ = _names
    WStates.keys = _keys


def _names(states: WStates) -> Iterator[str]:
    return iter(list(states.states))


def _keys(states: WStates) -> KeysView[str]:
    return dict(states.states).keys()
