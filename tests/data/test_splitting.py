"""Splitting by groups, by time, by a column, and with a second file as the test set."""

import copy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import Choices, make_dataset, with_test_rows
from tsk_core.data.splitting import group_column, split_by_column, time_column
from tsk_core.errors import DataError, SettingError

N = 120
CLASSES = ["x", "y", "z"] * (N // 3)


def dataset(values, role=None, labels=CLASSES):
    frame = pd.DataFrame({"a": np.arange(N) % 11, "part": values, "class": labels})
    return make_dataset(frame, "class", name="t", choices=Choices(roles={"part": role} if role else {}))


def test_no_group_is_in_training_and_test_and_classes_keep_their_shares():
    groups = np.arange(N) // 6
    ds = dataset([f"patient {g}" for g in groups], "group")
    split = ds.split(seed=1)
    assert not set(groups[split.train]) & set(groups[split.test])
    assert abs(len(split.test) - 0.3 * N) <= 6
    assert all(abs(count - 12) <= 6 for count in pd.Series(ds.y[split.test]).value_counts())
    assert "No value of 'part' is in both training and test." in split.notes
    assert "part" not in ds.X


def test_groups_may_be_numbers_and_rows_without_a_group_are_groups_of_one():
    ds = dataset([k // 6 if k >= 12 else None for k in range(N)], "group")
    split = ds.split()
    assert len(split.train) + len(split.test) == N
    assert "12 rows without a group count as one group each" in " ".join(ds.notes)


def test_fit_is_told_of_groups_and_times_but_not_of_a_given_split():
    rows = np.arange(5, 50)
    assert dataset(np.arange(N)).fit_params(rows) == {}
    assert dataset(["train"] * 90 + ["test"] * 30, "split").fit_params(rows) == {}
    groups = dataset([f"patient {k // 6}" for k in range(N)], "group").fit_params(rows)
    assert list(groups) == ["groups"] and len(np.unique(groups["groups"])) == 9
    times = dataset(pd.date_range("2024-01-01", periods=N), "time").fit_params(rows)
    assert list(times) == ["time"] and (np.diff(times["time"]) > np.timedelta64(0)).all()


@pytest.mark.parametrize(
    ("values", "start"),
    [
        ([f"{k // 10:02d}:{k % 10:02d}" for k in range(N)], "08:04"),
        ([20240000 + 100 * (1 + k // 28) + 1 + k % 28 for k in range(N)], "20240401"),
        ([1713230000 + 60 * k for k in range(N)], "1713235040"),
        ([k / 8 for k in range(N)], "10.5"),
    ],
)
def test_the_first_time_that_is_tested_is_written_as_in_the_table(values, start):
    split = dataset(values, "time").split()
    assert split.notes[0] == f"The test rows are the latest: 'part' from {start} on." and split.test.tolist() == list(
        range(84, N)
    )


def test_the_latest_rows_are_tested():
    days = pd.date_range("2020-01-01", periods=N)
    order = np.random.default_rng(0).permutation(N)
    split = dataset(days[order], "time").split()
    assert sorted(order[split.test]) == list(range(84, N))
    assert split.notes[0] == "The test rows are the latest: 'part' from 2020-03-25 on."


def test_a_time_as_text_or_as_a_number_works():
    text = dataset(pd.date_range("2020-01-01", periods=N).strftime("%d.%m.%Y"), "time").split()
    number = dataset(np.arange(N) * 2.5, "time").split()
    assert text.test.tolist() == number.test.tolist() == list(range(84, N))


def test_rows_without_a_time_are_training_rows():
    ds = dataset([None if k > 100 else k + 0.5 for k in range(N)], "time")
    assert set(range(101, N)) <= set(ds.split().train.tolist())
    assert "19 rows without a time stay in training." in " ".join(ds.notes)


def test_a_split_column_is_detected_and_used():
    part = ["Test" if k % 5 == 0 else "train" for k in range(N)]
    ds = dataset(part)
    for size, seed in ((0.3, 0), (0.9, 7)):
        assert ds.split(size, seed).test.tolist() == list(range(0, N, 5))
    assert "Rows with 'Test' are test rows; rows with 'train' are training rows." in " ".join(ds.notes)


def test_validation_rows_are_the_test_rows_if_there_are_no_others():
    words = ["train", "train", "val"] * (N // 3)
    assert dataset(words).split().test.tolist() == list(range(2, N, 3))
    ds = dataset(["train", "test", "val"] * (N // 3))
    assert ds.split().test.tolist() == list(range(1, N, 3))
    assert "including the validation rows" in " ".join(ds.notes)


def test_of_two_other_values_the_rarer_marks_test_rows():
    ds = dataset([int(k % 4 != 0) for k in range(N)], "split")
    assert ds.split().test.tolist() == list(range(0, N, 4))
    assert "Rows with '0', the smaller part, are test rows" in " ".join(ds.notes)


def test_a_class_in_test_rows_only_is_named():
    labels = ["x" if k < 60 else "y" for k in range(N - 10)] + ["late"] * 10
    notes = dataset(np.arange(N) + 0.5, "time", labels).split().notes
    assert "Only test rows have the class 'late': it cannot be learned." in notes
    assert "No test row has the class 'x': it is not tested." in notes


def test_only_one_column_decides_the_split():
    frame = pd.DataFrame({"a": range(N), "s": ["train", "test"] * (N // 2), "g": [k // 6 for k in range(N)], "class": CLASSES})
    ds = make_dataset(frame, "class", name="t", choices=Choices(roles={"g": "group"}))
    assert ds.split_column.column == "g"
    assert "s" in ds.X


def test_rows_without_a_target_are_left_out_of_the_partition_too():
    ds = dataset(np.arange(N) + 0.5, "time", [None if k % 2 else "xyz"[k % 3] for k in range(N)])
    split = ds.split()
    assert len(split.train) + len(split.test) == len(ds.frame) == N // 2


def test_a_pickled_dataset_keeps_its_split_column():
    ds = dataset([f"p{k // 6}" for k in range(N)], "group")
    there = copy.deepcopy(replace(ds, raw=None))  # taken apart and put together, as on its way to a worker
    assert there.split(seed=3).test.tolist() == ds.split(seed=3).test.tolist()
    assert there.cleaning == ds.cleaning


def test_a_single_group_or_time_is_refused():
    with pytest.raises(DataError, match="fewer than 2 groups"):
        group_column("g", np.zeros(5, dtype=int))
    with pytest.raises(DataError, match="different times"):
        time_column("t", np.ones(5))


def test_an_invalid_test_share_is_refused_for_any_partition():
    with pytest.raises(SettingError):
        dataset(np.arange(N) + 0.5, "time").split(1.5)


def test_many_groups_are_split_quickly():
    groups = np.arange(200_000) // 4
    split = split_by_column(group_column("g", groups), np.array(["x", "y"] * 100_000), 0.3, 0)
    assert not set(groups[split.train]) & set(groups[split.test])
    assert abs(len(split.test) - 60_000) < 1000


groups = st.lists(st.integers(-1, 8), min_size=4, max_size=60)


@given(groups, st.floats(0.05, 0.95), st.integers(0, 50))
def test_any_groups_stay_whole(codes, test_size, seed):
    codes = np.array(codes)
    try:
        split_column = group_column("g", codes)
    except DataError:
        return
    y = np.array(["xyz"[k % 3] for k in range(len(codes))])
    split = split_by_column(split_column, y, test_size, seed)
    again = split_by_column(split_column, y, test_size, seed)
    assert np.array_equal(split.test, again.test)
    assert not set(split_column.values[split.train]) & set(split_column.values[split.test])
    assert np.array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(len(codes)))
    assert len(split.train) and len(split.test)


@given(st.lists(st.integers(0, 20) | st.just(np.nan), min_size=4, max_size=60), st.floats(0.05, 0.95))
def test_any_times_are_split_in_order_with_equal_ones_together(times, test_size):
    values = np.array(times, dtype=float)
    try:
        split = split_by_column(time_column("t", values), np.array(["x"] * len(values)), test_size)
    except DataError:
        assert len(set(values[~np.isnan(values)])) < 2
        return
    assert np.nanmax(values[split.train]) < values[split.test].min()
    assert len(split.train) + len(split.test) == len(values)


TRAIN = pd.DataFrame({"a": np.arange(40) / 3, "b": ["red", "blue"] * 20, "class": ["x", "y"] * 20})


def joined(train, test):
    frame, part = with_test_rows(train, test)
    return make_dataset(frame, "class", name="t", choices=Choices(roles={part: "split"}))


def test_a_second_table_is_the_test_set():
    test = pd.DataFrame({"class": ["x", "y"] * 3, "b": ["red", "green"] * 3, "a": range(6)})
    ds = joined(TRAIN, test)
    split = ds.split(0.5, seed=9)
    assert split.train.tolist() == list(range(40))
    assert split.test.tolist() == list(range(40, 46))
    assert list(ds.X.columns) == ["a", "b"]
    assert ds.split_column.column == "part (train or test)"


def test_the_new_column_has_a_free_name():
    train = TRAIN.assign(**{"part (train or test)": range(40)})
    assert with_test_rows(train, train[:10])[1] == "part (train or test) (2)"
    assert joined(train, train[:10]).split().test.size == 10


def test_other_columns_in_the_test_table_are_named():
    with pytest.raises(DataError, match="it lacks 'a' and has in addition 'z'"):
        with_test_rows(TRAIN, TRAIN.rename(columns={"a": "z"}))
    with pytest.raises(DataError, match="no rows"):
        with_test_rows(TRAIN, TRAIN[:0])


def test_the_test_table_is_cleaned_like_the_first():
    test = pd.DataFrame({"a": ["1.5", "n/a", "2"], "b": [" red", "blue", "?"], "class": ["x", "y", "x"]})
    tested = joined(TRAIN, test).X.iloc[40:]
    assert tested["a"].tolist()[::2] == [1.5, 2]
    assert tested["b"].tolist()[:2] == ["red", "blue"]


def test_rows_without_a_group_are_each_a_group_of_their_own():
    column = group_column("part", np.array([0, 0, -1, -1, 1]))
    assert len(np.unique(column.values)) == 4 and column.values[0] == column.values[1]
    assert "2 rows without a group count as one group each" in column.note
