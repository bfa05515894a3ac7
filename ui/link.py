"""The button that copies a link to the page as it is."""

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from ui.controls import full_link

__all__ = ["link_button"]

_copy = st.components.v2.component(
    "tsk_copy_text",
    js="""
export default function ({ data }) {
  if (navigator.clipboard) navigator.clipboard.writeText(data).catch(() => {});
}
""",
)


def link_button(config: TrainConfig | None, test_size: float, dataset: Dataset | None) -> None:
    """A press copies the full link where the browser allows it, and shows it in any case."""
    pressed = st.button(
        "Copy full link", disabled=dataset is None or config is None,
        help="Every value is written out. Data never travels in a link, only its name and its SHA-256.",
    )  # fmt: skip
    if pressed:
        name = st.session_state.data
        link = full_link(config, test_size, name, dataset.target, dataset.sha256)
        _copy(data=link, key="copied")
        st.code(link, language=None, wrap_lines=True)
