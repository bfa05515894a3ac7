"""What a thumbnail shows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import load_dataset, make_dataset
from tsk_core.data.gallery import best_feature_pair, entry, sample_points


def dataset(**columns):
    return make_dataset(pd.DataFrame(columns), "class", name="t")


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    y = np.resize([0, 1], 300)
    return {
        "noise": rng.normal(size=300), "good": y + rng.normal(size=300) / 4, "fair": y + rng.normal(size=300) / 2,
        "word": np.resize(["u", "v", "w"], 300), "class": np.array(["no", "yes"])[y],
    }  # fmt: skip


def test_the_pair_that_separates_the_classes_best_is_taken_if_there_is_one(columns):
    assert best_feature_pair(dataset(**columns)) == ("good", "fair")
    assert best_feature_pair(load_dataset("moons")) == ("x", "y")
    twice = columns | {"twice": 2 * columns["good"]}
    assert best_feature_pair(dataset(**twice)) == ("good", "fair")
    only = {name: twice[name] for name in ("good", "twice", "class")}
    assert best_feature_pair(dataset(**only)) == ("good", "twice")
    few = {name: columns[name] for name in ("good", "word", "class")}
    assert best_feature_pair(dataset(**few)) is None
    assert sample_points(dataset(**few)) is None


def test_a_feature_equal_to_the_class_and_missing_values_are_handled(columns):
    exact = columns | {"exact": (columns["class"] == "yes").astype(float) * 3, "good": pd.Series(columns["good"])}
    exact["good"][::3] = np.nan
    assert "exact" in best_feature_pair(dataset(**exact))
    x, y, _ = sample_points(dataset(**exact))
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()


def test_a_sample_is_the_same_each_time_and_keeps_the_shares_of_the_classes():
    ds = load_dataset("blobs")  # 900, 75 and 25 rows
    x, y, classes = sample_points(ds)
    assert [(classes == name).sum() for name in ("common", "uncommon", "rare")] == [135, 11, 3]
    assert len(x) == len(y) == len(classes)
    assert all(np.array_equal(a, b) for a, b in zip((x, y, classes), sample_points(ds), strict=True))
    points = set(zip(ds.X["x"], ds.X["y"], ds.y, strict=True))
    assert set(zip(x, y, classes, strict=True)) <= points


@given(st.lists(st.integers(2, 60), min_size=2, max_size=12), st.integers(1, 100))
def test_a_sample_has_every_class_and_no_more_rows_than_asked_for(counts, most):
    y = np.repeat([f"c{k}" for k in range(len(counts))], counts)
    rows = np.arange(len(y)) % 7
    ds = dataset(a=rows * 1.0, b=rows**2 * 1.0, **{"class": y})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry, "POINTS", most)
        classes = sample_points(ds)[2]
    assert set(classes) == set(y)
    assert len(classes) <= max(most, len(counts))
