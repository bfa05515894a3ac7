"""A fit that fails leaves the classifier as it was, or unfitted; a fit that succeeds leaves nothing of an earlier one."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tsk_core import TSKClassifier, TSKClassifierCV
from tsk_core.errors import DataError, SettingError, TrainingError
from tsk_core.estimators import training

QUICK = {"n_rules": 4, "max_epochs": 15, "random_state": 0}


@pytest.fixture
def other(iris):
    """A table with one feature less and other classes."""
    X, y = iris
    return X.iloc[:, :3], np.array(["c", "a", "b"])[y]


def state(classifier, X):
    """What a caller sees of a fitted classifier."""
    names, scores = list(classifier.feature_names_in_), classifier.decision_function(X).tolist()
    return (
        names,
        scores,
        classifier.classes_.tolist(),
        classifier.n_features_in_,
        len(classifier.history_),
        str(classifier.rules()),
    )


def test_a_refit_that_diverges_leaves_the_classifier_as_it_was(iris, other):
    clf = TSKClassifier(**QUICK).fit(*iris)
    before = state(clf, iris[0])
    with pytest.raises(TrainingError):
        clf.set_params(learning_rate=1e30, optimizer="adam").fit(*other)
    assert state(clf, iris[0]) == before


def test_a_refit_on_rows_that_are_refused_leaves_the_classifier_as_it_was(iris, other):
    clf = TSKClassifier(**QUICK).fit(*iris)
    before = state(clf, iris[0])
    with pytest.raises(DataError, match="one class"):
        clf.fit(other[0], np.zeros(150))
    with pytest.raises(DataError, match="no training rows"):
        next(clf.fit_iter(*other, other[0], np.full(150, "unknown")))
    assert state(clf, iris[0]) == before


def test_a_refit_that_fails_after_its_hold_outs_leaves_the_classifier_unfitted(iris, other, monkeypatch):
    train = training.train

    def failing(specs, table, test):
        for (progress,) in train(specs, table, test):
            if progress.epoch.stage == "training":
                yield [progress._replace(epoch=None)]
                return
            yield [progress]

    clf = TSKClassifier(**QUICK, early_stopping=True, patience=3).fit(*iris)
    monkeypatch.setattr(training, "train", failing)
    with pytest.raises(TrainingError):
        for _ in clf.fit_iter(*other):
            assert clf.classes_.tolist() == ["a", "b", "c"] and clf.n_features_in_ == 3 == clf.rules_.centers.shape[-1]
    with pytest.raises(NotFittedError):
        clf.predict(iris[0])
    assert not hasattr(clf, "classes_") and not hasattr(clf, "history_")


def test_between_epochs_of_a_refit_every_part_is_of_the_new_training(iris, other):
    clf = TSKClassifier(**QUICK).fit(*iris)
    for at, epoch in enumerate(clf.fit_iter(*other), 1):
        assert len(clf.history_) == at and clf.history_[-1] == epoch
        assert set(clf.predict(other[0])) <= {"a", "b", "c"} and clf.n_features_in_ == 3


@pytest.mark.parametrize("wrong", ["x", np.random.default_rng(0), np.array([1, 2]), 1.5])
def test_a_random_state_of_another_kind_is_named(iris, wrong):
    with pytest.raises(SettingError, match=r"^random_state is .*; it must be None, a whole number"):
        TSKClassifier(random_state=wrong).fit(*iris)
    with pytest.raises(SettingError, match="random_state"):
        TSKClassifierCV(random_state=wrong).fit(*iris)


def test_without_a_random_state_numpys_seed_decides(iris):
    seeds = []
    for seed in (5, 5, 6):
        np.random.seed(seed)
        seeds.append(TSKClassifier(n_rules=2, max_epochs=1).fit(*iris).seed_)
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_random_state_of_numpy_gives_another_seed_each_time(iris):
    random = np.random.RandomState(0)
    clf = TSKClassifier(n_rules=2, max_epochs=1, random_state=random)
    assert clf.fit(*iris).seed_ != clf.fit(*iris).seed_


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_missing_labels_are_counted(iris, missing):
    labels = np.array(["a", "b", "c"], object)[iris[1]]
    labels[[17, 40]] = missing
    for y in (labels, labels.tolist(), pd.Series(labels)):
        with pytest.raises(DataError, match=r"^y has no label in 2 of 150 rows, the first of them row 17 \(counted from 0\)"):
            TSKClassifier(**QUICK).fit(iris[0], y)


def test_a_search_that_is_stopped_keeps_no_model_of_an_earlier_one(iris, other):
    search = TSKClassifierCV(1e6, 2, random_state=0)
    seconds, stop = [], []

    def run(X, y, most):
        seconds.clear()
        stop.clear()
        for _ in search.fit_iter(X, y, stopped=lambda: stop.append(1) or len(stop) > most, clock=lambda: float(len(stop))):
            pass

    search.budget = 200
    run(*iris, 10**9)
    assert search.predict(iris[0]).tolist()
    run(*other, 60)
    assert search.classes_.tolist() == ["a", "b", "c"] and search.n_features_in_ == 3
    with pytest.raises(NotFittedError):
        search.predict(other[0])
