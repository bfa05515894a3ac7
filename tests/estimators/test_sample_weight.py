"""sample_weight: what a row counts in training."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.utils.fixes import parse_version

from tsk_core import TSKClassifier, fit_many
from tsk_core.errors import DataError

SKLEARN_1_9 = parse_version(sklearn.__version__) >= parse_version("1.9")
QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


def equal(one, other, X):
    same_model(one, other, X)
    assert str(one.rules()) == str(other.rules())


def same_model(one, other, X):
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.to_dict() == other.to_dict()


@pytest.mark.parametrize(
    "settings",
    [
        {"init": "fcm", "batch_norm": "gbn", "firing": "htsk"},
        {"early_stopping": True, "patience": 3, "class_weight": "balanced"},
    ],
)
def test_a_row_of_weight_0_is_as_if_absent(mixed, settings):
    X, y = mixed
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    X = X.assign(size=X["size"].where(weight > 0, 1e6), colour=X["colour"].where(weight > 0, "nobody's"))
    group, kept = np.arange(len(y)) // 3, weight > 0
    clf = TSKClassifier(**QUICK | settings).fit(X, y, weight, groups=group)
    equal(clf, TSKClassifier(**QUICK | settings).fit(X[kept], y[kept], weight[kept], groups=group[kept]), X[kept])
    (together,) = fit_many([TSKClassifier(**QUICK | settings)], X, y, sample_weight=weight, groups=group)
    np.testing.assert_allclose(together.decision_function(X), clf.decision_function(X), rtol=1e-3, atol=2e-3)


@pytest.mark.parametrize("weight", [1, 0.25, 7])
def test_equal_weights_are_no_weights(iris, weight):
    plain = TSKClassifier(**QUICK).fit(*iris)
    equal(TSKClassifier(**QUICK).fit(*iris, np.full(150, weight)), plain, iris[0])
    equal(TSKClassifier(**QUICK).fit(*iris, weight), plain, iris[0])


@pytest.mark.parametrize(
    "settings", [{}, {"batch_norm": "gbn", "init": "fcm"}, {"class_weight": "balanced"}, {"early_stopping": True, "patience": 3}]
)
def test_whole_weights_repeat_rows(mixed, settings):
    X, y = mixed
    weight, group = np.random.default_rng(0).integers(0, 4, len(y)), np.arange(len(y)) // 3
    rows, groups = np.repeat(np.arange(len(y)), weight), np.repeat(group, weight)
    repeated = TSKClassifier(**QUICK | settings).fit(X.iloc[rows], y[rows], groups=groups)
    equal(TSKClassifier(**QUICK | settings).fit(X, y, weight, groups=group), repeated, X)
    equal(TSKClassifier(**QUICK | settings).fit(X, y, 6.0 * weight, groups=group), repeated, X)
    (together,) = fit_many([TSKClassifier(**QUICK | settings)], X, y, sample_weight=weight, groups=group)
    np.testing.assert_allclose(together.decision_function(X), repeated.decision_function(X), rtol=1e-3, atol=2e-3)


def test_copies_of_a_row_are_one_group_of_a_hold_out_and_of_intervals(iris):
    X, y = iris
    weight = 1 + np.arange(150) % 3
    settings = QUICK | {"early_stopping": True, "patience": 3}
    rows = np.repeat(np.arange(150), weight)
    repeated = TSKClassifier(**settings).fit(X.iloc[rows], y.iloc[rows], groups=rows)
    equal(TSKClassifier(**settings).fit(X, y, weight), repeated, X)  # intervals of rules draw whole groups


def test_a_fold_of_fit_many_has_all_copies_of_its_rows(iris):
    X, y = iris
    weight, parts = np.arange(150) % 3, [np.arange(50, 150), np.r_[140:20:-1, 30]]
    rows = np.repeat(np.arange(150), weight)
    copies = [np.concatenate([np.flatnonzero(rows == row) for row in part]) for part in parts]
    weighted = fit_many([TSKClassifier(**QUICK) for _ in parts], X, y, rows=parts, sample_weight=weight)
    repeated = fit_many([TSKClassifier(**QUICK) for _ in parts], X.iloc[rows], y.iloc[rows], rows=copies, groups=rows)
    for one, other in zip(weighted, repeated, strict=True):
        equal(one, other, X)


@pytest.mark.parametrize("weight", [1 + 99 * (np.arange(150) % 2), 1 + 1e9 * (np.arange(150) % 2), np.arange(150) % 2 + 0.5])
def test_large_and_broken_weights_count_in_the_cross_entropy(iris, weight):
    clf = TSKClassifier(**QUICK).fit(*iris, weight)
    assert clf.history_[-1].entropy.sum() == 150  # rows that were trained on
    assert TSKClassifier(**QUICK).fit(*iris, 1 + np.arange(150) % 2).history_[-1].entropy.sum() == 225


def test_weights_are_relative(iris):
    weight = np.random.default_rng(0).uniform(0.5, 2, 150)
    one, other = (TSKClassifier(**QUICK).fit(*iris, weight * scale) for scale in (1, 2**40))
    equal(one, other, iris[0])
    assert one.history_[-1].loss_ce != TSKClassifier(**QUICK).fit(*iris).history_[-1].loss_ce


def test_weights_of_a_whole_class_are_its_class_weight(iris):
    X, y = iris
    by_class = TSKClassifier(**QUICK, class_weight={0: 1, 1: 0.5, 2: 0.25}).fit(X, y)
    by_row = TSKClassifier(**QUICK).fit(X, y, np.array([1, 0.5, 0.25])[y])
    np.testing.assert_allclose(by_row.decision_function(X), by_class.decision_function(X), rtol=1e-3, atol=1e-3)
    both = TSKClassifier(**QUICK, class_weight={0: 1, 1: 2, 2: 4}).fit(X, y, np.array([1, 0.5, 0.25])[y])
    plain = TSKClassifier(**QUICK).fit(X, y)
    np.testing.assert_allclose(both.decision_function(X), plain.decision_function(X), rtol=1e-3, atol=1e-3)


def test_balanced_classes_count_weights_and_not_rows(iris):
    X, y = iris
    weight = np.array([1, 0.5, 0.25])[y]
    balanced = TSKClassifier(**QUICK, class_weight="balanced").fit(X, y, weight)
    np.testing.assert_allclose(
        balanced.decision_function(X), TSKClassifier(**QUICK).fit(X, y).decision_function(X), rtol=1e-3, atol=1e-3
    )


def test_the_heavier_of_two_contradicting_rows_is_learnt():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(150, 2)), 2, axis=0)
    y = np.tile([0, 1], 150)  # every point has both classes
    wanted = X[:, 0] > 0
    clf = TSKClassifier(**QUICK).fit(X, y, np.where(y == wanted, 9, 1))
    assert (clf.predict(X) == wanted).mean() > 0.9
    assert 0.8 < clf.predict_proba(X).max(1).mean() < 0.98  # nine to one


def test_rows_of_each_model_keep_their_numbers(iris):
    X, y = iris
    weight = np.where(np.arange(150) % 5 == 0, 0, 1 + np.arange(150) % 3)
    parts = [np.arange(0, 100), np.arange(50, 150)]
    models = fit_many([TSKClassifier(**QUICK) for _ in parts], X, y, rows=parts, sample_weight=weight)
    kept = np.flatnonzero(weight)
    renumbered = [np.searchsorted(kept, np.intersect1d(part, kept)) for part in parts]
    others = fit_many(
        [TSKClassifier(**QUICK) for _ in parts], X.iloc[kept], y.iloc[kept], rows=renumbered, sample_weight=weight[kept]
    )
    for model, other in zip(models, others, strict=True):
        equal(model, other, X)
    with pytest.raises(DataError, match=r"rows\[0\] must hold at least 2 rows of positive sample_weight, got 1"):
        fit_many([TSKClassifier(**QUICK)], X, y, rows=[[0, 3, 5]], sample_weight=weight)


def test_a_stream_takes_weights(iris):
    weight = np.random.default_rng(0).uniform(0.5, 2, 150)
    streamed = TSKClassifier(**QUICK)
    assert len(list(streamed.fit_iter(*iris, sample_weight=pd.Series(weight)))) == 20
    whole = TSKClassifier(**QUICK).fit(*iris, weight)
    np.testing.assert_allclose(streamed.decision_function(iris[0]), whole.decision_function(iris[0]), rtol=1e-3, atol=1e-3)


def test_extreme_weights_leave_training_stable(iris):
    weight = 10.0 ** np.random.default_rng(0).uniform(-300, 300, 150)
    clf = TSKClassifier(**QUICK).fit(*iris, weight)
    assert clf.stop_message_ == "" and np.isfinite(clf.decision_function(iris[0])).all()


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        (np.r_[-1, np.ones(149)], "egative"),
        (np.ones(149), "149"),
        (np.r_[np.nan, np.ones(149)], "NaN"),
        (np.zeros(150), "zero" if SKLEARN_1_9 else "0 for every row"),  # where scikit-learn does not refuse them, we do
        (np.arange(150) < 50, "rows of positive sample_weight have one class only: '0'"),
    ],
)
def test_weights_that_do_not_fit_are_refused(iris, weight, sentence):
    with pytest.raises(ValueError, match=sentence):
        TSKClassifier(**QUICK).fit(*iris, weight)
