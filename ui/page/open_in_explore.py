"""One training of an experiment as a run of the page Explore: the same settings, seed and split, started there."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui.runs import current_run
from ui.settings.use import use_settings

__all__ = ["EXPLORE", "open_in_explore"]

EXPLORE = "pages/explore.py"


def open_in_explore(config: TrainConfig, test_size: float, page: str) -> None:
    """Set the settings of Explore, request the training, and switch to it. Before any widget is made.

    page: the one that the visitor comes from; it has its own settings again afterwards.
    """
    use_settings(config, test_size, visit_from=page)
    current_run.stop()
    current_run.request("train")
    st.switch_page(EXPLORE, query_params={})  # without them, Streamlit refuses: the address has values of widgets
