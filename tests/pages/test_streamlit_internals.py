"""What stands in the place of Streamlit's own functions: pages draw the same, and quick presses and ticks lose nothing."""

import asyncio
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.session_state import WStates
from streamlit.testing.v1 import AppTest

from tests.pages.helpers import STREAMLITS_OWN
from tests.pages.test_fragments import Tab
from tests.waiting import wait_until
from ui.platform.streamlit_internals import REPLACED, app_session, replace


@pytest.fixture
def _unchanged(monkeypatch):
    """Streamlit's own functions in the test, until it changes them."""
    for own in STREAMLITS_OWN:
        monkeypatch.setattr(*own)
    monkeypatch.setattr(app_session, "DeferredFileHandler", app_session.DeferredFileHandler)


def change():
    replace(app_session.DeferredFileHandler)
    replace(app_session.DeferredFileHandler)  # again, as where a test imports the app twice


def test_no_more_than_five_of_its_functions_are_replaced():
    assert len(REPLACED) + 1 <= 5


# The theme.

THEMES = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


def begin():
    """The theme in the message that begins a run."""
    theme = app_session.ForwardMsg().new_session.custom_theme
    places = (theme, theme.light, theme.dark, theme.sidebar, theme.light.sidebar, theme.dark.sidebar)
    for section, place in zip(THEMES, places, strict=True):
        app_session._populate_theme_msg(place, section)
    return theme


@pytest.mark.usefixtures("_unchanged")
def test_each_run_begins_with_the_same_theme():
    slow = begin()
    change()
    assert [begin() for _ in range(3)] == [slow] * 3
    assert slow.light.primary_color != slow.dark.primary_color  # it is this app's, not an empty one


# Values that are looked up one by one.


@pytest.mark.usefixtures("_unchanged")
def test_values_that_are_looked_up_are_those_of_the_whole_dict():
    state = SafeSessionState(SessionState(), lambda: None)
    state["chosen"], state["nothing"] = 5, None
    slow = state.filtered_state
    change()
    cheap = state.filtered_state
    assert dict(cheap) == slow == {"chosen": 5, "nothing": None}
    assert (len(cheap), "chosen" in cheap, "other" in cheap, cheap["nothing"]) == (2, True, False, None)
    with pytest.raises(KeyError):
        cheap["other"]


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
    change()
    page = AppTest.from_function(boxes).run()
    assert [one.value for one in page.number_input] == [one.value for one in slow.number_input] == [None, 5]
    page.number_input[1].set_value(7).run()
    assert [page.number_input[1].value, page.selectbox[0].value] == [7, "b"]
    assert page.json[0].value == slow.json[0].value  # without the box that has no key


# A run that was asked to stop registers one more widget while the next one goes through them.


@pytest.mark.usefixtures("_unchanged")
def test_a_widget_registered_meanwhile_ends_no_run():
    change()
    states = WStates()
    states.set_from_value("rules", 8)
    for names in (states, states.keys(), states.states.items()):
        for _ in names:
            states.set_from_value(f"registered by the run before, {len(states)}", True)
    names = set(states)
    assert len(states) == len(names) == 5 and names == set(states.keys()) == set(dict(states.items()))
    other = WStates()
    other.update(states)
    states.remove_stale_widgets(frozenset(), None)
    assert not states and set(other) == names


# A busy event loop: what a run of the page drew reaches the browser, also where a fragment's tick comes before its messages.

SCRIPT = """
import streamlit as st
st.write("drawn by the page")
st.fragment(lambda: st.write("drawn by the fragment"), run_every=60)()
"""


@pytest.fixture
def script(tmp_path, monkeypatch, _unchanged):
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    change()
    path = tmp_path / "page.py"
    path.write_text(SCRIPT)
    return path


def overtaken(script):
    """A session whose page has run and whose tick is there before the event loop was free for the messages; the page's runner."""
    tab = Tab(script)
    tab.session.request_rerun(ClientState())
    runner = tab.session._scriptrunner
    wait_until(lambda: not runner._script_thread.is_alive())  # the event loop is not free meanwhile
    (fragment,) = tab.session._fragment_storage._fragments
    tab.session.request_rerun(ClientState(fragment_id=fragment, is_auto_rerun=True))
    return tab, runner


def test_a_tick_that_overtakes_the_messages_of_a_page_does_not_discard_them(script):
    async def served():
        tab, _ = overtaken(script)
        await tab.ended(2)
        await tab.close()
        return tab

    tab = asyncio.run(served())
    drawn = "".join(map(str, tab.messages))
    assert "drawn by the page" in drawn and "drawn by the fragment" in drawn
    assert [wish.interval for wish in tab.of_type("auto_rerun")][:1] == [60]


def test_a_session_that_ended_meanwhile_starts_nothing(script):
    async def ended():
        tab, runner = overtaken(script)
        tab.session.shutdown()
        await asyncio.sleep(0)  # the one turn after which the tick is handled
        started_none = tab.session._scriptrunner in (runner, None)
        await tab.close()
        return started_none

    assert asyncio.run(ended())
