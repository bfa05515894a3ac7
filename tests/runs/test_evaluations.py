"""Mistakes through time: what the model has wrong on the test rows at some epochs, counted as it trains."""

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.errors import RunError
from tsk_core.runs import RunStore
from tsk_core.runs import evaluations as kept
from tsk_core.runs.snapshots import MOST, planned
from tsk_core.tasks.live_training import train_run


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path)


def train(store, dataset=None, test_size=0.3, **settings):
    """Train here; returns the run."""
    dataset = dataset or make_table()
    config = TrainConfig(**{"n_rules": 3, "max_epochs": 60, "random_state": 1} | settings)
    run = store.create(config, dataset, test_size)
    train_run(store, run, config, dataset, test_size)
    return run


def test_each_count_has_the_accuracy_of_its_epoch(store):
    run = train(store, make_table(classes=4))
    rca = {epoch.epoch: epoch.rca_test for epoch in store.epochs(run)}
    found = store.mistakes(run)
    assert [one["epoch"] for one in found] == planned(60, MOST)
    for one in found:
        counts = np.array(one["confusion"])
        assert counts.trace() / counts.sum() == pytest.approx(rca[one["epoch"]], abs=1e-12)
        assert sum(one["reliability"]["count"]) == counts.sum() == store.metrics(run)["test_rows"]


def test_the_last_ones_are_those_of_the_end(store):
    run = train(store)
    last, end = store.mistakes(run)[-1], store.metrics(run)
    assert last["epoch"] == 60 and last["confusion"] == end["confusion"]
    assert last["ece"] == pytest.approx(end["ece"], abs=1e-6)
    assert last["reliability"]["count"] == end["reliability"]["count"]


def test_the_search_of_early_stopping_has_none(store):
    run = train(store, early_stopping=True, patience=3, max_epochs=40)
    final = sum(epoch.stage == "training" for epoch in store.epochs(run))
    assert [one["epoch"] for one in store.mistakes(run)] == [epoch for epoch in planned(40, MOST) if epoch <= final]


def test_without_test_rows_there_are_none(store):
    assert store.mistakes(train(store, test_size=0.0)) == []


def test_only_what_is_new_is_read(store):
    run = train(store, max_epochs=5)
    assert store.mistakes(run, 3) == store.mistakes(run)[3:] and len(store.mistakes(run)) == 5


def test_a_second_attempt_begins_anew(store):
    dataset = make_table()
    run = train(store, dataset, max_epochs=5)
    (store.folder / run / "ended.json").unlink()
    store.files(run).begin()
    assert store.mistakes(run) == []


def test_runs_of_older_versions_have_none(store):
    run = train(store, max_epochs=5)
    (store.folder / run / "mistakes.jsonl").unlink()
    assert store.mistakes(run) == []


@pytest.mark.parametrize(
    "change", [{"confusion": [[1, 2]]}, {"confusion": "x"}, {"reliability": {}}, {"epoch": "1"}, {"epoch": None}]
)
def test_a_damaged_line_is_refused(store, change):
    run = train(store, max_epochs=2)
    path = store.folder / run / "mistakes.jsonl"
    head, line, _ = path.read_text().splitlines()
    path.write_text(f"{head}\n{json.dumps(json.loads(line) | change)}\n")
    with pytest.raises(RunError, match=r"mistakes\.jsonl"):
        store.mistakes(run)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 300), st.integers(1, 10**6))
@example(78, 100)
def test_the_file_stays_small_however_many_classes_there_are(n_classes, n_rows):
    class Rows:
        def __len__(self):
            return n_rows

    names = [str(c) for c in range(n_classes)]
    examiner = kept.Examiner(None, None, Rows(), names, 1000)
    most = np.full((n_classes, n_classes), n_rows).tolist()
    bins = {name: [0.12345678901234567] * 10 for name in ("count", "confidence", "accuracy")}
    line = json.dumps({"epoch": 1000, "confusion": most, "reliability": bins, "ece": 0.12345678901234567})
    assert len(examiner._planned) * len(line) <= kept.MOST_BYTES


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.floats(0, 1)), max_size=40))
def test_counts_are_those_of_each_pair(rows):
    true, decided, sure = (np.array(column) for column in (zip(*rows, strict=True) if rows else ((), (), ())))
    found = kept.mistakes(true, decided, sure.astype(float), ["a", "b", "c"])
    pairs = [(t, d) for t, d, _ in rows]
    assert found["confusion"] == [[pairs.count((t, d)) for d in "abc"] for t in "abc"]
