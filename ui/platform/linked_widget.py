"""The widget of a link beside the one that people see.

Streamlit writes the labels of a widget's options into links. So a link fills a hidden widget whose options are the link's own
values, and beside it stands one with the same value that has words for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ui.platform.session import Key

__all__ = ["linked_widget"]


@contextmanager
def linked_widget(link: Key[str], shown: Key[str]) -> Iterator[None]:
    """Draw the widget of the key ``link`` inside; page.css hides it. Its value becomes that of ``shown``, which is drawn next."""
    with st.container(key=f"linked_{link.name}"):
        yield
    shown.set(link.get())
