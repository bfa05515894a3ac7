"""The tab Samples: the rows that the browser needs to draw the plane and explain a prediction, both computed there."""

from typing import Any

import streamlit as st

from ui.live import mount
from ui.presets import Preset
from ui.runs.run_view import RunView

_NO_ROWS = "The data of this run are not available here. Choose the same file in the sidebar to see its rows."


def samples_tab(run: RunView, preset: Preset | None) -> None:
    """Draw the tab. preset: the one that the page is at."""
    with st.spinner("Fetching rows…", show_time=False):
        data = samples_data(run)
    note = "" if data["rows"] else _NO_ROWS
    if preset is not None and preset.beside:
        mount("plane", "firing", "reasons", "curves", key="views:samples_beside", beside=run.id, note=note, **data)
    else:
        mount("plane", "reasons", "curves", key="views:samples", note=note, **data)


def samples_data(run: RunView) -> dict[str, Any]:
    """What the browser needs to draw and move rows: some of the table's, None without it, and a name of the table."""
    table = run.rows()
    return {"data": f"{run.data['sha256']} {run.data['target']}", "rows": table and table.to_show}
