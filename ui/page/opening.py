"""A page begins, before any of its widgets is made; and a training of another page as a run of Explore."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from ui.page.last_run import open_last_run
from ui.platform.engine import get_engine
from ui.runs import current_run
from ui.settings import page_state
from ui.settings.opening import open_link, use_settings
from ui.settings.page_state import CAME_FROM, PAGE


def open_page(name: str) -> None:
    """Start the engine, take over the settings of the page before this one, and use the values of the link.

    A visitor who comes back to Explore has that of their last run.
    """
    get_engine()
    if name == "explore":
        open_last_run()
    page_state.restore(name)
    open_link()


# A training of another page as a run of the page Explore: the same settings, seed and split, started there.


EXPLORE = "pages/explore.py"


def open_in_explore(
    config: TrainConfig, test_size: float, *, data: Mapping[str, Any] | None = None, visit_from: str | None = None
) -> None:
    """Set the settings of Explore, request the training, and switch to it; arguments as of ``use_settings``.

    Before any widget is made.
    """
    CAME_FROM.set((f"pages/{PAGE.get()}.py", st.query_params.to_dict()))
    use_settings(config, test_size, data=data, visit_from=visit_from)
    current_run.restart()
    st.switch_page(EXPLORE, query_params={})  # without them, Streamlit refuses: the address has values of widgets


def go_back() -> None:
    """The browser's Back led from the run to Explore as it was before it: show the place that the run was opened from."""
    came_from = CAME_FROM.get()
    if came_from is not None and "run" not in st.query_params:
        CAME_FROM.pop()
        st.switch_page(came_from[0], query_params=came_from[1])


def come_back(page: str) -> None:
    """The browser's Back led to the address of a page without its values, as Streamlit leaves it at a change of page."""
    came_from = CAME_FROM.get()
    if came_from is not None and came_from[0] == f"pages/{page}.py" and not st.query_params:
        st.query_params.from_dict(came_from[1])
