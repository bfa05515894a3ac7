"""A tree and a rule list of the same number of conditions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import make_table
from tsk_core.data.folds import folds
from tsk_core.errors import DataError, SettingError
from tsk_core.evaluate import same_size
from tsk_core.evaluate.same_size import equal_size, sample


def rows_of(dataset, seed=0):
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    return dataset.X.iloc[split.train], y[split.train], dataset.X.iloc[split.test], y[split.test]


def test_a_hand_made_table_has_the_rules_that_one_would_write():
    """Fruit: red is an apple, other fruit over 12 cm a melon, the rest plums."""
    colours, sizes = np.array(["red", "green", "blue"]), np.array([4.0, 8.0, 16.0, 20.0])
    X = pd.DataFrame({"colour": np.repeat(colours, 4), "size": np.tile(sizes, 3)})
    y = np.where(X["colour"] == "red", "apple", np.where(X["size"] > 12, "melon", "plum"))
    X, y = pd.concat([X] * 5, ignore_index=True), np.tile(y, 5)
    new = pd.DataFrame({"colour": ["red", "blue", "green", "violet"], "size": [30.0, 13.0, 1.0, np.nan]})
    tree, rules = equal_size(X, y, new, np.array(["apple", "melon", "plum", "plum"]), 5)
    # red -> apple; not red and > 12 -> melon; not red and <= 12 -> plum
    assert tree[:3] == ("CART", 5, 3)
    # red -> apple; > 12 -> melon; otherwise plum
    assert rules[:3] == ("rule list", 2, 3)
    assert tree.rca == tree.bca == rules.rca == rules.bca == 1
    smaller = equal_size(X, y, new, np.array(["apple", "melon", "plum", "plum"]), 4)[0]
    assert smaller[:3] == ("CART", 2, 2) and smaller.rca < 1


@given(st.integers(1, 60), st.integers(0, 5))
def test_neither_ever_has_more_conditions_than_asked_for(conditions, seed):
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=60), "b": random.choice(["u", "v", "w"], 60), "c": random.integers(4, size=60)})
    X.loc[::7, "a"] = np.nan
    y = np.where(random.random(60) < 0.2, random.integers(3, size=60), (X["a"] > 0) + (X["b"] == "v"))
    peers = equal_size(X[:40], y[:40], X[40:], y[40:], conditions, seed=seed)
    assert [peer.name for peer in peers] == ["CART", "rule list"]
    for peer in peers:
        assert 0 <= peer.conditions <= conditions and 1 <= peer.rules <= conditions + 1
        assert 0 <= peer.rca <= 1 and 0 <= peer.bca <= 1


def test_rare_classes_weigh_as_much_where_that_helps_balanced_accuracy():
    random = np.random.default_rng(1)
    y = (random.random(900) < 0.12).astype(int)
    X = random.normal(size=(900, 3)) + y[:, None] * [1.2, 0.6, 0.0]
    for peer in equal_size(X[:600], y[:600], X[600:], y[600:], 6):
        assert peer.bca > 0.65, peer  # without class weights nearly all rows are of the common class: .5 to .6


def test_many_rows_are_sampled_in_proportion_to_choose_settings():
    y = np.random.default_rng(0).choice(["a", "b", "c"], 10_000, p=[0.7, 0.25, 0.05])
    rows = sample(y, 0)
    assert 2000 <= len(rows) <= 3000 and (np.diff(rows) > 0).all()
    for name in "abc":
        assert np.mean(y[rows] == name) == pytest.approx(np.mean(y == name), abs=0.001)
    assert (sample(y[:3000], 0) == np.arange(3000)).all()


def test_classes_of_one_row_or_none_and_tables_of_two_rows_do():
    X, y, X_test, y_test = rows_of(make_table(rows=90))
    assert all(peer.rca == 0 for peer in equal_size(X, y, X_test, np.full(len(y_test), "new"), 9))
    assert all(peer.rca is None and peer.bca is None for peer in equal_size(X, y, X_test[:0], y_test[:0], 9))
    X = pd.DataFrame({"a": [0.0, 1.0], "b": ["x", "y"]})
    tree, rules = equal_size(X, ["no", "yes"], X, ["no", "yes"], 8)
    assert tree.rca == rules.rca == 1 and (tree.conditions, rules.conditions) == (2, 1)
    table = make_table(rows=31, classes=2)
    y = np.asarray(table.y).copy()
    y[0] = "alone"
    assert all(peer.rca > 0.5 for peer in equal_size(table.X, y, table.X, y, 8))


def test_what_it_cannot_use_is_refused_in_one_sentence():
    X, y, X_test, y_test = rows_of(make_table(rows=60))
    for wrong in (0, -1, 2.5, True, "8"):
        with pytest.raises(SettingError, match=r"whole number of at least 1\.$"):
            equal_size(X, y, X_test, y_test, wrong)
    with pytest.raises(DataError, match="one class only: 'class 0'"):
        equal_size(X, np.full(len(y), "class 0"), X_test, y_test, 8)
    with pytest.raises(DataError, match="there is no row"):
        equal_size(X[:0], y[:0], X_test, y_test, 8)
    with pytest.raises(DataError, match="Each of the 42 training rows needs one class"):
        equal_size(X, y[1:], X_test, y_test, 8)
    with pytest.raises(DataError, match="1 of 18 test rows have no class"):
        equal_size(X, y, X_test, np.where(np.arange(18) == 3, None, y_test), 8)


def test_settings_are_chosen_with_folds_that_keep_groups_whole(monkeypatch):
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 10)
    X, y, seen = rng.normal(size=(200, 3)), rng.choice(["a", "b"], 20)[groups], []

    def recorded(*arguments, **given):
        made = folds(*arguments, **given)
        seen.extend(made)
        return made

    monkeypatch.setattr(same_size, "folds", recorded)
    equal_size(X, y, X, y, 4, groups=groups)
    assert len(seen) == 10
    assert all(not set(groups[fold.train]) & set(groups[fold.test]) for fold in seen)
    equal_size(X, y, X, y, 4, time=np.arange(200.0))
    assert all(fold.train.max() < fold.test.min() for fold in seen[10:])
