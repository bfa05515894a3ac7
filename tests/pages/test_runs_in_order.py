"""A busy event loop: what a run of the page drew reaches the browser, also where a fragment's tick comes before its messages."""

import asyncio
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from tests.waiting import wait_until
from ui.platform.web.runs_in_order import keep_runs_in_order

SCRIPT = """
import streamlit as st
st.write("drawn by the page")
st.fragment(lambda: st.write("drawn by the fragment"), run_every=60)()
"""


def overtaken(script):
    """A session whose page has run and whose tick is there before the event loop was free for the messages; the page's runner."""
    session = AppSession(ScriptData(str(script), is_hello=False), MemoryUploadedFileManager("/upload"), ScriptCache(), None, {})
    session.request_rerun(ClientState())
    runner = session._scriptrunner
    wait_until(lambda: not runner._script_thread.is_alive())  # the event loop is not free meanwhile
    (fragment,) = session._fragment_storage._fragments
    session.request_rerun(ClientState(fragment_id=fragment, is_auto_rerun=True))
    return session, runner


async def served(script):
    """The messages that the browser gets."""
    session, _ = overtaken(script)
    messages = []
    async with asyncio.timeout(120):
        while sum(message.WhichOneof("type") == "script_finished" for message in messages) < 2:
            await asyncio.sleep(0.01)
            messages += session.flush_browser_queue()
    session.shutdown()
    await closed(session)
    return messages


async def ended(script):
    """Whether a session that ends before its event loop is free starts no other runner."""
    session, runner = overtaken(script)
    session.shutdown()
    await asyncio.sleep(0)  # the one turn after which the tick is handled
    started_none = session._scriptrunner in (runner, None)
    await closed(session)
    return started_none


async def closed(session):
    """The loop that Streamlit gives to scripts is closed once the last of them has said that it ended."""
    async with asyncio.timeout(120):
        while not session._script_event_loop.is_closed():
            await asyncio.sleep(0.01)


@pytest.fixture
def _runtime(monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", MagicMock())


@pytest.fixture
def script(tmp_path):
    keep_runs_in_order()
    keep_runs_in_order()  # again, as where a test imports the app twice
    path = tmp_path / "page.py"
    path.write_text(SCRIPT)
    return path


@pytest.mark.usefixtures("_runtime")
def test_a_tick_that_overtakes_the_messages_of_a_page_does_not_discard_them(script):
    messages = asyncio.run(served(script))
    drawn = "".join(map(str, messages))
    assert "drawn by the page" in drawn and "drawn by the fragment" in drawn
    assert [message.auto_rerun.interval for message in messages if message.HasField("auto_rerun")][:1] == [60]


@pytest.mark.usefixtures("_runtime")
def test_a_session_that_ended_meanwhile_starts_nothing(script):
    assert asyncio.run(ended(script))
