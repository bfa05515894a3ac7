"""The table of runs: lists, names, pins, who may change what."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsk_core
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError, RunError
from tsk_core.runs import RunStore
from tsk_core.runs.ledger import Ledger

ROOT = str(Path(tsk_core.__file__).parents[1])


@pytest.fixture
def run(store, small):
    return store.create(TrainConfig(n_rules=7, random_state=3), small, owner="ada")


def test_a_row_tells_what_lists_show(store, run, small):
    record = store.record(run)
    assert (record.rows, record.target, record.sha256) == (120, "kind", small.sha256)
    assert record.settings["n_rules"] == 7 and record.settings["random_state"] == 3
    assert (record.name, record.pinned, record.data_kept, record.removed, record.ended) == ("", False, False, "", False)
    assert record.size > 0


def test_a_page_of_a_list_is_found_by_an_index_and_not_by_sorting(store, run):
    with sqlite3.connect(store.folder / "runs.sqlite") as table:
        for where in ("WHERE owner = 'ada' AND removed = ''", "WHERE removed = ''", ""):
            query = f"EXPLAIN QUERY PLAN SELECT * FROM runs {where} ORDER BY created DESC, rowid DESC LIMIT 50"
            plan = " ".join(row[3] for row in table.execute(query))
            assert "USING INDEX" in plan and "TEMP B-TREE" not in plan
        totals = "EXPLAIN QUERY PLAN SELECT SUM(size), COUNT(*), SUM(size * (pinned != 0)) FROM runs WHERE removed = ''"
        assert "COVERING INDEX" in table.execute(totals).fetchone()[3]
    table.close()


def test_a_name_is_kept_as_text_without_what_cannot_be_seen_and_bounded(store, run):
    same = ("x" * 80, "λ = 10 – größer", "=cmd()|'<img>", "")
    for text, kept in {**dict(zip(same, same, strict=True)), "a\x00b\u202ec": "a b c", "  more\trules \n": "more rules"}.items():
        store.ledger.rename(run, text, "ada")
        assert store.record(run).name == kept
    with pytest.raises(RunError, match="at most 80 characters; this one has 81"):
        store.ledger.rename(run, "x" * 81, "ada")
    assert store.record(run).name == "more rules"


def test_a_run_is_pinned_and_unpinned(store, run):
    store.housekeeping.pin(run, True, "ada")
    assert store.record(run).pinned is True
    assert [record.id for record in store.ledger.records("ada", pinned=True)] == [run] and not store.ledger.records(
        "bob", pinned=True
    )
    store.housekeeping.pin(run, False, "ada")
    assert store.record(run).pinned is False
    assert not store.ledger.records("ada", pinned=True) and store.ledger.records("ada")


@pytest.mark.parametrize("change", ["rename", "pin", "remove"])
@pytest.mark.parametrize("who", ["bob", "", "ADA", "ada' OR '1'='1"])
def test_only_its_owner_changes_a_run(store, run, change, who):
    store.housekeeping.end(run, "stopped")
    before = store.record(run)
    arguments = {"rename": ("mine",), "pin": (True,), "remove": ()}[change]
    with pytest.raises(RunError, match="Only the person who started this run"):
        getattr(store.ledger if change == "rename" else store.housekeeping, change)(run, *arguments, owner=who)
    assert store.record(run) == before


def test_a_table_of_a_newer_version_is_refused_and_a_folder_that_cannot_be_made_is_named_without_its_path(tmp_path):
    with sqlite3.connect(tmp_path / "runs.sqlite") as table:
        table.execute("PRAGMA user_version = 99")
    table.close()
    with pytest.raises(RunError, match="^runs.sqlite was written by a newer version"):
        RunStore(tmp_path)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RunError, match="^The folder of runs 'runs' cannot be used") as refused:
        RunStore(tmp_path / "file" / "runs")
    assert str(tmp_path) not in str(refused.value)


@pytest.mark.parametrize("content", [b"not a table at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_table_that_is_none_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "runs.sqlite").write_bytes(content)
    with pytest.raises(RunError, match="cannot be used"):
        RunStore(tmp_path)


def test_many_processes_may_open_a_new_folder_at_once(tmp_path):
    code = "import sys; from tsk_core.runs import RunStore; RunStore(sys.argv[1]).ledger.add(sys.argv[2], 'ada', 'blobs')"
    command = [sys.executable, "-c", code, str(tmp_path)]
    processes = [subprocess.Popen([*command, f"{n}"], cwd=ROOT, stderr=subprocess.PIPE) for n in range(4)]
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    assert {record.id for record in RunStore(tmp_path).ledger.records()} == {"0", "1", "2", "3"}


def test_many_threads_may_change_runs_at_once(store, small):
    def whole_life(number):
        run = store.create(TrainConfig(), small, owner=f"owner {number % 5}")
        store.ledger.start(run)
        store.ledger.rename(run, f"run {number}", f"owner {number % 5}")
        return store.housekeeping.end(run, "finished", rca=number / 100), store.housekeeping.end(run, "failed")

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(whole_life, range(50))) == [(True, False)] * 50
    assert store.ledger.count("owner 3") == 10
    assert {record.name: record.rca for record in store.ledger.records()} == {f"run {n}": n / 100 for n in range(50)}


def test_a_full_disk_is_said(store, run, monkeypatch):
    with sqlite3.connect(store.folder / "runs.sqlite") as table:
        pages = table.execute("PRAGMA page_count").fetchone()[0]
    table.close()
    connect = sqlite3.connect

    def small_disk(*args, **options):
        table = connect(*args, **options)
        table.execute(f"PRAGMA max_page_count = {pages}")
        return table

    monkeypatch.setattr("tsk_core.runs.ledger.sqlite3.connect", small_disk)
    with pytest.raises(DiskFullError, match="The disk of this server is full"):
        for number in range(1000):
            store.ledger.add(f"{number:032}", "ada", "x" * 1000)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.sampled_from([None, "a", "b"]), st.integers(-1, 5), st.integers(0, 6))
def test_any_page_is_a_slice_of_the_whole_list(tmp_path_factory, owners, owner, limit, offset):
    ledger = Ledger(tmp_path_factory.mktemp("ledger"))
    for number, of in enumerate(owners):
        ledger.add(f"run {number}", of, "blobs")
    newest_first = [f"run {number}" for number, of in enumerate(owners) if owner in (None, of)][::-1]
    page = newest_first[offset:][: None if limit < 0 else limit]
    assert [record.id for record in ledger.records(owner, limit, offset)] == page
    assert ledger.count(owner) == len(newest_first)
