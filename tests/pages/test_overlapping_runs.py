"""A run that was asked to stop registers one more widget while the next one goes through them."""

from streamlit.runtime.state.session_state import WStates

from ui.platform.web.overlapping_runs import let_runs_overlap


def test_a_widget_registered_meanwhile_ends_no_run():
    let_runs_overlap()
    let_runs_overlap()  # again, as where a test imports the app twice
    states = WStates()
    states.set_from_value("rules", 8)
    for names in (states, states.keys()):
        for _ in names:
            states.set_from_value(f"registered by the run before, {len(states)}", True)
    assert len(states) == 3 and set(states) == set(states.keys()) == set(dict(states.items()))
