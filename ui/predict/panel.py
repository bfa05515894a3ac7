"""The tab "Predict": which of the two ways, and what both need."""

import streamlit as st

from ui.guard import errors_shown
from ui.predict.file import rows_of_file
from ui.predict.row import one_row
from ui.runs.run_view import RunView

__all__ = ["predict_panel"]

WAYS = ("A file", "One row")


@st.fragment
def predict_panel(shown: RunView) -> None:
    """New rows decided by the run's model; drawn alone at each change."""
    with errors_shown():
        if shown.result is None:
            later = "Predictions can be made when training ends; press Stop to make them with the model reached by now."
            st.info("This run left no model, so it predicts nothing." if shown.status.ended else later)
            return
        way = st.segmented_control(
            "New rows from", WAYS, default=WAYS[0], required=True, key="predict_way", persist_state="session"
        )
        (one_row if way == WAYS[1] else rows_of_file)(shown)
