"""A busy event loop: what a run of the page drew reaches the browser, also where a fragment's tick comes before its messages."""

import asyncio
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime

from tests.pages.test_fragments import Tab
from tests.waiting import wait_until
from ui.platform.web.runs_in_order import keep_runs_in_order

SCRIPT = """
import streamlit as st
st.write("drawn by the page")
st.fragment(lambda: st.write("drawn by the fragment"), run_every=60)()
"""


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    keep_runs_in_order()
    keep_runs_in_order()  # again, as where a test imports the app twice
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
