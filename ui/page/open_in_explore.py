"""A training of another page as a run of the page Explore: the same settings, seed and split, started there."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from ui.runs import current_run
from ui.settings.use import use_settings

__all__ = ["EXPLORE", "open_in_explore"]

EXPLORE = "pages/explore.py"


def open_in_explore(
    config: TrainConfig, test_size: float, *, data: Mapping[str, Any] | None = None, visit_from: str | None = None
) -> None:
    """Set the settings of Explore, request the training, and switch to it; arguments as of ``use_settings``.

    Before any widget is made.
    """
    use_settings(config, test_size, data=data, visit_from=visit_from)
    current_run.restart()
    st.switch_page(EXPLORE, query_params={})  # without them, Streamlit refuses: the address has values of widgets
