"""One visitor fills the disk: with names that go into each record, with pins, with many runs; others lose nothing by it."""

import pytest

from tsk_core.config import TrainConfig
from tsk_core.data import read_csv
from tsk_core.errors import RunError
from tsk_core.jobs import Engine
from tsk_core.runs import RunStore
from tsk_core.runs.files import size_of

MEGABYTE = 10**6


def endings(names, rows=60):
    """A CSV of these names, with numbers in each column but the last, which has two classes."""
    lines = [",".join(names)]
    lines += [",".join([*(str((row * 7 + at) % 11) for at in range(len(names) - 1)), f"c{row % 2}"]) for row in range(rows)]
    return "\n".join(lines).encode()


@pytest.mark.slow
def test_five_hundred_names_of_39_kb_make_no_large_run(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_WORKERS", "1")
    dataset = read_csv(endings([f"{at}{'x' * 39_000}" for at in range(499)] + ["kind"]), target="kind")
    assert max(map(len, dataset.frame.columns)) <= 200
    assert any("200 characters" in str(note) for note in dataset.notes)
    with Engine(tmp_path / "runs") as engine:
        run = engine.submit(TrainConfig(n_rules=3, max_epochs=3, random_state=0), dataset)
        assert engine.result(run, timeout=200).state == "finished"
        size = size_of(engine.store.folder / run)
    print(f"\na run of three epochs: {size / 1e6:.2f} MB")
    assert size < 5 * MEGABYTE


def test_a_long_class_name_and_a_long_category_are_cut_and_stay_distinct():
    long = "y" * 5_000
    lines = ["size,colour,kind", *(f"{row % 9},{long}{row % 3},{long}{row % 2}" for row in range(60))]
    dataset = read_csv("\n".join(lines).encode(), target="kind")
    assert len(dataset.classes) == 2 and max(map(len, dataset.classes)) <= 200
    assert dataset.X["colour"].nunique() == 3 and dataset.X["colour"].str.len().max() <= 200
    assert any("200 characters" in str(note) for note in dataset.notes)


@pytest.fixture
def store(tmp_path, monkeypatch, small):
    """Runs of one megabyte each, of which the server keeps ten; an owner may pin two of them, all together five."""
    monkeypatch.setenv("TSK_MAX_RUNS_MB", "10")
    monkeypatch.setenv("TSK_MAX_PINNED_PERCENT_PER_OWNER", "25")
    store = RunStore(tmp_path / "runs")

    def add(owner):
        run = store.create(TrainConfig(max_epochs=1), small, owner=owner)
        (store.folder / run / "ballast").write_bytes(bytes(MEGABYTE - 20_000))
        store.ledger.start(run)
        store.housekeeping.end(run, "finished")
        return run

    store.add_run = add
    return store


def test_pins_of_one_owner_and_of_all_are_bounded(store):
    mine = [store.add_run("ada") for _ in range(3)]
    for run in mine[:2]:
        store.housekeeping.pin(run, True, "ada")
    store.housekeeping.pin(mine[0], True, "ada")  # once more changes nothing
    with pytest.raises(RunError, match="Your pinned runs would take"):
        store.housekeeping.pin(mine[2], True, "ada")
    others = [store.add_run(f"owner {number}") for number in range(4)]
    for number in range(3):
        store.housekeeping.pin(others[number], True, f"owner {number}")
    with pytest.raises(RunError, match="All pinned runs together would take"):
        store.housekeeping.pin(others[3], True, "owner 3")
    store.housekeeping.pin(mine[0], False, "ada")
    store.housekeeping.pin(others[3], True, "owner 3")


def test_the_owner_who_takes_most_loses_runs_first(store):
    honest = [store.add_run("honest") for _ in range(2)]
    greedy = [store.add_run("greedy") for _ in range(12)]
    gone = {record.id for record in store.housekeeping.free_disk_space(spare=0)}
    assert gone == set(greedy[: len(gone)]) and len(gone) >= 4
    assert {record.id for record in store.ledger.records("honest")} == set(honest)


def test_a_run_that_has_just_ended_stays_though_its_owner_takes_most(store):
    for _ in range(12):
        store.add_run("greedy")
    assert store.housekeeping.free_disk_space() == []
