"""The first visit of a server: Streamlit takes the folder ``pages`` for an app of an older kind until app.py has run once.

It then runs the page that a link names by itself, without app.py: without its style, its files for browsers and its navigation.
"""

import streamlit as st

from ui.platform import session
from ui.platform.streamlit_internals import PagesManager

__all__ = ["through_app"]


def through_app() -> None:
    """Run the page through app.py; to be called first by each page that a link can name."""
    if PagesManager.uses_pages_directory and not session.THROUGH_APP.get():
        session.THROUGH_APP.set(True)  # once: a press would be lost each time
        PagesManager.uses_pages_directory = False
        st.rerun()
