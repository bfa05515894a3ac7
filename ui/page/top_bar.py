"""The right end of the line of pages: *Present*, and *Share* with what a page gives away of itself. page.css puts it there."""

from collections.abc import Callable

import streamlit as st

from ui.page.presenter import present_button, presenting


def top_bar(name: str = "", share: Callable[[], None] | None = None) -> None:
    """Draw it; not in presenter mode. name: of the app, on the page whose title it is. share: draws the box *Share*."""
    if presenting():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="top_bar"):
        if name:
            st.title(name, anchor=False, width="content")
        present_button()
        if share is not None:
            with st.popover("Share", icon=":material/share:", key="share"):
                share()
