"""Dataset: target, classes, fingerprint and split."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import Choices, guess_target, likely_target, make_dataset, read_csv, with_test_rows
from tsk_core.data.splitting import split_rows
from tsk_core.errors import DataError, RegressionTarget, SettingError

N = 60


def dataset(labels, target="class", **columns):
    frame = pd.DataFrame({"a": np.arange(len(labels)) / 3, **columns, target: labels})
    return make_dataset(frame, target, name="t")


def test_features_and_target_are_separate():
    ds = dataset(["x", "y"] * 5)
    assert list(ds.X.columns) == ["a"]
    assert ds.y.tolist() == ["x", "y"] * 5
    assert ds.y.dtype == object
    assert "class" in ds.frame


def test_a_table_of_arrow_is_that_of_pandas():
    frame = pd.DataFrame({"x": [1.5, None, 3.0, 4.0], "colour": ["a", "b", "a", None], "class": ["u", "v", "u", "v"]})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    dataset, same = (make_dataset(rows, "class", name="t") for rows in (table, frame))
    assert dataset.sha256 == same.sha256
    pd.testing.assert_frame_equal(dataset.X, same.X)


def test_whole_numbers_are_class_names_without_a_point():
    assert dataset([1.0, 2.0, 10.0] * 5).classes == ["1", "2", "10"]
    assert dataset([0.5, 1.5] * 5).classes == ["0.5", "1.5"]
    assert dataset([True, False] * 5).classes == ["False", "True"]


def test_rows_without_a_class_are_left_out_and_counted():
    ds = dataset(["x", "y", None, "?", " x "] * 4)
    assert len(ds.frame) == 12
    assert "The target 'class' is missing in 8 rows. Left out." in ds.notes
    assert ds.classes == ["x", "y"]


def test_each_row_knows_where_it_stands_in_the_table_before_rows_were_left_out():
    whole = dataset(["x", "y"] * 5)
    assert whole.positions is None and whole.row_numbers(np.array([0, 9])).tolist() == [1, 10]
    labels = ["x", None, "y", "x", "?", "y", "x", "y", "x", "y", None, "y"]
    frame = pd.DataFrame({"a": [0, 1, 2, 0, 4, 2, 6, 7, 8, 9, 10, 11], "class": labels})
    ds = make_dataset(frame, "class", name="t", choices=Choices(repeated="drop"))
    assert ds.positions.tolist() == [0, 2, 6, 7, 8, 9, 11]
    assert ds.row_numbers(np.array([0, 2, 6])).tolist() == [1, 7, 12]
    assert ds.raw[0]["a"].iloc[ds.positions].tolist() == ds.frame["a"].tolist()
    assert make_dataset(frame, "class", name="t").positions.tolist() == [0, 2, 3, 5, 6, 7, 8, 9, 11]
    whole = frame.dropna().query("`class` != '?'")
    assert make_dataset(whole, "class", name="t", choices=ds.choices).positions.tolist() == [0, 1, 4, 5, 6, 7, 8]


def test_missing_numbers_in_the_target_leave_integer_class_names():
    assert dataset([1, 2, np.nan, np.inf] * 4).classes == ["1", "2"]


BAD_TARGETS = {
    "one class": (["x"] * N, "single class"),
    "regression": (list(np.linspace(0, 1, N)), "regression target"),
    "regression above the limit": ([k / 2 for k in range(150)] * 2, "regression target"),
    "too many": ([f"c{k}" for k in range(150)] * 2, "150 different values"),
    "thousands of numbers": (list(range(2_000)), "2,000 different numbers"),
    "thousands of texts": ([f"c{k}" for k in range(2_000)], "2,000 different values"),
    "all different": ([f"c{k}" for k in range(N)], "different value in every row"),
    "empty": ([None] * N, "is empty"),
    "three rows": (["x", "y", "x"], "3 rows"),
    "dates": (pd.date_range("2024-01-01", periods=N), "dates"),
}


@pytest.mark.parametrize("kind", BAD_TARGETS)
def test_a_target_without_classes_is_refused(kind):
    labels, word = BAD_TARGETS[kind]
    with pytest.raises(DataError, match=word):
        dataset(labels)


def test_a_table_without_rows_or_features_is_refused():
    with pytest.raises(DataError, match="no rows"):
        make_dataset(pd.DataFrame({"a": [], "class": []}), name="t")
    with pytest.raises(DataError, match="separator"):
        make_dataset(pd.DataFrame({"class": ["x", "y"] * 5}), name="t")


def test_an_unknown_target_is_refused_with_the_names():
    with pytest.raises(DataError, match="no column 'b'; the columns are 'a' and 'class'"):
        dataset(["x", "y"] * 5).with_target("b")


def test_another_target_starts_from_the_table_as_it_was_read():
    ds = dataset(["x", "y", None, "y"] * 5, b=[1, 2] * 10, gone=["same"] * 20)
    other = ds.with_target("b")
    assert other.target == "b"
    assert other.classes == ["1", "2"]
    assert len(other.frame) == 20  # rows that only lacked the old target are back
    assert other.with_target("class").sha256 == ds.sha256


def test_the_fingerprint_is_that_of_the_content():
    one, same, other = dataset(["x", "y"] * 5), dataset(["x", "y"] * 5), dataset(["y", "x"] * 5)
    assert one.sha256 == same.sha256 != other.sha256


MANY, PAIR, ROWS = [k / 7 for k in range(200)], [1, 2] * 100, 200
AGES, WORDS, ANSWERS = [20 + k % 74 for k in range(ROWS)], ["p", "q", "r", "s"] * 50, ["YES", "NO"] * 100
DECIMALS = [k % 97 / 7 for k in range(ROWS)]
NAMED, LAST, FIRST = (
    "its name is usual for a class",
    *(f"it is the {which} column whose values can be classes" for which in ("last", "first")),
)
TARGETS = {  # columns -> the target, and why
    **{name: ({"a": PAIR, name: WORDS, "z": PAIR}, name, NAMED)
       for name in ("Class", "TARGET", "label", "y", "Species", "outcome", "Diagnosis", "Klasse", " Ziel ", "result")},
    "the last column": ({"a": MANY, "b": PAIR}, "b", LAST),
    "the first that can be": ({"b": PAIR, "c": MANY}, "b", FIRST),
    "none can be": ({"a": MANY, "c": MANY}, "c", "it is the last column; none has values that can be classes"),
    "categories": ({"b": pd.Series(WORDS, dtype="category"), "c": PAIR}, "b", "it is the only column of categories"),
    "y is a coordinate": ({"x": MANY, "y": MANY, "kind": PAIR}, "kind", LAST),
    "decimals that repeat": ({"kind": WORDS, "quality": DECIMALS}, "kind", FIRST),
    "decimals with a unit": ({"kind": WORDS, "mass": [f"{one:.1f} kg" for one in DECIMALS]}, "kind", FIRST),
    "ages beside words": ({"age": AGES, "work": WORDS, "mass": DECIMALS}, "work",
                          "it is the first column with at most 10 values, which can be classes"),
    "ages at the end": ({"b": WORDS, "age": AGES}, "b", FIRST),
    "dates": ({"a": WORDS, "b": MANY, "day": pd.to_datetime(["2024-01-05", "2024-01-06"] * 100)}, "a", FIRST),
    "birthdays": ({"Befund": WORDS, "geboren": [f"{3 + k % 9}.2.19{50 + k % 7}" for k in range(ROWS)]}, "Befund", LAST),
    "years of birth": ({"Befund": WORDS, "Geburtsjahr": [1950 + k % 9 for k in range(ROWS)]}, "Befund", LAST),
    "train and test": ({"age": AGES, "pay": WORDS, "part": ["train", "test"] * 100}, "pay", LAST),
    "a subject's id": ({"state": WORDS, "subject_id": [k % 30 for k in range(ROWS)]}, "state", LAST),
    "comments": ({"state": WORDS, "comment": [f"seen {k}" for k in range(ROWS)]}, "state", LAST),
    "a result and an answer": ({"result": WORDS, "ill": ANSWERS}, "ill", LAST),
    "a class of passengers": ({"age": MANY, "class": WORDS, "satisfied": ["yes", "no"] * 100}, "satisfied", LAST),
    "a class in front": ({"class": WORDS, "wings": ["yes", "no"] * 100}, "class", NAMED),
    "a place": ({"x": AGES, "y": AGES, "kind": WORDS}, "kind", LAST),
    "another language": ({"category": WORDS, "enfermo": ["sí", "no"] * 100}, "enfermo", LAST),
    "results in numbers": ({"result": AGES, "state": WORDS}, "state", LAST),
}  # fmt: skip


@pytest.mark.parametrize("case", TARGETS)
def test_the_target_is_guessed_and_why_is_said(case):
    columns, target, why = TARGETS[case]
    frame = pd.DataFrame(columns)
    assert likely_target(frame) == (target, why) and guess_target(frame) == target
    if why == LAST:
        assert make_dataset(frame.assign(m=MANY)[["m", *frame]]).notes[0].endswith(f"as the target, since {why}.")


def test_with_a_second_file_the_target_is_that_of_the_first_and_a_column_that_decides_the_split_is_none():
    one = pd.DataFrame({"age": [25, 41, 25, 41], "work": ["State", "State", "Other", "Other"], "pay": ["low", "high"] * 2})
    both, part = with_test_rows(one, one[:2])
    assert guess_target(both) == make_dataset(both, choices=Choices(roles={part: "split"})).target == "pay"
    assert make_dataset(one, choices=Choices(roles={"pay": "group"})).target == "work"


def test_decimals_that_repeat_are_no_classes():
    with pytest.raises(RegressionTarget, match="'t' has 97 different numbers in 200 rows"):
        make_dataset(pd.DataFrame({"a": MANY, "t": DECIMALS}))
    halves = [k % 20 / 2 for k in range(ROWS)]
    assert len(make_dataset(pd.DataFrame({"a": MANY, "t": halves})).classes) == 20


def test_the_only_nominal_attribute_among_numbers_is_the_target():
    spect = "@relation spect\n@attribute OVERALL_DIAGNOSIS {0,1}\n@attribute F1 integer\n@attribute F2 integer\n@data\n"
    rows = "".join(f"{k % 2},{k},{k % 3}\n" for k in range(20))
    assert read_csv((spect + rows).encode(), name="spect.arff").target == "OVERALL_DIAGNOSIS"
    nominal = spect.replace("F2 integer", "F2 {0,1,2}")
    assert read_csv((nominal + rows).encode(), name="spect.arff").target == "F2"


labels = st.lists(st.sampled_from("abcde"), min_size=4, max_size=80).filter(lambda y: len(set(y)) < len(y))


@given(labels, st.floats(0.05, 0.95), st.integers(0, 100))
def test_a_split_is_disjoint_covers_all_rows_and_is_stratified(y, test_size, seed):
    y = np.array(y, dtype=object)
    split = split_rows(y, test_size, seed)
    again = split_rows(y, test_size, seed)
    assert np.array_equal(split.train, again.train)
    assert np.array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(len(y)))
    assert (np.diff(split.train) > 0).all()
    assert (np.diff(split.test) > 0).all()
    assert set(y[split.train]) == set(y)  # every class trains
    assert len(split.test) >= 1
    crowded = test_size * min(np.unique(y.astype(str), return_counts=True)[1]) < 1 or test_size > 0.5
    if not crowded:
        for label in set(y):
            assert abs((y[split.test] == label).sum() - test_size * (y == label).sum()) <= 1


def test_the_split_has_the_size_asked_for_and_depends_on_the_seed():
    ds = dataset(["x", "y", "z"] * 50)
    assert len(ds.split().test) == 45
    assert ds.split(seed=1).test.tolist() != ds.split(seed=2).test.tolist()


def test_a_class_with_a_single_row_stays_in_training_and_is_named():
    y = np.array(["x"] * 10 + ["y"] * 10 + ["alone"], dtype=object)
    split = split_rows(y, 0.5, 0)
    assert 20 in split.train
    assert "'alone'" in split.notes[0]


def test_a_test_smaller_than_the_number_of_classes_works():
    y = np.array([c for c in "abcdefghij" for _ in range(3)], dtype=object)
    assert len(split_rows(y, 0.1, 0).test) == 3


@pytest.mark.parametrize("test_size", [0, 1, -0.1, 2])
def test_an_invalid_test_share_is_refused(test_size):
    with pytest.raises(SettingError):
        split_rows(np.array(["a", "a", "b", "b"]), test_size)
