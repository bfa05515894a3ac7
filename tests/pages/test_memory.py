"""Tables of pages: kept per session, bounded per address and in all, dropped where nobody looks, freed where nobody has them."""

import numpy as np
import pandas as pd
import pytest
from streamlit import runtime

from tsk_core.errors import LimitError
from ui.platform import memory, session


@pytest.fixture
def visitors(monkeypatch):
    """Makes what stands for the script of a session: ``visitors("s", "10.0.0.1")`` turns to it; ``.gone`` lists closed tabs."""
    state, now, gone = {}, {}, set()

    class Runtime:
        def is_active_session(self, session):
            return session not in gone

    def turn(session, address="10.0.0.1"):
        now.update(session=session, address=address, state=state.setdefault(session, {}))

    class Page:
        @property
        def session_state(self):
            return now["state"]

    monkeypatch.setattr(session, "st", Page())
    monkeypatch.setattr(session, "values_of", lambda names: {name: now["state"][name] for name in names if name in now["state"]})
    monkeypatch.setattr(memory, "address", lambda: now["address"])
    monkeypatch.setattr(memory, "get_script_run_ctx", lambda **_: type("Context", (), {"session_id": now["session"]}))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", Runtime)
    monkeypatch.setenv("TSK_MAX_TABLES_MB_PER_ADDRESS", "5")
    monkeypatch.setenv("TSK_MAX_TABLES_MB", "8")
    monkeypatch.setattr(memory, "_tables", [])  # without those of other tests
    turn.gone, turn.state = gone, state
    return turn


def table(megabytes=2):
    return pd.DataFrame({"a": np.zeros(megabytes * 125_000)})


def keep(name="upload", frame=None):
    frame = table() if frame is None else frame
    memory.keep(name, "key", frame, frame)


def test_an_address_has_its_share_and_so_have_all(visitors):
    for number in range(2):
        visitors(f"a{number}")
        keep()
    visitors("a2")
    with pytest.raises(LimitError, match="of your network address have 4 of 5 MB already"):
        keep()
    for number in range(2):
        visitors(f"b{number}", "10.0.0.2")
        keep()
    visitors("c", "10.0.0.3")
    with pytest.raises(LimitError, match="of all visitors have 8 of 8 MB already"):
        keep()
    assert memory.kept("upload") == (None, None)


def test_another_table_takes_the_place_of_the_one_before(visitors):
    visitors("a")
    for _ in range(5):
        keep()
    assert memory.kept("upload")[0] == "key"
    memory.forget("upload")
    assert memory.kept("upload") == (None, None)


def test_tables_that_nobody_looks_at_go_first(visitors):
    for name in ("gone", "there"):
        visitors(name)
        keep()
    visitors.gone.add("gone")
    visitors("new")
    keep()
    visitors("gone")
    assert memory.kept("upload") == (None, None)
    visitors("there")
    assert memory.kept("upload")[0] == "key"


def test_a_table_counts_as_long_as_a_run_has_it_or_its_session_is_open(visitors):
    queued = table(4)
    visitors("a")
    keep(frame=queued)
    memory.forget("upload")
    with pytest.raises(LimitError):
        keep()
    del queued
    keep()
    memory.forget("upload")
    keep(frame=table(4))
    assert "a" in memory.sessions() or memory.kept("upload")
    memory.closed("a")
    assert "a" not in memory.sessions()
    visitors("b")
    keep(frame=table(4))


def test_numbers_that_two_tables_share_count_once():
    raw = pd.DataFrame({"a": np.zeros(125_000), "b": ["text"] * 125_000})
    cleaned = pd.DataFrame({"a": raw["a"], "c": np.ones(125_000)}, copy=False)
    assert memory.size(raw) > 1
    assert memory.size(cleaned) == pytest.approx(2)
    assert memory.size(cleaned, raw) == pytest.approx(1)
