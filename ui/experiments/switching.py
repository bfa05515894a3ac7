"""A key that switches a choice to its next option."""

from collections.abc import Callable, Sequence

import streamlit as st

__all__ = ["next_option"]


def next_option(key: str, options: Sequence[str], step: int = 1) -> Callable[[], None]:
    """A callback that sets the choice with this key to the option ``step`` places on, or to the first one if it has none."""

    def switch() -> None:
        now = st.session_state.get(key)
        st.session_state[key] = options[(options.index(now) + step) % len(options)] if now in options else options[0]

    return switch
