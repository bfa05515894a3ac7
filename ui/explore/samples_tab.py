"""The tab Samples: the rows that the browser needs to draw the plane and explain a prediction, both computed there."""

import streamlit as st

from ui.live import mount
from ui.runs.run_view import RunView

__all__ = ["samples_tab"]

_NO_ROWS = "The data of this run are not available here. Choose the same file in the sidebar to see its rows."


def samples_tab(run: RunView) -> None:
    """Draw the tab."""
    with st.spinner("Fetching rows…", show_time=False):
        table = run.rows()
        rows = table and table.to_show
    data = f"{run.data['sha256']} {run.data['target']}"
    mount("plane", "reasons", key="views:samples", data=data, rows=rows, note="" if rows else _NO_ROWS)
