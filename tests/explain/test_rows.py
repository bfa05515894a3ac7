"""Rows to show: some of each class, ranges for sliders, two principal components; all JSON-ready."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from tsk_core.data import Split
from tsk_core.errors import DataError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.explain import rows_to_show
from tsk_core.explain.rows import rows_per_class


def fitted(X, y, share=0.7, seed=0):
    """A classifier after one epoch on a part of the rows, and the split."""
    order = np.random.default_rng(seed).permutation(len(y))
    first = np.unique(y, return_index=True)[1]  # a row of each class has to train
    order = np.concatenate([first, order[~np.isin(order, first)]])
    cut = max(len(first), 2, int(share * len(y)))
    split = Split(np.sort(order[:cut]), np.sort(order[cut:]))
    rows = X.iloc[split.train] if isinstance(X, pd.DataFrame) else X[split.train]
    return TSKClassifier(n_rules=2, max_epochs=1, random_state=0).fit(rows, np.asarray(y)[split.train]), split


def shown_rows(model, *rows, **options):
    return rows_to_show(model.encoder_, model.classes_, *rows, **options)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, *fitted(X, y)


def mixed(rows=90, seed=0):
    """Numbers with missing values, a category, a constant, and 3 classes."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({
        "size": np.where(random.random(rows) < 0.2, np.nan, random.normal(10, 3, rows)),
        "colour": random.choice(["red", "green", None], rows),
        "same": np.full(rows, 7.0),
    })  # fmt: skip
    return X, np.array(["a", "b", "c"])[np.arange(rows) % 3]


def test_small_tables_are_shown_whole_as_the_model_sees_them(iris):
    X, y, model, split = iris
    shown = shown_rows(model, X, y, split)
    assert shown["row"] == list(range(150)) and shown["y"] == y.tolist()
    assert np.flatnonzero(shown["part"]).tolist() == split.test.tolist()
    np.testing.assert_allclose(shown["x"], X, rtol=1e-5)


def test_missing_values_are_filled_and_categories_are_columns():
    X, y = mixed()
    model, split = fitted(X, y)
    shown = shown_rows(model, X, y, split)
    assert len(shown["columns"]) == len(shown["x"][0]) == len(model.to_dict()["columns"])
    np.testing.assert_allclose(shown["x"], model.encoder_.transform(X), rtol=1e-5)
    kinds = [column["kind"] for column in model.to_dict()["columns"]]
    for kind, values in zip(kinds, zip(*shown["x"], strict=True), strict=True):
        assert kind == "number" or {(type(value), value) for value in values} <= {(int, 0), (int, 1)}


@pytest.mark.parametrize("frame", [False, True])
def test_sliders_range_over_all_rows(iris, frame):
    X, y, model, split = iris
    wanted = pd.DataFrame(X) if frame else X
    for column, values in zip(shown_rows(model, wanted, y, split, most=5)["columns"], X.T, strict=True):
        assert [column[name] for name in ("low", "high")] == pytest.approx([values.min(), values.max()])


# Which rows.


