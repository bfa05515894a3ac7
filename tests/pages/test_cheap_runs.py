"""What Streamlit would compute anew in each run is the same where it is computed once, or looked up."""

import json

import pytest
from streamlit.components.v2.bidi_component import main as bidi_component
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest

from tests.pages.helpers import STREAMLITS_OWN
from ui.platform.web.cheap_runs import make_runs_cheap

MOVED = {"event": "moved", "value": 3}
THEMES = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


@pytest.fixture
def _unchanged(monkeypatch):
    """Streamlit's own functions in the test, until it changes them."""
    for own in STREAMLITS_OWN:
        monkeypatch.setattr(*own)


def begin():
    """The parts of the message that begins a run."""
    message = app_session.ForwardMsg().new_session
    app_session._populate_config_msg(message.config)
    theme = message.custom_theme
    places = (theme, theme.light, theme.dark, theme.sidebar, theme.light.sidebar, theme.dark.sidebar)
    for section, place in zip(THEMES, places, strict=True):
        app_session._populate_theme_msg(place, section)
    return message


@pytest.mark.usefixtures("_unchanged")
def test_each_run_begins_with_the_same_theme_and_options():
    slow = begin()
    make_runs_cheap()
    assert [begin() for _ in range(3)] == [slow] * 3
    assert slow.custom_theme.light.primary_color != slow.custom_theme.dark.primary_color  # it is this app's, not an empty one


@pytest.mark.usefixtures("_unchanged")
def test_values_that_are_looked_up_are_those_of_the_whole_dict():
    state = SafeSessionState(SessionState(), lambda: None)
    state["chosen"], state["nothing"] = 5, None
    slow = state.filtered_state
    make_runs_cheap()
    cheap = state.filtered_state
    assert dict(cheap) == slow == {"chosen": 5, "nothing": None}
    assert (len(cheap), "chosen" in cheap, "other" in cheap, cheap["nothing"]) == (2, True, False, None)
    with pytest.raises(KeyError):
        cheap["other"]


def with_events(*events):
    """A session whose component ``of`` reported these events since the last run."""
    state = SessionState()
    state._new_widget_state.set_widget_metadata(WidgetMetadata("of", json.loads, json.dumps, "json_trigger_value"))
    if events:
        state._new_widget_state.set_from_value("of", events[0] if len(events) == 1 else list(events))
    return state


@pytest.mark.usefixtures("_unchanged")
@pytest.mark.parametrize("kept", [{}, {"tab": "Rules"}, {"moved": "kept"}, None, "text"])
@pytest.mark.parametrize("events", [(), (MOVED,), (MOVED, {"event": "gone"}, "?")])
def test_a_component_shows_what_it_keeps_and_what_it_reported(kept, events):
    session = with_events(*events)
    slow = bidi_component.make_bidi_component_presenter("of")(kept, session)
    make_runs_cheap()
    cheap = bidi_component.make_bidi_component_presenter("of", "component", {"tab"})
    assert cheap(kept, session) == slow
    assert cheap(kept, SessionState()) == kept  # one that was never drawn


def boxes():
    import streamlit as st  # noqa: PLC0415 (AppTest runs the body of this function as a script)

    st.session_state.setdefault("emptied", None)
    st.number_input("Emptied", 0, 10, 5, key="emptied")
    st.number_input("Given", 0, 10, 5, key="given")
    st.selectbox("List", ["a", "b"], index=1, key="list")
    st.text_input("Without a key", "x")
    st.write(sorted(st.session_state))


@pytest.mark.usefixtures("_unchanged")
def test_a_page_draws_the_same_and_keeps_what_was_chosen():
    slow = AppTest.from_function(boxes).run()
    make_runs_cheap()
    make_runs_cheap()  # again, as where a test imports the app twice
    page = AppTest.from_function(boxes).run()
    assert [one.value for one in page.number_input] == [one.value for one in slow.number_input] == [None, 5]
    page.number_input[1].set_value(7).run()
    assert [page.number_input[1].value, page.selectbox[0].value] == [7, "b"]
    assert page.json[0].value == slow.json[0].value  # without the box that has no key
