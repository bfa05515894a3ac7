"""The pace of a training: a control of the page and a key of its link. It changes no number, so it is no setting of the run."""

from collections.abc import Callable

import streamlit as st

from tsk_core import limits
from ui.platform import session

KEY, RANGE = session.PACE.name, (1, 50)


def pace_control(epochs: int | None, on_change: Callable[[], None]) -> None:
    """Draw the control. epochs: of the run that Train would start."""
    st.number_input(
        "Slow training", *RANGE, None, 1, key=KEY, bind="query-params", placeholder="full speed", on_change=on_change,
        help="Epochs per second, to leave time to watch, pause and step. Leave empty for full speed. It does not affect the"
        " results and can be changed during training.",
    )  # fmt: skip
    pace = chosen()
    if pace is not None and epochs is not None and allowed(pace, epochs) > pace:
        limit = limits.value("slow_seconds")
        st.caption(
            f"{epochs:,} epochs at {pace} a second would take {epochs / pace:,.0f} seconds. This server allows {limit} seconds"
            f" for a slow run, so it trains {allowed(pace, epochs):.3g} epochs a second."
        )


def chosen() -> int | None:
    """Epochs a second as chosen on the page; None for full speed."""
    return session.PACE.get()


def allowed(pace: float | None, epochs: int) -> float | None:
    """The pace at which a run of so many epochs is through within the limit ``slow_seconds``, or a faster one if it is chosen."""
    return None if pace is None else max(pace, epochs / limits.value("slow_seconds"))
