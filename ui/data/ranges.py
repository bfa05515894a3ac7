"""The ranges that a numeric target is grouped into, each of which is a class."""

from typing import Any

import streamlit as st

from ui.data.decisions import decide
from ui.platform import session

DEFAULT_RANGES = 3


def ranges_box(key: str, **options: Any) -> None:
    """The box with their number. options: of ``st.number_input``."""
    st.number_input(
        "Number of ranges, about equally many rows in each",
        2,
        20,
        DEFAULT_RANGES,
        key=session.RANGES(key).name,
        width=360,
        **options,
    )


def group_into_ranges(key: str) -> None:
    """Group the target into as many as the box says; a callback."""
    decide("bins", key, int(session.RANGES(key).get() or DEFAULT_RANGES))
