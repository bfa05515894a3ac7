"""What is computed of a run once for all sessions that look at it, however many there are."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests.pages.helpers import ended_run
from tests.tables import pets
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset, read_csv
from tsk_core.errors import LimitError
from tsk_core.explain import Summariser
from tsk_core.runs import RunStore
from tsk_core.runs.paired import RunRows
from ui.live.run_subjects import ListsSubject, final_rules, recorded_rules
from ui.runs import run_view
from ui.runs.run_view import RunView
from ui.runs.side_tasks import dataset_of

SESSIONS = 30


@pytest.fixture
def run(engine):
    """A run of a bundled dataset that has ended."""
    return ended_run(engine, load_dataset("iris"), max_epochs=6)


def opened(run, chosen=None):
    """The run as another session has it. chosen: the dataset that this session uploaded."""
    return RunView(run.id, run.config, run.data, 0.3, run.status, history=run.history, result=run.result, chosen=chosen)


def all_recorded(session):
    """The rules at all recorded epochs, as those get them who have the session's table."""
    texts, since, rows = [], 0, session.rows()
    while rows is not None:
        found, read = recorded_rules(session, rows, since, 4)
        if read == since:
            return texts
        texts, since = texts + found, read
    return texts


def counted(monkeypatch, owner, name):
    """A list that grows with each call of this method."""
    calls, method = [], getattr(owner, name)

    def call(self, *args):
        calls.append(args)
        return method(self, *args)

    monkeypatch.setattr(owner, name, call)
    return calls


def test_thirty_viewers_of_a_run_cost_one_and_its_final_rules_are_read_once_for_each_length(engine, run, monkeypatch):
    summarised, tables = counted(monkeypatch, Summariser, "summarise"), counted(monkeypatch, RunRows, "__init__")
    sessions = [opened(run) for _ in range(SESSIONS)]
    with ThreadPoolExecutor(SESSIONS) as threads:
        texts = list(threads.map(all_recorded, sessions))
    epochs = [snapshot["epoch"] for snapshot in engine.records(run.id, "snapshots")]
    assert len(summarised) == len(epochs) > 1
    assert len(tables) == 1
    assert all(found == texts[0] for found in texts) and [text["epoch"] for text in texts[0]] == epochs
    sessions, read = [opened(run) for _ in range(SESSIONS)], counted(monkeypatch, type(run.result), "rules")
    texts = [final_rules(session, 4) for session in sessions]
    assert len(read) == 1 and all(text == texts[0] for text in texts)


def test_nothing_is_kept_of_a_run_that_nobody_looks_at_and_a_restarted_one_shares_nothing_with_its_lost_attempt(run):
    session = opened(run)
    all_recorded(session)
    kept = weakref.ref(session.shared)
    session.release()
    gc.collect()
    assert kept() is None
    assert run_view.shared_run("run", 1.0) is not run_view.shared_run("run", 2.0)
    one = run_view.shared_run("run", 1.0)
    assert run_view.shared_run("run", 1.0) is one


def test_a_session_without_the_table_gets_neither_its_rows_nor_rules_summarised_on_them(engine):
    dataset = read_csv(pets(), target="species")
    run = ended_run(engine, dataset, max_epochs=3)
    assert engine.store.dataset(run.id) is None  # an upload is not kept
    owner, guest = opened(run, dataset), opened(run)
    assert all_recorded(owner) and owner.rows() is not None
    assert all_recorded(guest) == [] and guest.rows() is None
    of_owner, of_guest = (ListsSubject(run.id, ["ruleBases"], 4, rows, False, False) for rows in (True, False))
    for subject in (of_owner, of_guest):
        while subject.look() == 0:
            pass
    sent = [[base["end"] for part in one.stream.parts() for base in part["payload"]["list"]] for one in (of_owner, of_guest)]
    assert sent == [[True] + [False] * 3, [True]]


@pytest.fixture
def kept_run(engine):
    """A run that ended, with whose model the server keeps the table."""
    dataset = read_csv(pets(), target="species")
    run = engine.submit(TrainConfig(n_rules=3, max_epochs=2, random_state=0), dataset, keep_data=True)
    for _ in engine.follow(run):
        pass
    return RunView.load(run)


def test_a_table_kept_with_a_run_is_read_once_for_all_sessions_and_freed_with_the_last(kept_run, monkeypatch):
    reads = counted(monkeypatch, RunStore, "dataset")
    sessions = [RunView.load(kept_run.id) for _ in range(3)]
    for one in sessions:
        one.history = kept_run.history  # of the same attempt
    assert all(one.dataset is sessions[0].dataset for one in sessions) and sessions[0].rows() is not None
    assert dataset_of(sessions[1]) is sessions[0].dataset and len(reads) == 1
    frame = weakref.ref(sessions[0].dataset.frame)
    for one in sessions:
        one.release()
    gc.collect()
    assert frame() is None


def test_tables_of_runs_count_among_those_in_memory(monkeypatch):
    large = SimpleNamespace(frame=pd.DataFrame({"a": np.zeros(200_000)}))  # 1.6 MB
    monkeypatch.setenv("TSK_MAX_TABLES_MB", "1")
    with pytest.raises(LimitError, match="This table takes 2 MB of memory"):
        run_view.SharedRun().dataset(lambda: large)
    monkeypatch.delenv("TSK_MAX_TABLES_MB")
    assert run_view.SharedRun().dataset(lambda: large) is large


def test_a_run_whose_table_nobody_kept_is_not_searched_for_it_again(engine, monkeypatch):
    run = ended_run(engine, read_csv(pets(), target="species"), max_epochs=2)
    searches = counted(monkeypatch, RunStore, "dataset")
    assert run.dataset is None and run.dataset is None and len(searches) == 1
