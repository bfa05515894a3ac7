"""What of the sidebar a comparison or sweep does not use, said in the sidebar."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui.platform import session


def unused_settings(config: TrainConfig | None) -> None:
    """A caption for each setting of this browser that has no effect here; see ``experiments.variants.comparable``."""
    if config is not None and config.early_stopping:
        st.caption("Early stopping has no effect here: all trainings take equally many epochs.")
    if session.RULE_BASE.get() is not None:
        st.caption("The uploaded rule base is not used here; trainings start as the variants say.")
