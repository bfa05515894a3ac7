"""Errors become one sentence on the page, never a traceback."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tsk_core.errors import TSKError
from ui.text import in_markdown

__all__ = ["error_markdown", "show_errors"]


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
