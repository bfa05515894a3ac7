"""A run that was asked to stop registers one more widget while the next one goes through them."""

from streamlit.runtime.state.session_state import WStates

from ui.platform.web.overlapping_runs import let_runs_overlap


def test_a_widget_registered_meanwhile_ends_no_run():
    let_runs_overlap()
    let_runs_overlap()  # again, as where a test imports the app twice
    states = WStates()
    states.set_from_value("rules", 8)
    for _ in states:
        states.set_from_value("registered by the run before", True)
    assert set(states) == {"rules", "registered by the run before"}
    assert dict(states.items()) == {"rules": 8, "registered by the run before": True}
