"""Errors become one sentence on the page, wherever they come from; never a traceback."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tsk_core.errors import TSKError
from ui.text import in_markdown

__all__ = ["errors_said"]


@contextmanager
def errors_said() -> Iterator[None]:
    """Say what went wrong in this block, and go on after it."""
    try:
        yield
    except TSKError as error:
        st.error(in_markdown(error))
    except Exception:
        logging.getLogger("tsk_explorer").exception("The page failed")
        st.error("Something went wrong in the app itself; your settings are in the address bar, so reload the page to go on.")
