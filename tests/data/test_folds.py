"""Folds of cross-validation: what each part may train on and what it tests."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data.folds import folds, make_folds
from tsk_core.data.splitting import group_column, time_column, train_test_column
from tsk_core.errors import DataError


def labels(rows=101, seed=0):
    return np.random.default_rng(seed).choice(["a", "b", "c"], rows, p=[0.7, 0.2, 0.1])


@given(st.lists(st.sampled_from("abc"), min_size=6, max_size=80), st.integers(1, 3), st.integers(2, 3), st.integers(0, 5))
def test_each_repeat_tests_every_row_once_and_classes_are_dealt_evenly(y, repeats, folds, seed):
    y = np.array(y)
    parts = make_folds(y, None, repeats, folds, seed).folds
    assert len(parts) == repeats * folds
    for repeat in range(repeats):
        of_repeat = parts[repeat * folds : (repeat + 1) * folds]
        assert sorted(np.concatenate([part.test for part in of_repeat])) == list(range(len(y)))
        assert np.ptp([len(part.test) for part in of_repeat]) <= 1
        counts = [Counter(y[part.test]) for part in of_repeat]
        assert all(np.ptp([count[name] for count in counts]) <= 1 for name in "abc")
    for part in parts:
        assert not set(part.train) & set(part.test) and len(part.train) + len(part.test) == len(y)


def test_the_seed_decides_and_repeats_differ():
    y = labels()
    one, again, other = (make_folds(y, None, 2, 2, seed).folds for seed in (3, 3, 4))
    assert all((a.test == b.test).all() for a, b in zip(one, again, strict=True))
    assert one[0].test.tolist() != other[0].test.tolist() and one[0].test.tolist() != one[2].test.tolist()


@pytest.mark.parametrize("groups", [2, 17, 1500])
def test_no_group_is_on_both_sides(groups):
    codes = np.random.default_rng(1).integers(0, groups, 3000)
    codes[:groups] = np.arange(groups)
    parts = make_folds(labels(3000), group_column("patient", codes), 3, 2, 0).folds
    for part in parts:
        assert not set(codes[part.train]) & set(codes[part.test])
        assert len(part.train) + len(part.test) == 3000 and min(len(part.train), len(part.test)) > 900 * (groups > 2)


def test_too_few_groups_for_the_folds_are_refused():
    with pytest.raises(DataError, match="at least 3 groups"):
        make_folds(labels(60), group_column("site", np.arange(60) % 2), 1, 3, 0)


def test_with_time_each_split_tests_later_rows_than_it_trains_on():
    times = np.random.default_rng(0).permutation(np.repeat(np.arange(60.0), 4))
    times[:5] = np.nan
    found = make_folds(labels(240), time_column("day", times), 5, 2, 0)
    assert found.title == "Forward-chaining cross-validation (10 splits)" and "'day'" in found.notes[0]
    for part in found.folds:
        assert np.nanmax(times[part.train]) < np.nanmin(times[part.test]) and set(range(5)) <= set(part.train)
    tested = np.concatenate([part.test for part in found.folds])
    assert len(set(tested)) == len(tested) == pytest.approx(120, abs=4)
    assert np.ptp([len(part.test) for part in found.folds]) <= 8


def test_fewer_times_give_fewer_splits_and_a_note_says_so():
    dates = pd.to_datetime(["2024-01-01"] * 30 + ["2024-02-01"] * 30 + ["2024-03-01"] * 30).to_numpy()
    found = make_folds(labels(90), time_column("month", dates), 5, 2, 0)
    assert len(found.folds) == 2 and "2 of the 10 splits" in found.notes[0] and "(2 splits)" in found.title
    assert [len(part.train) for part in found.folds] == [30, 60]


def test_a_column_that_decides_the_split_keeps_its_test_rows_out():
    codes = np.arange(90) % 3 // 2  # two thirds training rows
    split_column = train_test_column("part", codes, pd.Series(["train", "test"]), np.array([60, 30]))
    found = make_folds(labels(90), split_column, 2, 2, 0)
    assert "60 training rows only" in found.notes[0]
    for part in found.folds:
        assert sorted([*part.train, *part.test]) == np.flatnonzero(codes == 0).tolist()


def test_a_class_of_one_row_is_noted():
    y = np.array(["a"] * 10 + ["b"] * 9 + ["c"])
    notes = make_folds(y, None, 1, 2, 0).notes
    assert notes == (
        "In 1 of 2 folds a class has no test rows, and BCA leaves it out.",
        "In 1 of 2 folds a class has no training rows, so its test rows are misclassified.",
    )


def test_a_table_too_small_is_refused():
    with pytest.raises(DataError, match="too few rows"):
        make_folds(np.array(["a", "b"]), None, 1, 2, 0)


@pytest.mark.parametrize("time", [np.ones(20), np.full(20, np.nan), np.full(20, np.datetime64("2024-01-01"))])
def test_a_single_time_is_refused_in_one_sentence(time):
    with pytest.raises(DataError, match="at least 2 different times, and 'time' has [01];"):
        folds(labels(20), 5, 0, time=time)


def test_one_repeat_of_folds_for_a_search():
    y, groups, time = labels(90), np.arange(90) % 3, np.arange(90.0)
    assert sorted(np.concatenate([part.test for part in folds(y, 5, 0)])) == list(range(90))
    assert [part.test.tolist() for part in folds(y, 5, 0)] == [part.test.tolist() for part in folds(y, 5, 0)]
    assert len(folds(y, 5, 0, groups=groups)) == 3
    assert all(not set(groups[part.train]) & set(groups[part.test]) for part in folds(y, 5, 0, groups=groups))
    assert all(part.train.max() < part.test.min() for part in folds(y, 5, 0, time=time))
    assert len(folds(y, 5, 0, time=time // 45)) == 1
