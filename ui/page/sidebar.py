"""What every page with a training has in its sidebar: the dataset, and the settings."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data
from ui.data.choose import Chosen
from ui.settings import controls, starting, undo

__all__ = ["data_and_settings"]


def data_and_settings() -> tuple[Chosen | None, TrainConfig | None, float]:
    """Draw them; returns the dataset, the settings (None where one is not valid), and the share of test rows."""
    chosen = data.choose()
    start = starting.choose()
    changes = st.container(horizontal=True, vertical_alignment="center", key="changes")
    config, test_size = controls.settings(start)
    undo.remember()
    with changes:  # above the settings, but drawn after them, since it depends on their values
        starting.changes(start)
        undo.undo_button()
    starting.reset_button(start)
    return chosen, config, test_size
