"""The order of training rows does not matter where one batch holds them all."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core import TSKClassifier, fit_many

QUICK = {"n_rules": 4, "max_epochs": 5, "random_state": 0, "batch_size": 1024}


def equal(one, other, X):
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.to_dict() == other.to_dict()
    assert [epoch.loss for epoch in one.history_] == [epoch.loss for epoch in other.history_]


@st.composite
def tables(draw):
    """A table of columns that differ in scale, repeated rows, signed zeros, categories with ties, and missing values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(8, 200))
    offset = draw(st.sampled_from([0.0, 1.7e9, -3e-7]))
    X = pd.DataFrame(
        {
            "a": offset + rng.normal(size=n_rows),
            "b": rng.choice([-0.0, 0.0, 1.0], n_rows),
            "c": rng.choice(["x", "y", None], n_rows),
        }
    )
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
    clf = TSKClassifier(**QUICK | params).fit(X, y, weight)
    shuffled = TSKClassifier(**QUICK | params).fit(X.iloc[order], y[order], None if weight is None else weight[order])
    equal(clf, shuffled, X)


@pytest.mark.parametrize("by", [None, "groups", "time"])
def test_shuffled_rows_give_the_same_hold_outs(mixed, by):
    X, y = mixed
    X = X.drop(columns="size")  # many rows are alike, but for their group and time
    rng = np.random.default_rng(0)
    order = rng.permutation(len(y))
    values = {None: None, "groups": rng.choice([*"abcdefgh", None], len(y)), "time": rng.integers(0, 50, len(y))}[by]
    params = QUICK | {"early_stopping": True, "max_epochs": 15, "patience": 3, "batch_size": 1024}
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


def test_shuffled_rows_of_a_stack_give_the_same_models(iris):
    X, y = iris
    order = np.random.default_rng(0).permutation(150)
    parts = [np.arange(100), np.arange(50, 150)]
    models = fit_many([TSKClassifier(**QUICK) for _ in parts], X, y, rows=parts)
    moved = [np.argsort(order)[part[::-1]] for part in parts]
    others = fit_many([TSKClassifier(**QUICK) for _ in parts], X.iloc[order], y.iloc[order], rows=moved)
    for one, other in zip(models, others, strict=True):
        equal(one, other, X)
