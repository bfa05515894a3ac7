"""What every page with a training has in its sidebar: the dataset, and the settings."""

from collections.abc import Callable

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data
from ui.data.choose import Chosen
from ui.page.presenter import present_button, presenting
from ui.platform import session
from ui.settings import controls, starting, undo
from ui.settings.boxes import box
from ui.settings.locks import apply_lock

__all__ = ["data_and_settings", "in_a_lecture"]


def data_and_settings() -> tuple[Chosen | None, TrainConfig | None, float]:
    """Draw them; returns the dataset, the settings (None where one is not valid), and the share of test rows."""
    apply_lock()
    chosen = data.choose()
    in_sight = st.container()
    changes = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="changes")
    start = starting.choose()
    config, test_size = controls.settings(start, in_sight)
    undo.remember()
    with changes:  # above the boxes, but drawn after them, since it depends on their values
        starting.changes(start)
        undo.undo_button()
        starting.reset_button(start)
    return chosen, config, test_size


def in_a_lecture(pace: Callable[[], None] | None = None) -> None:
    """A box with what a lecturer needs: slow training, where the page has it, and presenter mode."""
    if pace is None and presenting():
        return
    slow = session.PACE.get() is not None or session.PACE.name in st.query_params
    with box("lecture", "In a lecture", "slow" if pace and slow else ""):
        if pace:
            pace()
        present_button()
