"""What is kept of an owner: counted by kind, deleted whole or in part, and for how long."""

import sqlite3
import time

import pytest

from tests.tables import make_table
from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.errors import RunError, SettingError
from tsk_core.runs.housekeeping import DELETED, EXPIRED, FREED, POINTS, Points

DAY = 24 * 3600
SECRET_WORD = "oesophagus"


def add(store, owner="ada", task="training", end="finished", **options):
    run = store.create(TrainConfig(random_state=0), make_table(name=SECRET_WORD), owner=owner, task=task, **options)
    if end:
        store.housekeeping.end(run, end, rca=0.75)
    return run


def days_from_now(days):
    return time.time() + days * DAY


def row_of(store, run):
    return store.record(run)._asdict()


def test_what_is_kept_is_counted_by_kind_and_only_of_this_owner(store):
    first = add(store, keep_data=True)
    add(store, end="")
    add(store, task="sweep")
    add(store, owner="ben")
    trainings, sweeps = store.ledger.kept("ada")
    assert (trainings.task, trainings.runs, trainings.open, trainings.tables) == ("training", 2, 1, 1)
    assert (sweeps.task, sweeps.runs, sweeps.open, sweeps.tables) == ("sweep", 1, 0, 0)
    record = store.record(first)
    assert trainings.size >= record.size > 0
    assert (trainings.since, trainings.ended) == (record.created, record.finished)
    assert store.ledger.kept("nobody") == []


def test_everything_or_one_kind_of_an_owner_is_deleted_and_nothing_of_another(store):
    gone, open_run, of_ben = [add(store), add(store, task="sweep")], add(store, end=""), add(store, owner="ben")
    store.housekeeping.pin(gone[0], True, "ada")
    assert store.housekeeping.remove_all("ada") == 2
    assert [record.id for record in store.ledger.records("ada")] == [open_run]
    assert [record.id for record in store.ledger.records("ben")] == [of_ben]
    assert not any((store.folder / run).exists() for run in gone) and (store.folder / of_ben).exists()
    for run in gone:
        with pytest.raises(RunError, match="owner of this run deleted it"):
            store.open(run)
    training, sweep = add(store), add(store, task="sweep")
    assert store.housekeeping.remove_all("ada", "sweep") == 1
    assert [record.id for record in store.ledger.records("ada")] == [training, open_run] and store.record(
        sweep
    ).removed == DELETED


def test_a_deleted_run_leaves_no_word_of_its_owner_or_data_in_the_files(store):
    for delete in (lambda run: store.housekeeping.remove(run, "ada-1815"), lambda run: store.housekeeping.remove_all("ada-1815")):
        run = add(store, owner="ada-1815", name="my thesis")
        delete(run)
        row = row_of(store, run)
        assert not any(row[name] for name in ("owner", "name", "dataset", "target", "sha256", "rows", "rca"))
        assert row["settings_json"] == "{}" and row["removed"] == DELETED
    with sqlite3.connect(store.folder / "runs.sqlite") as ledger:
        ledger.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ledger.close()
    content = b"".join(path.read_bytes() for path in store.folder.rglob("*") if path.is_file())
    assert not any(word in content for word in (b"ada-1815", b"my thesis", SECRET_WORD.encode()))


def test_the_row_of_a_run_deleted_for_disk_space_goes_with_everything(store, monkeypatch):
    run = add(store)
    store.housekeeping._discard([run], FREED)
    assert row_of(store, run)["dataset"] == SECRET_WORD
    assert store.housekeeping.remove_all("ada") == 0
    assert not row_of(store, run)["dataset"] and store.record(run).removed == DELETED


def test_the_table_of_a_run_is_deleted_and_the_run_stays(store):
    run = add(store, keep_data=True)
    size = store.record(run).size
    with pytest.raises(RunError, match="Only the person"):
        store.housekeeping.remove_table(run, "ben")
    assert store.dataset(run) is not None
    store.housekeeping.remove_table(run, "ada")
    record = store.record(run)
    assert store.dataset(run) is None and not record.data_kept and record.size < size and not record.removed
    store.housekeeping.remove_table(run, "ada")  # twice does no harm
    open_run = add(store, end="", keep_data=True)
    with pytest.raises(RunError, match="still queued; stop it"):
        store.housekeeping.remove_table(open_run, "ada")


def test_runs_expire_only_where_the_server_says_so_pinned_ones_too_and_open_ones_not(store, monkeypatch):
    run = add(store)
    monkeypatch.delenv(limits.KEEP_DAYS, raising=False)
    assert limits.keep_days() is None and store.housekeeping.delete_expired(days_from_now(10_000)) == 0
    monkeypatch.setenv(limits.KEEP_DAYS, "30")
    assert store.housekeeping.delete_expired(days_from_now(29)) == 0 and not store.record(run).removed
    assert store.housekeeping.delete_expired(days_from_now(31)) == 1
    assert store.record(run).removed == EXPIRED.format(30) and not (store.folder / run).exists()
    assert not row_of(store, run)["owner"]
    assert store.housekeeping.delete_expired(days_from_now(31)) == 0
    pinned, waiting = add(store), add(store, end="")
    store.housekeeping.pin(pinned, True, "ada")
    assert store.housekeeping.delete_expired(days_from_now(31)) == 1
    assert store.record(pinned).removed and not store.record(waiting).removed


def test_results_of_experiments_that_nobody_used_expire(store, monkeypatch):
    monkeypatch.setenv(limits.KEEP_DAYS, "30")
    points = Points(store.folder / POINTS)
    points.keep("ab" * 32, {"rca": 0.5})
    store.housekeeping.delete_expired(days_from_now(29))
    assert points.get("ab" * 32) == {"rca": 0.5}
    store.housekeeping.delete_expired(days_from_now(31))
    assert points.get("ab" * 32) is None


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", ""])
def test_a_number_of_days_that_is_none_is_said(store, monkeypatch, text):
    monkeypatch.setenv(limits.KEEP_DAYS, text)
    with pytest.raises(SettingError, match="TSK_KEEP_DAYS"):
        store.housekeeping.delete_expired()
