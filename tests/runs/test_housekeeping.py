"""Disk space, deletion, and what a kill leaves behind."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsk_core
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError, RunError
from tsk_core.runs import RunStore
from tsk_core.runs.files import size_of
from tsk_core.runs.housekeeping import DELETED, FREED, STALE_SECONDS
from tsk_core.runs.ledger import Ledger

ROOT = str(Path(tsk_core.__file__).parents[1])
MB = 10**6
TABLE = make_table()


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUNS_MB", "1")
    return RunStore(tmp_path / "runs")


@pytest.fixture
def pins_unbounded(monkeypatch):
    for limit in ("PINNED_PERCENT", "PINNED_PERCENT_PER_OWNER"):
        monkeypatch.setenv(f"TSK_MAX_{limit}", "1000")


def add(store, size=MB // 3, owner="ada", end="finished"):
    """A run that takes ``size`` bytes, ended unless ``end`` is ""."""
    run = store.create(TrainConfig(random_state=0), TABLE, owner=owner)
    (store.folder / run / "epochs.jsonl").write_bytes(b"x" * size)
    if end:
        store.housekeeping.end(run, end)
    return run


def left(store):
    return {record.id for record in store.ledger.records()}


def test_the_oldest_runs_go_first_until_the_rest_fits(store):
    runs = [add(store) for _ in range(5)]
    assert [record.id for record in store.housekeeping.free_disk_space(spare=0)] == runs[:3]
    assert left(store) == set(runs[3:])
    assert {path.name for path in store.folder.iterdir() if path.is_dir()} == set(runs[3:])
    assert store.housekeeping.disk_space().used <= store.housekeeping.disk_space().limit
    run = add(store)
    assert store.record(run).size == size_of(store.folder / run) >= MB // 3


def test_a_run_that_just_ended_stays_while_someone_may_look_at_it(store):
    run = add(store, size=2 * MB)
    assert store.housekeeping.free_disk_space() == []
    assert [record.id for record in store.housekeeping.free_disk_space(spare=0)] == [run]


def test_a_run_removed_to_make_room_says_so_and_keeps_its_scores(store):
    run = add(store, size=2 * MB)
    store.housekeeping.free_disk_space(spare=0)
    assert store.record(run).removed == FREED
    assert store.record(run).settings["random_state"] == 0
    assert [record.id for record in store.ledger.records(removed=True)] == [run] and store.ledger.records() == []
    for ask in (store.open, store.result, store.dataset, store.reproduction, store.archive):
        with pytest.raises(RunError, match="to free disk space"):
            ask(run)


@pytest.mark.usefixtures("pins_unbounded")
def test_pinned_runs_beyond_the_bound_are_said_and_kept(store):
    runs = [add(store) for _ in range(4)]
    assert store.housekeeping.disk_space().message == ""
    for run in runs:
        store.housekeeping.pin(run, True, "ada")
    assert store.housekeeping.free_disk_space(spare=0) == []
    assert (
        store.housekeeping.disk_space().runs == 4
        and store.housekeeping.disk_space().pinned == store.housekeeping.disk_space().used > store.housekeeping.disk_space().limit
    )
    assert "TSK_MAX_RUNS_MB" in store.housekeeping.disk_space().message and "unpin" in store.housekeeping.disk_space().message


def test_an_owner_removes_a_run_that_is_not_open_and_its_link_says_so(store):
    run = add(store)
    store.housekeeping.remove(run, "ada")
    assert not (store.folder / run).exists()
    assert store.record(run).removed == DELETED and store.housekeeping.disk_space().used == 0
    for ask in (
        lambda: store.result(run),
        lambda: store.ledger.rename(run, "again", "ada"),
        lambda: store.housekeeping.remove(run, "ada"),
    ):
        with pytest.raises(RunError, match="owner of this run deleted it"):
            ask()
    run = add(store, end="")
    with pytest.raises(RunError, match="still queued; stop it"):
        store.housekeeping.remove(run, "ada")
    assert (store.folder / run / "config.json").exists()


def test_rows_of_removed_runs_do_not_grow_for_ever(store, monkeypatch):
    monkeypatch.setattr("tsk_core.runs.housekeeping.MOST_REMOVED", 2)
    runs = [add(store) for _ in range(8)]
    store.housekeeping.free_disk_space(spare=0)
    assert {record.id for record in store.ledger.records(removed=True) if record.removed} == set(runs[4:6])
    deleted = add(store)
    store.housekeeping.remove(deleted, "ada")
    assert {record.id for record in store.ledger.records(removed=True) if record.removed} == {runs[5], deleted}


def test_several_processes_tidy_at_once_and_remove_no_run_too_many(store):
    runs = [add(store) for _ in range(12)]
    freed = "RunStore(sys.argv[1]).housekeeping.free_disk_space(spare=0)"
    code = f"import sys; from tsk_core.runs import RunStore; print(*[record.id for record in {freed}])"
    command = [sys.executable, "-c", code, str(store.folder)]
    with ThreadPoolExecutor(3) as pool:
        done = pool.map(lambda _: subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout, range(3))
        removed = " ".join(done).split()
    assert sorted(removed) == sorted(runs[:10])  # each by one process alone
    assert left(store) == set(runs[10:])


@given(st.lists(st.tuples(st.integers(0, MB), st.booleans(), st.sampled_from(["finished", "failed", ""])), max_size=8))
def test_whatever_lies_there_the_rest_fits_or_could_not_be_spared(tmp_path_factory, runs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TSK_MAX_RUNS_MB", "1")
        store = RunStore(tmp_path_factory.mktemp("runs"))
        for number, (size, pinned, end) in enumerate(runs):
            store.ledger.add(f"{number:032x}", "ada", "blobs", size=size, pinned=int(pinned), state=end or "running")
            with sqlite3.connect(store.folder / "runs.sqlite") as table:
                table.execute("UPDATE runs SET finished = ? WHERE id = ?", (number if end else None, f"{number:032x}"))
            table.close()
        removed = [int(record.id, 16) for record in store.housekeeping.free_disk_space(spare=0)]
        spared = [n for n, (_, pinned, end) in enumerate(runs) if pinned or not end]
        free = [n for n in range(len(runs)) if n not in spared]
        assert removed == free[: len(removed)]  # oldest first
        assert store.housekeeping.disk_space().used <= MB or len(removed) == len(free)
        if removed:  # and no more than needed
            assert store.housekeeping.disk_space().used + runs[removed[-1]][0] > MB


def test_leftovers_of_removals_are_deleted_at_the_next_start_but_not_by_looking_without_recovery(store):
    run, kept = add(store), add(store)
    (store.folder / f".removed-{'0' * 32}").mkdir()
    (store.folder / f".removed-{'0' * 32}" / "model").write_text("")
    store.ledger.mark_removed([run], DELETED)  # the kill came between the row and the folder
    RunStore(store.folder)
    assert {path.name for path in store.folder.iterdir() if path.is_dir()} == {kept}
    (store.folder / ".removed-x").mkdir()
    RunStore(store.folder, recover=False)
    assert (store.folder / ".removed-x").exists()


def test_a_folder_without_a_row_is_deleted_once_it_is_old(store):
    fresh, old, foreign = (store.folder / name for name in ("a" * 32, "b" * 32, "holiday pictures"))
    for folder in (fresh, old, foreign):
        folder.mkdir()
        (folder / "config.json").write_text("{}")
    for folder in (old, foreign):
        os.utime(folder, (0, folder.stat().st_mtime - 2 * STALE_SECONDS))
    RunStore(store.folder)
    assert (fresh.exists(), old.exists(), foreign.exists()) == (True, False, True)


def test_the_end_of_a_run_can_be_noted_on_a_full_disk(store, monkeypatch):
    run = add(store, end="")
    reserve, end = store.folder / ".reserve", Ledger.end
    assert reserve.stat().st_size > 100_000

    def full(self, *args):
        if reserve.exists():
            raise DiskFullError("full")
        return end(self, *args)

    monkeypatch.setattr(Ledger, "end", full)
    assert store.housekeeping.end(run, "failed", "The disk was full.")
    assert store.record(run).state == "failed" and not reserve.exists()
    RunStore(store.folder)
    assert reserve.exists()


def test_on_a_full_disk_room_is_made_first_and_noted_then(store, monkeypatch):
    runs, mark = [add(store, size=MB) for _ in range(3)], Ledger.mark_removed

    def full(self, chosen, sentence):
        if any((store.folder / run).exists() for run in chosen):
            raise DiskFullError("full")
        mark(self, chosen, sentence)

    def full_at_once(self, choose, sentence):
        choose(store.ledger.records())
        raise DiskFullError("full")

    monkeypatch.setattr(Ledger, "mark_removed", full)
    monkeypatch.setattr(Ledger, "remove", full_at_once)
    store.housekeeping.remove(runs[0], "ada")
    assert [record.id for record in store.housekeeping.free_disk_space(spare=0)] == runs[1:]
    assert [record.removed for record in store.ledger.records(removed=True)] == [FREED, FREED, DELETED]
    assert not any((store.folder / run).exists() for run in runs)
