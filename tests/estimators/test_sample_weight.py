"""What a row counts in training (sample_weight), and that the order of rows that one batch holds does not matter."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.fixes import parse_version

from tsk_core import TSKClassifier, fit_many
from tsk_core.errors import DataError

SKLEARN_1_9 = parse_version(sklearn.__version__) >= parse_version("1.9")
QUICK = {"n_rules": 4, "max_epochs": 8, "random_state": 0}
ORDERED = QUICK | {"max_epochs": 5, "batch_size": 1024}


def equal(one, other, X):
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.to_dict() == other.to_dict()


def alike(one, other, X):
    """Equal, and described alike."""
    equal(one, other, X)
    assert str(one.rules()) == str(other.rules())


def close(one, other, X):
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), rtol=1e-3, atol=2e-3)


@pytest.fixture(scope="module")
def plain(iris):
    return TSKClassifier(**QUICK).fit(*iris)


@pytest.mark.parametrize(
    "settings",
    [{"init": "fcm", "batch_norm": "gbn", "firing": "htsk"}, {"early_stopping": True, "patience": 3, "class_weight": "balanced"}],
)
def test_a_row_of_weight_0_is_as_if_absent(mixed, settings):
    X, y = mixed
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    X = X.assign(size=X["size"].where(weight > 0, 1e6), colour=X["colour"].where(weight > 0, "nobody's"))
    group, kept = np.arange(len(y)) // 3, weight > 0
    clf = TSKClassifier(**QUICK | settings).fit(X, y, weight, groups=group)
    alike(clf, TSKClassifier(**QUICK | settings).fit(X[kept], y[kept], weight[kept], groups=group[kept]), X[kept])
    (together,) = fit_many([TSKClassifier(**QUICK | settings)], X, y, sample_weight=weight, groups=group)
    close(together, clf, X)


@pytest.mark.parametrize("weight", [np.full(150, 0.25), 7], ids=["array", "number"])
def test_equal_weights_are_no_weights(iris, plain, weight):
    alike(TSKClassifier(**QUICK).fit(*iris, weight), plain, iris[0])


@pytest.mark.parametrize(
    "settings", [{"batch_norm": "gbn", "init": "fcm"}, {"class_weight": "balanced"}, {"early_stopping": True, "patience": 3}]
)
def test_whole_weights_repeat_rows(mixed, settings):
    X, y = mixed
    weight, group = np.random.default_rng(0).integers(0, 4, len(y)), np.arange(len(y)) // 3
    rows, groups = np.repeat(np.arange(len(y)), weight), np.repeat(group, weight)
    repeated = TSKClassifier(**QUICK | settings).fit(X.iloc[rows], y[rows], groups=groups)
    alike(TSKClassifier(**QUICK | settings).fit(X, y, 6.0 * weight, groups=group), repeated, X)
    (together,) = fit_many([TSKClassifier(**QUICK | settings)], X, y, sample_weight=weight, groups=group)
    close(together, repeated, X)


def test_copies_of_a_row_are_one_group_of_a_hold_out_and_of_intervals(iris):
    X, y = iris
    weight = 1 + np.arange(150) % 3
    settings = QUICK | {"early_stopping": True, "patience": 3}
    rows = np.repeat(np.arange(150), weight)
    repeated = TSKClassifier(**settings).fit(X.iloc[rows], y.iloc[rows], groups=rows)
    alike(TSKClassifier(**settings).fit(X, y, weight), repeated, X)  # intervals of rules draw whole groups


@pytest.mark.parametrize(
    ("weight", "rows"),
    [
        (1 + 99 * (np.arange(150) % 2), 150),
        (1 + 1e9 * (np.arange(150) % 2), 150),
        (np.arange(150) % 2 + 0.5, 150),
        (1 + np.arange(150) % 2, 225),
    ],
    ids=["large", "huge", "broken", "whole"],
)
def test_small_whole_weights_are_rows_and_others_count_in_the_cross_entropy(iris, weight, rows):
    clf = TSKClassifier(n_rules=2, max_epochs=1, random_state=0).fit(*iris, weight)
    assert clf.history_[-1].entropy.sum() == rows  # that were trained on


def test_weights_are_relative_and_extreme_ones_leave_training_stable(iris, plain):
    weight = np.random.default_rng(0).uniform(0.5, 2, 150)
    one, other = (TSKClassifier(**QUICK).fit(*iris, weight * scale) for scale in (1, 2**40))
    alike(one, other, iris[0])
    assert one.history_[-1].loss_ce != plain.history_[-1].loss_ce
    streamed = TSKClassifier(**QUICK)
    assert len(list(streamed.fit_iter(*iris, sample_weight=pd.Series(weight)))) == 8
    close(streamed, one, iris[0])
    weight = 10.0 ** np.random.default_rng(0).uniform(-300, 300, 150)
    clf = TSKClassifier(**QUICK).fit(*iris, weight)
    assert clf.stop_message_ == "" and np.isfinite(clf.decision_function(iris[0])).all()


def test_weights_of_a_whole_class_are_its_class_weight(iris, plain):
    X, y = iris
    weight = np.array([1, 0.5, 0.25])[y]
    by_class = TSKClassifier(**QUICK, class_weight={0: 1, 1: 0.5, 2: 0.25}).fit(X, y)
    close(TSKClassifier(**QUICK).fit(X, y, weight), by_class, X)
    for undone in ({0: 1, 1: 2, 2: 4}, "balanced"):  # balanced classes count weights and not rows
        close(TSKClassifier(**QUICK, class_weight=undone).fit(X, y, weight), plain, X)


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
        alike(model, other, X)
    with pytest.raises(DataError, match=r"rows\[0\] must hold at least 2 rows of positive sample_weight, got 1"):
        fit_many([TSKClassifier(**QUICK)], X, y, rows=[[0, 3, 5]], sample_weight=weight)


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


@st.composite
def tables(draw):
    """A table of columns that differ in scale, repeated rows, signed zeros, categories with ties, and missing values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(8, 200))
    offset = draw(st.sampled_from([0.0, 1.7e9, -3e-7]))
    a, b, c = offset + rng.normal(size=n_rows), rng.choice([-0.0, 0.0, 1.0], n_rows), rng.choice(["x", "y", None], n_rows)
    X = pd.DataFrame({"a": a, "b": b, "c": c})
    X.loc[rng.random(n_rows) < 0.1, "a"] = np.nan
    rows = rng.integers(n_rows, size=n_rows) if draw(st.booleans()) else np.arange(n_rows)
    y = rng.choice(["no", "yes"], n_rows)
    rows[:2], y[:2] = (0, 1), ("no", "yes")
    return X.iloc[rows], y[rows], rng.permutation(n_rows), rng


