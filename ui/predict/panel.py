"""The tab Predict: the choice between a file and one row."""

import streamlit as st

from ui.platform.drawing import fragment, run_page_if_changed, show_errors
from ui.predict.file import rows_of_file
from ui.predict.row import one_row
from ui.runs.run_view import RunView

WAYS = ("A file", "One row")


@fragment
def predict_panel(run: RunView) -> None:
    """Predictions of new rows with the run's model; a fragment, so that a change here draws only this tab again."""
    run_page_if_changed()
    with show_errors():
        if run.result is None:
            later = "Predictions are possible when training ends. Press Stop to make them with the model as it is now."
            st.info("This run left no model, so it cannot predict." if run.status.ended else later)
            return
        way = st.segmented_control(
            "New rows from", WAYS, default=WAYS[0], required=True, key="predict_way", persist_state="session"
        )
        (one_row if way == WAYS[1] else rows_of_file)(run)
