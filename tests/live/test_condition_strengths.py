"""How strong conditions are while they disappear: on disk, small and true."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import make_table
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.errors import RunError
from tsk_core.live import series
from tsk_core.live.series import MOST_STRENGTHS, strength_bytes
from tsk_core.runs.files import size_of

READABLE = TrainConfig.readable(n_rules=3, max_conditions=1, max_epochs=20, random_state=1)


def train(store, config=READABLE):
    """Train here; returns the folder of the run."""
    dataset = make_table()
    run = store.create(config, dataset, 0.3)
    train_run(store, run, config, dataset, 0.3)
    return store.open(run)


def strengths_of(folder, record):
    """uint8 (R, F)."""
    values = np.frombuffer(base64.b64decode(record["strengths"]), np.uint8)
    return values.reshape(-1, len(folder.head("strengths")["features"]))


@given(st.lists(st.floats(1e-4, 1e4) | st.just(np.inf), min_size=3, max_size=3))
def test_a_byte_is_zero_only_without_a_condition_and_grows_as_the_width_shrinks(sigmas):
    one, pair = strength_bytes(np.array([sigmas]), np.array([0, 1, 1]))[0]
    assert (one > 0) == np.isfinite(sigmas[0]) and (pair > 0) == np.isfinite(sigmas[1:]).any()
    narrower = strength_bytes(np.array([sigmas]) / 2, np.array([0, 1, 1]))[0]
    assert narrower[0] >= one and narrower[1] >= pair
    # A width of one spread is the middle, and the columns of a category count together.
    middle = strength_bytes(np.array([[1.0, 2.0, 2.0]]), np.array([0, 1, 1]))
    assert middle.tolist() == [[128, round(255 * 0.5**0.5 / (1 + 0.5**0.5))]]


def test_the_records_say_which_conditions_are_left_at_each_epoch_and_the_class_of_its_highest_constant(store):
    folder = train(store)
    records, counts = folder.records("strengths"), {epoch.epoch: epoch.conditions for epoch in folder.epochs()}
    found = {record["epoch"]: int((strengths_of(folder, record) > 0).sum()) for record in records}
    assert found == {epoch: counts[epoch] for epoch in found} and found[1] > found[max(found)] == 3
    head = folder.head("strengths")
    assert set(head["classes"]) == {str(name) for name in make_table().classes}
    result = store.result(folder.path.name)
    classes = [str(name) for name in result.classifier.classes_]
    highest = [classes[c] for c in result.classifier.rules_.biases[0].argmax(1).tolist()]
    head, last = folder.head("strengths"), folder.records("strengths")[-1]
    assert [head["classes"][c] for c in last["classes"]] == highest


def test_first_order_rules_have_no_class_those_that_keep_all_conditions_no_records_nor_an_epoch_that_changed_nothing(store):
    linear = replace(READABLE, consequents="linear")
    assert {record["classes"] for record in train(store, linear).records("strengths")} == {None}
    assert train(store, TrainConfig(n_rules=3, max_epochs=3, random_state=1)).records("strengths") == []
    folder = train(store, replace(READABLE, learning_rate=1e-12, max_epochs=12))
    records = folder.records("strengths")
    assert len(records) < 12 and all(a["strengths"] != b["strengths"] for a, b in zip(records, records[1:], strict=False))


def test_a_long_training_keeps_a_bounded_number_of_records(store, monkeypatch):
    monkeypatch.setattr(series, "STRENGTH_BYTES", 2_000)
    folder = train(store, replace(READABLE, max_epochs=60))
    assert 2 <= len(folder.records("strengths")) < 40 < MOST_STRENGTHS
    assert size_of(folder.path / "strengths.jsonl") <= 2_000
    assert folder.records("strengths")[-1]["epoch"] <= 60


@pytest.mark.parametrize("line", ["{", '{"epoch": 1}', '{"epoch": 1, "strengths": "?", "classes": null}', "[]"])
def test_a_damaged_record_is_one_sentence(store, line):
    folder = train(store)
    path = folder.path / "strengths.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n" + line + "\n" + line + "\n")
    with pytest.raises(RunError):
        store.open(folder.path.name).records("strengths")