@given(
    tables(),
    st.sampled_from([{}, {"init": "random", "batch_norm": "gbn"}, {"init": "fcm"}, {"class_weight": "balanced"}]),
    st.sampled_from(["none", "whole", "real"]),
)
def test_shuffled_rows_give_the_same_model(table, params, weights):
    X, y, order, rng = table
    weight = {"none": None, "whole": rng.integers(1, 4, len(y)), "real": rng.uniform(0.1, 1, len(y))}[weights]
    clf = TSKClassifier(**ORDERED | params).fit(X, y, weight)
    shuffled = TSKClassifier(**ORDERED | params).fit(X.iloc[order], y[order], None if weight is None else weight[order])
    equal(clf, shuffled, X)


@pytest.mark.parametrize("by", [None, "groups", "time"])
def test_shuffled_rows_give_the_same_hold_outs(mixed, by):
    X, y = mixed
    X = X.drop(columns="size")  # many rows are alike, but for their group and time
    rng = np.random.default_rng(0)
    order = rng.permutation(len(y))
    values = {None: None, "groups": rng.choice([*"abcdefgh", None], len(y)), "time": rng.integers(0, 50, len(y))}[by]
    params = ORDERED | {"early_stopping": True, "max_epochs": 15, "patience": 3}
    clf = TSKClassifier(**params).fit(X, y, **{by: values} if by else {})
    shuffled = TSKClassifier(**params).fit(X.iloc[order], y[order], **{by: values[order]} if by else {})
    equal(clf, shuffled, X)
    assert [epoch.loss for epoch in clf.search_history_] == [epoch.loss for epoch in shuffled.search_history_]


def test_more_rows_than_are_clustered_and_described_may_be_shuffled_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(21_000, 3))
    y, order = (X[:, 0] > 0).astype(int), rng.permutation(21_000)
    params = {"n_rules": 3, "max_epochs": 1, "batch_size": 32_768, "random_state": 0}
    equal(TSKClassifier(**params).fit(X, y), TSKClassifier(**params).fit(X[order], y[order]), X[:50])