def slow_shares(counts, most):
    """A quarter shared alike, and what is left in exact proportion, parts of rows included."""
    taken = [min(n, max(1, most // (4 * len(counts)))) for n in counts]
    left = [n - t for n, t in zip(counts, taken, strict=True)]
    left_over = most - sum(taken)
    return [t + left_over * n / max(1, sum(left)) for t, n in zip(taken, left, strict=True)]


@given(st.lists(st.integers(0, 500), min_size=1, max_size=12).filter(any), st.integers(1, 300))
def test_shares_add_up_to_the_rows_asked_for_and_come_within_a_row_of_the_proportion(counts, most):
    shares = rows_per_class(np.array(counts), most)
    assert shares.sum() == min(most, sum(counts))
    assert all(0 <= share <= count for share, count in zip(shares, counts, strict=True))
    present = sum(count > 0 for count in counts)
    assert (shares > 0).sum() == min(present, most)
    if len(counts) <= most < sum(counts):
        assert all(abs(share - exact) < 1 + 1e-9 for share, exact in zip(shares, slow_shares(counts, most), strict=True))


def test_a_rare_class_keeps_rows_and_each_row_is_shown_once():
    y = np.array(["common"] * 20_000 + ["rare"] * 30)
    X = np.random.default_rng(0).normal(size=(len(y), 2))
    model, split = fitted(X, y)
    shown = shown_rows(model, X, y, split, most=400)
    assert len(shown["row"]) == 400 == len(set(shown["row"])) and shown["row"] == sorted(shown["row"])
    assert sum(shown["y"]) == 30
    assert 60 < sum(shown["part"]) < 180  # of 120 expected
    assert [["common", "rare"][c] for c in shown["y"]] == y[shown["row"]].tolist()


# The view.


def points(view, x):
    """As a browser does it."""
    return [
        [
            sum((v - m) / s * a for v, m, s, a in zip(row, view["center"], view["scale"], axis, strict=True))
            for axis in view["axes"]
        ]
        for row in x
    ]


def test_the_view_is_the_eigenvectors_of_the_correlation_matrix_and_points_are_made_by_its_formula(iris):
    X, y, model, split = iris
    view = shown_rows(model, X, y, split)["view"]
    values, vectors = np.linalg.eigh(np.corrcoef(X[split.train].T))
    for k in range(2):
        assert abs(np.dot(view["axes"][k], vectors[:, -1 - k])) == pytest.approx(1, abs=1e-5)
        assert view["share"][k] == pytest.approx(values[-1 - k] / values.sum(), rel=1e-5)
    shown = shown_rows(model, X, y, split)
    train = [x for x, part in zip(shown["x"], shown["part"], strict=True) if not part]
    spread = np.var(points(shown["view"], train), axis=0)
    np.testing.assert_allclose(spread / 4, shown["view"]["share"], rtol=1e-3)
    np.testing.assert_allclose(np.mean(points(shown["view"], train), axis=0), 0, atol=1e-3)


@given(rows=st.integers(6, 40), columns=st.integers(1, 6), seed=st.integers(0, 10**6), scale=st.sampled_from([1e-6, 1, 1e9]))
def test_axes_are_orthogonal_and_shares_add_up_to_one_at_most(rows, columns, seed, scale):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns)) * scale + random.choice([0, 1e9])
    X[:, random.integers(columns)] = 3.0  # one is constant
    y = np.arange(rows) % 2
    model, split = fitted(X, y)
    shown = shown_rows(model, X, y, split)
    axes, share = np.array(shown["view"]["axes"]), shown["view"]["share"]
    assert axes.shape == (2, columns) and 0 <= share[1] <= share[0] and sum(share) <= 1 + 1e-5
    for axis, part in zip(axes, share, strict=True):
        assert np.linalg.norm(axis) == pytest.approx(1 if part else 0, abs=1e-4)
    assert abs(axes[0] @ axes[1]) < 1e-4
    json.dumps(shown, allow_nan=False)


def test_one_feature_has_one_axis_and_constant_features_have_none():
    y = np.arange(30) % 2
    model, split = fitted(np.arange(30.0)[:, None], y)
    view = shown_rows(model, np.arange(30.0)[:, None], y, split)["view"]
    assert (view["axes"], view["share"]) == ([[1], [0]], [1, 0])
    model, split = fitted(np.ones((30, 3)), y)
    shown = shown_rows(model, np.ones((30, 3)), y, split)
    assert (shown["view"]["axes"], shown["view"]["share"]) == ([[0, 0, 0]] * 2, [0, 0])
    assert shown["columns"] == [{"low": 1, "high": 1}] * 3
    assert points(shown["view"], shown["x"])[0] == [0, 0]


# Large, and wrong.


def test_times_stay_apart_though_they_are_far_from_zero():
    X, y = np.column_stack([1.7e9 + np.arange(40.0), np.arange(40.0) % 7]), np.arange(40) % 2
    model, split = fitted(X, y)
    shown = shown_rows(model, X, y, split)
    assert len({row[0] for row in shown["x"]}) == 40
    assert np.ptp(points(shown["view"], shown["x"]), axis=0).min() > 1


@pytest.mark.parametrize("columns", [300, 2000])
def test_wide_tables_show_fewer_rows_and_stay_below_two_megabytes(columns):
    X, y = np.random.default_rng(0).normal(size=(600, columns)) * 1e-9 - 1e-4, np.arange(600) % 3
    model, split = fitted(X, y)
    shown = shown_rows(model, X, y, split)
    assert 10 <= len(shown["row"]) < 600 and set(shown["y"]) == {0, 1, 2}
    assert len(json.dumps(shown)) < 2_000_000


def test_a_split_or_table_that_does_not_fit_is_refused(iris):
    X, y, model, split = iris
    for wrong in (Split(split.train, split.test[1:]), Split(split.train, split.train), Split(split.train[:0], np.arange(150))):
        with pytest.raises(DataError, match="150 rows exactly once"):
            shown_rows(model, X, y, wrong)
    with pytest.raises(DataError, match="equally many"):
        shown_rows(model, X[:-1], y, split)
    with pytest.raises(DataError, match="at least"):
        shown_rows(model, X, y, split, most=0)
    with pytest.raises(DataError, match="no training rows"):
        shown_rows(model, X, np.where(y == 2, 9, y), split)
    with pytest.raises(DataError, match="4 columns"):
        shown_rows(model, X[:, :2], y, split)
