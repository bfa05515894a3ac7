"""Snapshots: the rules at some epochs of a training, on disk while it goes on, small and true."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import make_table
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError
from tsk_core.explain import scores
from tsk_core.explain.labels import significant
from tsk_core.live import as_rules
from tsk_core.live.series import MOST, MOST_BYTES, SnapshotRecorder, capacity, planned, snapshot_template
from tsk_core.runs import RunStore
from tsk_core.tasks.task import Context


def train(store, dataset=None, test_size=0.3, stop_reason=lambda: "", **settings):
    """Train here; returns the run."""
    dataset = dataset or make_table()
    config = TrainConfig(**{"n_rules": 3, "max_epochs": 60, "random_state": 1} | settings)
    run = store.create(config, dataset, test_size)
    train_run(store, run, config, dataset, test_size, stop_reason)
    return run


def epochs_of(store, run):
    return [snapshot["epoch"] for snapshot in store.open(run).records("snapshots")]


@given(st.integers(1, 10**6), st.integers(2, MOST))
def test_epochs_rise_from_the_first_to_the_last_in_ever_wider_steps(last, most):
    epochs = planned(last, most)
    assert epochs[0] == 1 and epochs[-1] == last
    assert len(epochs) == min(last, most)
    steps = np.diff(epochs)
    assert (steps > 0).all()
    factors = np.array(epochs[1:]) / epochs[:-1]
    assert all(later <= earlier * 1.5 for earlier, later in zip(factors, factors[1:], strict=False))  # but for rounding


def test_the_first_epochs_are_all_there_a_short_training_keeps_each_and_a_long_one_at_most_forty(store):
    assert planned(200, 40)[:10] == list(range(1, 11))
    assert planned(12, 40) == list(range(1, 13))
    assert planned(100, 0) == []
    assert epochs_of(store, train(store, max_epochs=7)) == [1, 2, 3, 4, 5, 6, 7]
    long = epochs_of(store, train(store, max_epochs=150))
    assert len(long) <= MOST and long == sorted(set(long)) and (long[0], long[-1]) == (1, 150)


def test_a_stopped_run_keeps_the_epoch_it_reached(store):
    asked = iter([""] * 50)
    run = train(store, stop_reason=lambda: next(asked, "Enough."), max_epochs=100_000)
    last = store.open(run).epochs()[-1].epoch
    assert last not in planned(100_000, MOST - 1)
    assert epochs_of(store, run)[-1] == last


def test_early_stopping_keeps_epochs_of_the_final_training_alone_and_none_where_it_is_stopped_before(store):
    run = train(store, early_stopping=True, patience=3, max_epochs=40)
    final = [epoch.epoch for epoch in store.open(run).epochs() if epoch.stage == "training"]
    assert any(epoch.stage == "hold-out" for epoch in store.open(run).epochs())
    kept = epochs_of(store, run)
    assert set(kept) <= set(final) and kept[0] == 1 and kept[-1] == final[-1] == store.open(run).metrics()["best_epoch"]
    asked = iter([""] * 3)
    run = train(store, early_stopping=True, stop_reason=lambda: next(asked, "Enough."))
    assert store.record(run).state == "stopped"
    assert store.open(run).records("snapshots") == [] and store.open(run).head("snapshots") == {}


def test_where_training_diverges_the_best_epoch_comes_last_and_is_the_model(store):
    dataset = make_table()
    run = train(store, dataset, l2=1000.0, max_epochs=300)
    last, best = store.open(run).epochs()[-1].epoch, store.open(run).metrics()["best_epoch"]
    assert "diverged" in store.record(run).message and 0 < best < last
    assert best not in planned(300, MOST - 1)
    kept = epochs_of(store, run)
    assert kept[-2:] == [last, best] and len(kept) <= MOST
    check_scores(store, run, dataset)


def check_scores(store, run, dataset, tolerance=1e-4):
    """The last snapshot decides as the model that was kept."""
    model = store.result(run).classifier
    Z = model.encoder_.transform(dataset.X)
    found = scores(as_rules(store.open(run).head("snapshots")["base"], store.open(run).records("snapshots")[-1]), Z)
    wanted = scores(model.to_dict(), Z)
    assert np.abs(found - wanted).max() <= tolerance * max(1.0, np.abs(wanted).max())


@pytest.mark.parametrize(
    ("batch_norm", "firing", "layer_norm"),
    [("bn", "softmax", "none"), ("gbn", "paper", "none"), ("rbn", "htsk", "none"), ("none", "log", "none"),
     ("bn", "scaled", "relu"), ("gbn", "paper", "relu")],
)  # fmt: skip
def test_the_last_snapshot_is_the_exported_model(store, batch_norm, firing, layer_norm):
    dataset = make_table()
    run = train(store, dataset, batch_norm=batch_norm, firing=firing, layer_norm=layer_norm, max_epochs=3)
    model, folder = store.result(run).classifier.to_dict(), store.open(run)
    base, last = folder.head("snapshots")["base"], folder.records("snapshots")[-1]
    assert base == {name: value for name, value in model.items() if name != "rules"}
    rebuilt = as_rules(base, last)
    for rule, wanted in zip(rebuilt["rules"], model["rules"], strict=True):
        assert set(rule) == set(wanted)
        for name in rule:
            np.testing.assert_allclose(rule[name], wanted[name], rtol=1e-5)
    check_scores(store, run, dataset)


def test_a_dropped_antecedent_is_null(store):
    """A γ of 0 comes of no training, so the rules are given what it leads to."""
    run = train(store, max_epochs=2)
    model = store.result(run).classifier
    model.rules_.sigmas[0, 1, 2] = np.inf
    lines = []
    context = Context(store.open(run), on_record=lambda series, line, head: lines.append(line))
    SnapshotRecorder(model, 1, context).add(store.open(run).epochs()[0])
    (line,) = lines
    sigmas = json.loads(line)["sigmas"]
    assert sigmas[1][2] is None and sum(value is None for row in sigmas for value in row) == 1
    assert sigmas == [[s and float(f"{s:.6g}") for s in rule["sigmas"]] for rule in model.to_dict()["rules"]]


def test_columns_far_from_zero_keep_the_digits_that_tell_them_apart(store):
    table = make_table(rows=200)
    frame = table.frame.assign(x1=table.frame["x1"] * 3600 + 1.7e9)  # a few hours of Unix time
    dataset = Dataset(frame=frame, target="kind", name="times", source="", licence="", findings=())
    run = train(store, dataset, max_epochs=30)
    check_scores(store, run, dataset)
    centers = [row[1] for row in store.open(run).records("snapshots")[-1]["centers"]]
    assert len(set(centers)) == 3


@pytest.mark.parametrize(
    ("mean", "spread", "digits"), [(0, 1, 6), (5.8, 0.8, 6), (70, 7, 7), (-1.7e9, 1e4, 11), (1e300, 1e-300, 17)]
)
def test_digits_grow_with_the_distance_from_zero(mean, spread, digits):
    assert significant(np.array([mean], float), np.array([spread], float)).tolist() == [digits]


def test_categories_and_gaps_are_in_the_columns_of_the_model(store):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size": random.normal(size=90), "colour": random.choice(["red", "green"], 90), "kind": ["a", "b", "c"] * 30}
    )
    frame.loc[::7, "size"] = np.nan
    dataset = Dataset(frame=frame, target="kind", name="mixed", source="", licence="", findings=())
    run = train(store, dataset, max_epochs=4)
    assert [column["category"] for column in store.open(run).head("snapshots")["base"]["columns"]] == [None, "green", "red"]
    check_scores(store, run, dataset)


@given(
    R=st.integers(1, 3),
    C=st.integers(2, 4),
    digits=st.lists(st.integers(6, 17), min_size=1, max_size=5),
    head=st.integers(0, 9999),
    layer_norm=st.booleans(),
)
def test_the_file_stays_within_its_bound_whatever_the_numbers(R, C, digits, head, layer_norm):
    template = snapshot_template(R, C, np.array(digits), layer_norm=layer_norm)
    longest = template % (10**6, *[-1.2345678901234567e-123] * (template.count("%") - 1))
    json.loads(longest)
    head = MOST_BYTES - head
    fit = capacity(head, R, C, np.array(digits), layer_norm=layer_norm)
    assert fit == 0 or (2 <= fit <= MOST and head + fit * (len(longest) + 1) <= MOST_BYTES)
    assert fit == MOST or head + max(2, fit + 1) * (1.6 * len(longest) + 200) > MOST_BYTES  # and uses it


def test_a_large_model_keeps_fewer_and_a_huge_one_none(store):
    wide = make_table(rows=60, columns=300, classes=10)
    run = train(store, wide, n_rules=10, max_epochs=30)
    path = store.folder / run / "snapshots.jsonl"
    assert 2 <= len(epochs_of(store, run)) < 12 and path.stat().st_size < MOST_BYTES
    assert {1, 30} <= set(epochs_of(store, run))
    run = train(store, wide, n_rules=60, max_epochs=1)
    assert store.record(run).state == "finished" and not (store.folder / run / "snapshots.jsonl").exists()
    assert store.open(run).records("snapshots") == []


def test_they_are_there_while_the_run_goes_on(store, monkeypatch):
    monkeypatch.setattr("tsk_core.tasks.task.CHECKPOINT_SECONDS", 0)
    seen, dataset = [], make_table()
    config = TrainConfig(n_rules=3, max_epochs=5, random_state=1)
    run = store.create(config, dataset)
    other = RunStore(store.folder, recover=False)
    train_run(store, run, config, dataset, on_epoch=lambda _: seen.append(epochs_of(other, run)))
    assert seen == [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]


def test_the_newer_ones_alone_can_be_asked_for_and_a_run_without_the_file_has_none(store):
    run = train(store, max_epochs=5)
    assert [snapshot["epoch"] for snapshot in store.open(run).records("snapshots", 3)] == [4, 5]
    assert store.open(run).records("snapshots", 5) == []
    (store.folder / run / "snapshots.jsonl").unlink()
    assert store.open(run).records("snapshots") == [] and store.open(run).head("snapshots") == {}


def test_a_line_cut_short_is_left_out_and_a_second_attempt_begins_anew(store):
    run = train(store, max_epochs=4)
    path = store.folder / run / "snapshots.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    assert epochs_of(store, run) == [1, 2, 3]
    waiting = store.create(TrainConfig(), make_table())
    (store.folder / waiting / "snapshots.jsonl").write_bytes(path.read_bytes())
    store.open(waiting).begin()
    assert store.open(waiting).records("snapshots") == []


@pytest.mark.parametrize(
    "change",
    [
        {"centers": [[1.0]]}, {"sigmas": None}, {"epoch": "1"}, {"log_weight": [0, 0, float("nan")]}, {"consequents": [[[1]]]},
        {"sigmas": [[0.0] * 4] * 3}, {"centers": [[float("inf")] * 4] * 3}, {"log_weight": "abc"},
    ],
)  # fmt: skip
def test_a_line_that_is_no_snapshot_is_one_sentence(store, change):
    run = train(store, max_epochs=2)
    path = store.folder / run / "snapshots.jsonl"
    head, first, second = path.read_text().splitlines()
    path.write_text("\n".join([head, json.dumps(json.loads(first) | change), second]) + "\n")
    with pytest.raises(RunError, match=r"snapshots\.jsonl"):
        store.open(run).records("snapshots")
