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

from ui.platform import drawing, turns

SCRIPT = """
import streamlit as st
from ui.platform.drawing import fragment, handles, note_page, run_page_if_changed, tick_every

def controls():
    handles(["rules"])
    st.number_input("Rules", 1, 60, key="rules")

def ticking():
    run_page_if_changed()
    if st.session_state.epochs == 9:
        tick_every(7)
    st.write(f"ticking {st.session_state.rules}")

fragment(controls)()
st.number_input("Epochs", 1, 60, key="epochs")
note_page(["rules", "epochs"])
fragment(ticking, run_every=2)()
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
    def ticks(self):
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


def test_a_fragment_waits_for_its_turn_and_leaves_a_change_to_the_fragment_of_the_same_run_that_draws_it(script, busy):
    async def visit():
        tab = await opened(script)
        free = busy()
        tab.ask("ticking")
        await tab.until(lambda: len(tab.of_type("new_session")) == 2)
        await asyncio.sleep(0.2)
        tab.receive()
        assert len(tab.ticks) == 1  # with the page
        tab.ask("ticking")  # both wait together
        tab.ask("Rules", rules=7)
        free.set()
        await tab.ended(3)
        assert tab.whole_runs == 1 and tab.ticks[-1] == "ticking 7"
        await tab.close()

    asyncio.run(visit())


def test_ticks_come_less_often_where_many_wait_for_their_turn(script, monkeypatch):
    async def visit():
        tab = await opened(script)
        for runs, people in enumerate([0, 15, 40, 40, 300, 0, 0], 2):
            monkeypatch.setattr(drawing, "ahead", lambda visitor, place, people=people: people)
            tab.ask("ticking")
            await tab.ended(runs)
        assert [wish.interval for wish in tab.of_type("auto_rerun")] == [2, 4, 10, 2]
        await tab.close()

    asyncio.run(visit())


def test_a_fragment_sets_its_interval_anew_and_a_page_begins_with_that_of_its_fragment(script):
    async def visit():
        tab = await opened(script)
        tab.ask(epochs=9)
        await tab.ended(2)
        tab.ask("ticking")
        await tab.ended(3)
        assert [wish.interval for wish in tab.of_type("auto_rerun")] == [2, 2, 7]
        await tab.close()

    asyncio.run(visit())


@pytest.mark.parametrize("name", ["rules", "epochs"])
def test_a_change_that_no_fragment_of_the_run_draws_runs_the_page(script, name):
    async def visit():
        tab = await opened(script)
        tab.ask("ticking", **{name: 7})
        await tab.until(lambda: tab.whole_runs == 2)
        await tab.ended(3)
        await tab.close()

    asyncio.run(visit())
