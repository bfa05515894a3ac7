"""A press is kept until the page carries it out."""

import pytest
from streamlit.testing.v1 import AppTest


def press(*actions):
    import streamlit as st

    from ui.runs.current_run import REQUESTED, request

    for action in actions:
        request(action)
    st.text(REQUESTED.get().action)


@pytest.mark.parametrize(
    ("actions", "carried_out"),
    [
        (("stop", "pause"), "stop"),
        (("stop", "toggle", "step"), "stop"),
        (("pause", "stop"), "stop"),
        (("pause", "resume"), "resume"),
    ],
)
def test_a_press_right_after_stop_does_not_undo_it(actions, carried_out):
    assert AppTest.from_function(press, args=actions).run().text[0].value == carried_out
