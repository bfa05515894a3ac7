"""The tab Samples: what the browser needs for the plane and a row's reasons. It computes both itself, from rules and rows."""

import streamlit as st

from ui.live import mount
from ui.runs import Shown

__all__ = ["samples_panel"]

_NO_ROWS = "The data of this run are not available here. Choose the same file in the sidebar to see its rows."


def samples_panel(shown: Shown) -> None:
    """Draw the tab."""
    with st.spinner("Fetching rows…", show_time=False):
        table = shown.rows()
        rows = table and table.to_show
    data = f"{shown.data['sha256']} {shown.data['target']}"
    mount("plane", "reasons", key="views:samples", data=data, rows=rows, note="" if rows else _NO_ROWS)
