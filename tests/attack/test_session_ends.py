"""What a session held is freed after its tab is closed, and then nothing more is done."""

import asyncio
from types import SimpleNamespace

import pytest

from ui.platform.web import sessions, visitor_limits


class Runtime:
    """Streamlit's runtime with one session that uploaded a file and whose browser has gone."""

    def __init__(self):
        file = SimpleNamespace(data=b"a,b\n")
        self.uploaded_file_mgr = SimpleNamespace(file_storage={"session": {"file": file}})
        self.closed = []

    def exists(self):
        return True

    def get_instance(self):
        return self

    def is_active_session(self, name):
        return False

    def close_session(self, name):
        self.closed.append(name)
        self.uploaded_file_mgr.file_storage.pop(name, None)


@pytest.fixture
def runtime(monkeypatch):
    runtime = Runtime()
    for module in (sessions, visitor_limits):
        monkeypatch.setattr(module, "runtime", runtime)
    monkeypatch.setattr(sessions, "_TICK", 0.01)
    monkeypatch.setattr(sessions, "GRACE", 0.02)
    monkeypatch.setattr(sessions, "_collect", lambda: None)
    monkeypatch.setitem(visitor_limits._addresses, ("session", "file"), "192.0.2.1")  # as until the next upload of anybody
    return runtime


def test_a_closed_tab_that_had_uploaded_a_file_is_closed_once(runtime):
    asyncio.run(asyncio.wait_for(sessions._close_abandoned(), 60))
    assert runtime.closed == ["session"]
