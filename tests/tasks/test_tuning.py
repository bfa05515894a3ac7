"""Tuning: the search as a task. It never sees test rows, records each candidate, and keeps the best when it is stopped."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.errors import LimitError, RunError, SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runs import RunStore
from tsk_core.tasks import Tuning, run_here
from tsk_core.tuning.portfolio import PORTFOLIO

RUNGS = (5, 10)  # so that a search on a small table comes to its end by itself
LONG = 300.0
GRIDS = {"logistic_regression": {"C": [0.1, 1.0]}, "random_forest": {"max_depth": [3]}}  # few, since they take seconds


@pytest.fixture(scope="module", autouse=True)
def early_rungs():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsk_core.tuning.portfolio.RUNGS", RUNGS)
        patch.setattr("tsk_core.tuning.portfolio.MostAccurate.repeats", 2)
        patch.setattr("tsk_core.evaluate.baselines.GRIDS", GRIDS)
        yield


def tune(folder, config, dataset, hooks=None, budget=LONG, **options):
    """The store and the ledger row of a search in this process."""
    store = RunStore(folder)
    run, task = Tuning(config, dataset, budget, **{"folds": 2} | options).create_run(store, "ada")
    return store, run_here(store, run, task, **(hooks or {}))


def stop_after(scores, lines):
    """Hooks that stop a search after so many records, which are added to ``lines``."""
    return {
        "stop_reason": lambda: "Enough." if len(lines) >= scores else "",
        "on_record": lambda series, line, head: lines.append((series, json.loads(line))),
    }


@pytest.fixture(scope="module")
def watched():
    """What a search that ends by itself was given as rows, and the seconds that it said were done."""
    return SimpleNamespace(rows=[], done=[])


@pytest.fixture(scope="module")
def finished(tmp_path_factory, watched):
    """The store, the ledger row and the dataset of that search, whose models may have six rules at most."""
    fit_iter, dataset = TSKClassifierCV.fit_iter, make_table()

    def watching(self, X, y, *arguments, **options):
        watched.rows.append((X, y))
        return fit_iter(self, X, y, *arguments, **options)

    hooks = {"on_progress": lambda done, stage, final: watched.done.append(done)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TSKClassifierCV, "fit_iter", watching)
        patch.setenv("TSK_MAX_RULES", "6")
        config = TrainConfig(n_rules=3, max_epochs=5, random_state=1)
        return *tune(tmp_path_factory.mktemp("runs"), config, dataset, hooks), dataset


def test_its_metrics_have_the_best_settings_their_score_and_the_test_scores_of_a_training(finished):
    store, record, dataset = finished
    metrics = store.open(record.id).metrics()
    assert (record.state, record.task) == ("finished", "tuning")
    assert (record.rca, record.bca) == (metrics["rca"], metrics["bca"])
    best = TrainConfig.from_dict(metrics["best"])
    assert best.random_state == store.open(record.id).config().random_state == 1
    trials = metrics["trials"]
    (taken,) = (trial for trial in trials if trial["config"] == metrics["best"])
    assert (taken["score"], taken["sd"]) == (metrics["cv_bca"], metrics["cv_sd"])
    assert taken["validations"] == trials[0]["validations"] == 4
    assert metrics["folds"] == 2 and metrics["seconds"] > 0
    split, y = dataset.split(test_size=0.3, seed=1), np.asarray(dataset.y)
    model = TSKClassifier(**metrics["best"]).fit(dataset.X.iloc[split.train], y[split.train])
    alone = accuracy_of_labels(y[split.test], model.predict(dataset.X.iloc[split.test]))
    assert (metrics["rca"], metrics["bca"]) == pytest.approx(alone, abs=1.5 / len(split.test))  # a row on the border
    assert metrics["test_rows"] == len(split.test)
    assert max(trial["config"]["n_rules"] for trial in trials) == 6


def test_its_baselines_are_tuned_as_long(finished):
    store, record, _ = finished
    metrics = store.open(record.id).metrics()
    search, tuned = metrics["search"], metrics["baselines_tuned"]
    assert set(metrics["baselines"]) == {"majority", "logistic_regression", "random_forest"}
    assert {key: (one["tried"], one["folds"]) for key, one in tuned.items()} == {
        "logistic_regression": (3, 2), "random_forest": (2, 2),
    }  # fmt: skip
    assert (search["tried"], search["folds"], search["seconds"]) == (len(metrics["trials"]), 2, LONG)
    assert (search["score"], search["baselines"], search["readable"]) == (metrics["cv_bca"], tuned, False)


def test_model_and_baselines_are_compared_by_the_score_that_was_maximised(tmp_path, small, short, monkeypatch):
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.rounds", 0)
    monkeypatch.setattr("tsk_core.tuning.portfolio.PORTFOLIO", PORTFOLIO[:3])
    store, record = tune(tmp_path, short, small, scoring="neg_log_loss")
    metrics = store.open(record.id).metrics()
    assert metrics["search"]["scoring"] == metrics["scoring"] == metrics["trials"][0]["scoring"] == "neg_log_loss"
    assert (metrics["cv_bca"], metrics["cv_score"]) == (None, metrics["trials"][0]["score"]) and metrics["cv_score"] < 0
    split, y = small.split(test_size=0.3, seed=1), np.asarray(small.y)
    train, test = ((small.X.iloc[rows], y[rows]) for rows in (split.train, split.test))
    model = TSKClassifier(**metrics["best"]).fit(*train)
    assert metrics["scored"] == pytest.approx(-log_loss(test[1], model.predict_proba(test[0])), abs=0.02)
    tuned = metrics["baselines_tuned"]["logistic_regression"]
    Z, Z_test = (model.encode(X) for X in (train[0], test[0]))
    logistic = LogisticRegression(**{"max_iter": 1000, **tuned["settings"]}).fit(Z, train[1])
    expected = -log_loss(test[1], logistic.predict_proba(Z_test))
    assert metrics["baselines"]["logistic_regression"]["scored"] == pytest.approx(expected)
    assert tuned["score"] < 0  # by the same score


def test_a_stop_keeps_the_best_so_far_without_test_scores_and_before_any_score_nothing(tmp_path, small, short):
    weight, lines = {"class 0": 2.0, "class 1": 1.0, "class 2": 1.0}, []
    config = TrainConfig(n_rules=3, class_weight=weight, random_state=1)
    store, record = tune(tmp_path, config, small, stop_after(14, lines))
    assert (record.state, record.message, record.rca, record.bca) == ("stopped", "Enough.", None, None)
    metrics = store.open(record.id).metrics()
    assert not {"rca", "bca", "baselines", "test_rows"} & set(metrics)
    assert metrics["cv_bca"] == max(one["score"] for one in metrics["trials"]) > 0.3
    assert metrics["best"] in [one["config"] for one in metrics["trials"]]
    assert {name for name, _ in lines} == {"trials"}
    assert all(one["config"]["class_weight"] == weight for _, one in lines)  # of the settings
    answers = iter(["", "", ""])
    store, record = tune(tmp_path, short, small, {"stop_reason": lambda: next(answers, "Enough.")})
    assert (record.state, record.message) == ("stopped", "Enough.")
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()


@pytest.mark.parametrize(("role", "name"), [("group", "groups"), ("time", "time")])
def test_groups_and_time_are_respected(tmp_path, short, role, name, monkeypatch):
    given, fit_iter = [], TSKClassifierCV.fit_iter
    watched = lambda self, *arguments, **options: given.append(options) or fit_iter(self, *arguments, **options)  # noqa: E731
    monkeypatch.setattr(TSKClassifierCV, "fit_iter", watched)
    table, lines = make_table(rows=160, classes=2), []
    frame = table.frame.assign(day=np.arange(160) // 4)
    dataset = make_dataset(frame, table.target, name="days", choices=Choices(roles={"day": role}))
    _, record = tune(tmp_path, short, dataset, stop_after(12, lines))
    assert record.state == "stopped" and len(lines) >= 12
    np.testing.assert_array_equal(given[0][name], dataset.fit_params(dataset.split(test_size=0.3, seed=1).train)[name])


def test_each_candidate_is_recorded_whenever_its_result_changes_and_the_first_are_the_settings_of_today(finished, short):
    store, record, _ = finished
    records, metrics = store.open(record.id).records("trials"), store.open(record.id).metrics()
    assert records[0]["number"] == 1 and TrainConfig.from_dict(records[0]["config"]).differing(short) in ([], ["max_epochs"])
    latest, seconds = {}, [one["seconds"] for one in records]
    for one in records:
        trial = {name: value for name, value in one.items() if name != "seconds"}
        assert trial != latest.get(one["number"])
        latest[one["number"]] = trial
    assert sorted(latest.values(), key=lambda one: one["number"]) == sorted(metrics["trials"], key=lambda one: one["number"])
    assert seconds == sorted(seconds) and seconds[0] >= 0 and seconds[-1] <= metrics["seconds"]


def test_test_rows_never_reach_the_search_and_progress_is_in_seconds(finished, watched, small, short):
    dataset = finished[2]
    train = dataset.split(test_size=0.3, seed=1).train
    ((X, y),) = watched.rows
    assert X.equals(dataset.X.iloc[train]) and y.tolist() == np.asarray(dataset.y)[train].tolist()
    assert watched.done == sorted(watched.done) and watched.done[-1] <= LONG
    assert Tuning(short, small, 20.5).steps == 21


def test_what_no_search_may_be_is_refused_before_it_begins(small, short, monkeypatch):
    with pytest.raises(SettingError, match="scoring is 'r2'"):
        Tuning(short, small, scoring="r2").check()
    monkeypatch.setenv("TSK_MAX_RULES", "2")
    with pytest.raises(LimitError, match="TSK_MAX_RULES"):
        Tuning(short, small).check()
