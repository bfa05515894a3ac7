"""One run from split to disk, and what it is compared with; no cluster."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.model import rules
from tsk_core.runs import RunStore
from tsk_core.runs.files import full_disk
from tsk_core.tasks import LiveTraining, perform
from tsk_core.tasks import task as task_module
from tsk_core.tasks.task import Context


@pytest.fixture
def train(tmp_path, small, short):
    """Train one run here; returns the store and the ledger row."""

    def train(config=short, dataset=small, **hooks):
        store = RunStore(tmp_path)
        run = store.create(config, dataset)
        return store, train_run(tmp_path, run, config, dataset, **hooks)

    return train


def test_the_final_metrics_take_one_pass_over_the_test_rows(train, small, monkeypatch):
    rows, infer = [], rules.infer

    def counted(rules, x, *, exact=True):
        if exact:  # not the scores and evaluations of epochs
            rows.append(len(x))
        return infer(rules, x, exact=exact)

    monkeypatch.setattr(rules, "infer", counted)
    store, record = train()
    assert sum(rows) == store.open(record.id).metrics()["test_rows"] > 0


def test_a_stop_takes_effect_within_one_epoch_and_keeps_the_weights_if_there_are_any(train, endless):
    told = []
    store, record = train(endless, on_epoch=told.append, stop_reason=lambda: "Enough." if len(told) == 3 else "")
    assert (record.state, record.message, len(told)) == ("stopped", "Enough.", 3)
    assert len(store.result(record.id).history) == 3
    store, record = train(stop_reason=lambda: "Enough.")
    assert record.state == "stopped"
    with pytest.raises(Exception, match="Enough"):
        store.result(record.id)


def test_a_run_ends_at_the_limit_of_seconds(train, endless, monkeypatch):
    seconds = itertools.count()
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "20")
    monkeypatch.setattr(task_module, "time", SimpleNamespace(monotonic=lambda: next(seconds)))  # a second each time it is read
    store, record = train(replace(endless, max_epochs=100))
    assert record.state == "stopped" and "TSK_MAX_RUN_SECONDS" in record.message
    assert 1 <= store.result(record.id).metrics["epochs"] < 20


def test_each_epoch_is_told_as_it_comes_and_on_disk_before_the_next(train, tmp_path, monkeypatch):
    monkeypatch.setattr("tsk_core.tasks.task.CHECKPOINT_SECONDS", 0)
    seen = []

    def look(epoch):
        store = RunStore(tmp_path)
        seen.append((epoch.epoch, len(store.open(store.ledger.records()[0].id).epochs())))

    train(on_epoch=look)
    assert seen == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


def test_a_table_that_cannot_be_trained_on_and_a_bug_fail_with_a_sentence(train, caplog):
    _, record = train(dataset=make_table(classes=1))
    assert record.state == "failed"
    assert "class" in record.message and "unexpectedly" not in record.message

    def broken(epoch):
        raise ZeroDivisionError("secret")

    _, record = train(on_epoch=broken)
    assert record.state == "failed"
    assert "ZeroDivisionError" in record.message and "secret" not in record.message
    assert "secret" in caplog.text


def test_a_run_that_had_ended_is_not_trained_again(train, small, endless):
    store, record = train()
    reported = []
    again = Context(store.open(record.id), on_record=lambda *record: reported.append(record))
    ending = perform(LiveTraining(endless, small), again)
    assert (ending.state, ending.rca, reported) == ("finished", record.rca, []) and len(store.open(record.id).epochs()) == 5


def test_an_ending_that_a_full_disk_does_not_take_is_told_all_the_same(train, monkeypatch):
    def full(*_, **__):
        raise full_disk()

    monkeypatch.setattr("tsk_core.runs.folder.RunFolder.end", full)
    store, record = train()
    assert record.state == "finished" and store.open(record.id).ending() is None
    assert store.result(record.id).metrics["rca"] == record.rca


def test_early_stopping_holds_out_by_time_where_the_split_is_by_time(train):
    """The newer half of the training rows contradicts the older, so the latest rows cannot be predicted from the others."""
    x = np.random.default_rng(0).normal(size=300)
    frame = pd.DataFrame({"x": x, "day": np.arange(300), "class": (x > 0) ^ (np.arange(300) >= 170)})
    config = TrainConfig(n_rules=2, max_epochs=5, early_stopping=True, random_state=0)
    for roles, least, most in (({"day": "ignored"}, 0.45, 1), ({"day": "time"}, 0, 0.35)):
        store, record = train(config, make_dataset(frame, "class", name="drift", choices=Choices(roles=roles)))
        search = [epoch for epoch in store.open(record.id).epochs() if epoch.stage == "hold-out"]
        assert least <= search[-1].rca_validation <= most, roles


def test_a_class_that_only_test_rows_have_is_misclassified_in_each_epoch(train):
    """The latest rows are tested, and some of them have a class that was unknown before."""
    rng = np.random.default_rng(0)
    kinds = np.array(["a", "b"] * 40, object)
    kinds[70:75] = "new"
    frame = pd.DataFrame({"x": (kinds == "a") + rng.normal(0, 0.3, 80), "day": np.arange(80), "kind": kinds})
    dataset = make_dataset(frame, name="t", choices=Choices(target="kind", roles={"day": "time"}))
    store, record = train(dataset=dataset)
    result = store.result(record.id)
    assert record.state == "finished" and result.metrics["test_rows"] == 24
    assert "Only test rows have the class 'new': it cannot be learned." in result.metrics["notes"]
    last = result.history[-1]
    assert (last.rca_test, last.bca_test) == pytest.approx((result.metrics["rca"], result.metrics["bca"]))
    assert 0 < last.rca_test <= 19 / 24 and 0 < last.bca_test <= 2 / 3
