"""Evaluations: confusion matrix and calibration on the test rows at some epochs, recorded while the model trains."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.live.test_snapshots import train
from tests.tables import make_table
from tsk_core.errors import RunError
from tsk_core.evaluate.confusion import evaluation
from tsk_core.live.series import EVALUATION_BYTES, MOST, EvaluationRecorder, planned


def test_each_count_has_the_accuracy_of_its_epoch(store):
    run = train(store, make_table(classes=4))
    rca = {epoch.epoch: epoch.rca_test for epoch in store.open(run).epochs()}
    found = store.open(run).records("evaluations")
    assert [one["epoch"] for one in found] == planned(60, MOST)
    for one in found:
        counts = np.array(one["confusion"])
        assert counts.trace() / counts.sum() == pytest.approx(rca[one["epoch"]], abs=1e-12)
        assert sum(one["reliability"]["count"]) == counts.sum() == store.open(run).metrics()["test_rows"]


def test_the_last_ones_are_those_of_the_end_and_without_test_rows_there_are_none(store):
    run = train(store)
    last, end = store.open(run).records("evaluations")[-1], store.open(run).metrics()
    assert last["epoch"] == 60 and last["confusion"] == end["confusion"]
    assert last["ece"] == pytest.approx(end["ece"], abs=1e-6)
    assert last["reliability"]["count"] == end["reliability"]["count"]
    assert store.open(train(store, test_size=0.0)).records("evaluations") == []


def test_the_search_of_early_stopping_has_none(store):
    run = train(store, early_stopping=True, patience=3, max_epochs=40)
    final = sum(epoch.stage == "training" for epoch in store.open(run).epochs())
    found = [one["epoch"] for one in store.open(run).records("evaluations")]
    assert found == [epoch for epoch in planned(40, MOST) if epoch <= final]


@pytest.mark.parametrize(
    "change", [{"confusion": [[1, 2]]}, {"confusion": "x"}, {"reliability": {}}, {"epoch": "1"}, {"epoch": None}]
)
def test_a_damaged_line_is_refused(store, change):
    run = train(store, max_epochs=2)
    path = store.folder / run / "mistakes.jsonl"
    head, line, _ = path.read_text().splitlines()
    path.write_text(f"{head}\n{json.dumps(json.loads(line) | change)}\n")
    with pytest.raises(RunError, match=r"mistakes\.jsonl"):
        store.open(run).records("evaluations")


@given(st.integers(2, 300), st.integers(1, 10**6))
@example(78, 100)
def test_the_file_stays_small_however_many_classes_there_are(n_classes, n_rows):
    class Rows:
        def __len__(self):
            return n_rows

    names = [str(c) for c in range(n_classes)]
    recorder = EvaluationRecorder(None, None, Rows(), names, 1000, None)
    most = np.full((n_classes, n_classes), n_rows).tolist()
    bins = {name: [0.12345678901234567] * 10 for name in ("count", "confidence", "accuracy")}
    line = json.dumps({"epoch": 1000, "confusion": most, "reliability": bins, "ece": 0.12345678901234567})
    assert len(recorder._planned) * len(line) <= EVALUATION_BYTES


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.floats(0, 1)), max_size=40))
def test_counts_are_those_of_each_pair(rows):
    true, predicted, confidence = (np.array(column) for column in (zip(*rows, strict=True) if rows else ((), (), ())))
    found = evaluation(true, predicted, confidence.astype(float), ["a", "b", "c"])
    pairs = [(t, d) for t, d, _ in rows]
    assert found["confusion"] == [[pairs.count((t, d)) for d in "abc"] for t in "abc"]
