"""Fragments of a page, as a session of Streamlit runs them: each in its turn, and the whole page where something else changed."""

import asyncio
import threading
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from ui.platform import turns

SCRIPT = """
import streamlit as st
from ui.platform.drawing import fragment, note_page, run_page_if_changed

with_page = []

def controls():
    if not with_page:  # drawn alone
        run_page_if_changed(but=["rules"])
    with_page.clear()
    st.number_input("Rules", 1, 60, key="rules")
    st.write(f"rules {st.session_state.rules}")

def beside():
    run_page_if_changed()
    st.write(f"beside {st.session_state.rules}")

with_page.append(True)
fragment(controls)()
st.number_input("Epochs", 1, 60, key="epochs")
note_page(["rules", "epochs"])
fragment(beside)()
"""


class Tab:
    """A session of the script, and the messages that its browser got."""

    def __init__(self, script):
        self.session = AppSession(
            ScriptData(str(script), is_hello=False), MemoryUploadedFileManager("/u"), ScriptCache(), None, {}
        )
        self.messages, self.values = [], {"rules": 1, "epochs": 1}

    def ask(self, fragment="", **values):
        """Ask for a run: of the page, or of the fragment in which there is ``fragment``, with these values of widgets."""
        self.values |= values
        state = ClientState(fragment_id=self.fragment_of(fragment) if fragment else "")
        for name, value in self.values.items() if self.deltas else ():  # a browser sends those of all widgets that it has
            state.widget_states.widgets.add(id=self.widget(name).id, double_value=value)
        self.session.request_rerun(state)

    def receive(self):
        self.messages += self.session.flush_browser_queue()

    async def close(self):
        """The loop that Streamlit gives to scripts is closed once the last of them has said that it ended."""
        self.session.shutdown()
        await self.until(self.session._script_event_loop.is_closed)

    async def until(self, condition):
        async with asyncio.timeout(120):
            while not condition():
                await asyncio.sleep(0.01)
                self.receive()

    async def ended(self, runs):
        """Wait until so many runs have ended in all."""
        await self.until(lambda: len(self.of_type("script_finished")) >= runs)

    def of_type(self, name):
        return [getattr(message, name) for message in self.messages if message.WhichOneof("type") == name]

    @property
    def deltas(self):
        return [delta for delta in self.of_type("delta") if delta.WhichOneof("type") == "new_element"]

    def widget(self, key):
        found = [delta.new_element.number_input for delta in self.deltas if delta.new_element.HasField("number_input")]
        return next(one for one in found if one.id.endswith(key))

    def fragment_of(self, text):
        def has(element):
            return text in (element.number_input.label if element.HasField("number_input") else element.markdown.body)

        return next(delta.fragment_id for delta in self.deltas if has(delta.new_element))

    @property
    def said(self):
        return [delta.new_element.markdown.body for delta in self.deltas if delta.new_element.HasField("markdown")]

    @property
    def whole_runs(self):
        began = [message for message in self.messages if message.WhichOneof("type") == "new_session"]
        return sum(not message.metadata.run.fragment_ids for message in began)


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    monkeypatch.setattr(turns, "_lock", turns._FairLock())
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, "utf-8")
    return path


async def opened(script):
    tab = Tab(script)
    tab.ask()
    await tab.ended(1)
    return tab


@pytest.fixture
def busy():
    """Holds the turn until it is set, as another visitor's page that is drawn."""
    held, free = threading.Event(), threading.Event()

    def draw():
        with turns.page_lock("somebody else"):
            held.set()
            free.wait(120)

    def begin():
        threading.Thread(target=draw).start()
        assert held.wait(60)
        return free

    yield begin
    free.set()


def test_a_fragment_waits_for_its_turn(script, busy):
    async def visit():
        tab = await opened(script)
        free = busy()
        tab.ask("beside")
        await tab.until(lambda: len(tab.of_type("new_session")) == 2)
        await asyncio.sleep(0.2)
        tab.receive()
        assert tab.said == ["rules 1", "beside 1"]  # with the page
        free.set()
        await tab.ended(2)
        assert tab.whole_runs == 1 and tab.said[-1] == "beside 1"
        await tab.close()

    asyncio.run(visit())


def test_a_fragment_draws_the_changes_that_are_its_own_without_the_page(script):
    async def visit():
        tab = await opened(script)
        tab.ask("Rules", rules=7)
        await tab.ended(2)
        assert tab.whole_runs == 1 and tab.said[-1] == "rules 7"
        await tab.close()

    asyncio.run(visit())


@pytest.mark.parametrize(("of", "name"), [("Rules", "epochs"), ("beside", "rules"), ("beside", "epochs")])
def test_a_change_that_comes_with_a_fragment_which_does_not_draw_it_runs_the_page(script, of, name):
    """As of a setting outside of it, which the browser sends together with the press in the fragment."""

    async def visit():
        tab = await opened(script)
        tab.ask(of, **{name: 7})
        await tab.until(lambda: tab.whole_runs == 2)
        await tab.ended(3)
        assert tab.said[-2:] == [f"rules {tab.values['rules']}", f"beside {tab.values['rules']}"]
        await tab.close()

    asyncio.run(visit())
