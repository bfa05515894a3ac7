"""Encoder: numbers, categories and missing values into finite columns, the same at prediction as in training."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tsk_core.data import Encoder
from tsk_core.data.encoded_columns import Column
from tsk_core.errors import DataError

MIXED = pd.DataFrame({
    "size": [1.0, 2.0, np.nan, 10.0],
    "colour": ["red", "blue", "red", None],
    "code": pd.Series([1, 2.0, "ten", None], dtype=object),
    "flag": [True, False, True, True],
})  # fmt: skip


def test_the_columns_are_those_of_the_export():
    encoder = Encoder().fit(MIXED)
    assert encoder.columns == [
        Column("size", "number", None, 2.0),
        Column("colour", "category", "blue", "red"),
        Column("colour", "category", "red", "red"),
        Column("code", "category", "1", "1"),
        Column("code", "category", "2", "1"),
        Column("code", "category", "ten", "1"),
        Column("flag", "category", "False", "True"),
        Column("flag", "category", "True", "True"),
    ]
    assert encoder.features == list(encoder.feature_names_in_) == ["size", "colour", "code", "flag"]


def test_missing_values_become_the_median_or_the_most_frequent_category_and_unknown_ones_zeros():
    encoder = Encoder().fit(MIXED)
    encoded = encoder.transform(MIXED)
    assert encoded.tolist() == [
        [1, 0, 1, 1, 0, 0, 0, 1],
        [2, 1, 0, 0, 1, 0, 1, 0],
        [2, 0, 1, 0, 0, 1, 0, 1],
        [10, 0, 1, 1, 0, 0, 0, 1],
    ]
    assert np.array_equal(encoder.transform(MIXED[MIXED.columns[::-1]]), encoded)  # by the names of the columns
    assert encoder.transform(MIXED.assign(colour="green"))[:, 1:3].tolist() == [[0, 0]] * 4


def test_missing_and_unseen_columns_are_named_with_both_numbers():
    encoder = Encoder().fit(MIXED)
    with pytest.raises(DataError, match="Expected 4 columns as in training, got 3: missing 'size'."):
        encoder.transform(MIXED.drop(columns="size"))
    with pytest.raises(DataError, match="got 5: not in training 'extra'"):
        encoder.transform(MIXED.assign(extra=1))
    with pytest.raises(DataError, match="Expected 4 columns as in training, got 2."):
        encoder.transform(np.zeros((3, 2)))


def test_categories_are_compared_as_displayed():
    encoder = Encoder().fit(pd.DataFrame({"a": pd.Categorical([1, 2, 1])}))
    assert encoder.transform(pd.DataFrame({"a": [1.0, 2.0]})).tolist() == [[1, 0], [0, 1]]
    assert [c.category for c in Encoder().fit(pd.DataFrame({"a": ["10", "9"]})).columns] == ["9", "10"]


def test_an_array_of_objects_has_numbers_where_all_cells_are_numbers():
    encoder = Encoder().fit(np.array([[1, "a"], [2.5, "b"], [None, "a"]], dtype=object))
    assert [(c.feature, c.kind) for c in encoder.columns] == [("x0", "number"), ("x1", "category"), ("x1", "category")]
    assert not hasattr(encoder, "feature_names_in_")
    text = Encoder().fit(np.array([["1.5", "a"], ["2.5", "b"]]))
    assert text.columns[0].impute == 2.0


def test_statistics_are_those_of_the_encoded_training_rows_however_large_their_offset():
    encoder = Encoder().fit(MIXED)
    normal = encoder.normalise(encoder.transform(MIXED))
    np.testing.assert_allclose(normal.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(normal.std(axis=0), 1, atol=1e-12)
    seconds = 1.7e9 + np.arange(100.0)[:, None]
    encoder = Encoder().fit(seconds)
    np.testing.assert_allclose(encoder.normalise(seconds)[:, 0], (np.arange(100) - 49.5) / np.arange(100).std(), rtol=1e-12)


def test_constant_and_empty_columns_have_scale_1():
    encoder = Encoder().fit(np.column_stack([np.full(10, 0.1), np.arange(10)]))
    assert encoder.scale_[0] == 1
    assert (encoder.normalise(encoder.transform(np.full((3, 2), 0.1)))[:, 0] == 0).all()
    encoder = Encoder().fit(pd.DataFrame({"a": [np.nan] * 3, "b": [1, 2, 3]}))
    assert encoder.columns[0] == Column("a", "number", None, 0.0)
    assert encoder.scale_[0] == 1


@pytest.mark.parametrize("dtype", ["str", "string", "string[pyarrow]", "category", pd.CategoricalDtype(["red"]), object])
def test_text_in_a_column_that_was_empty_in_training_is_accepted(dtype):
    encoder = Encoder().fit(pd.DataFrame({"a": pd.Series([None] * 3, dtype=dtype), "b": [1, 2, 3]}))
    assert encoder.transform(pd.DataFrame({"a": ["red", None], "b": [1, 2]}))[:, 0].tolist() == [0, 1]
    assert encoder.transform(pd.DataFrame({"a": [7.0, None], "b": [1, 2]}))[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
def test_infinity_is_refused_with_the_column(value):
    encoder = Encoder().fit(pd.DataFrame({"a": [1.0, 2.0]}))
    with pytest.raises(DataError, match="'a' contains infinity"):
        encoder.transform(pd.DataFrame({"a": [value]}))
    with pytest.raises(DataError, match="infinity"):
        Encoder().fit(pd.DataFrame({"a": [1.0, value]}))


@pytest.mark.parametrize(
    ("convert", "said"),
    [
        (lambda day: day, "dates; convert them to numbers, such as days since the first"),
        (lambda day: day.dt.date, "dates; convert them to numbers, such as days since the first"),
        (lambda day: day.dt.to_period("D"), "dates; convert them to numbers, such as days since the first"),
        (lambda day: day.diff(), "durations; convert them to numbers, such as days"),
        (lambda day: day.diff().astype(object), "durations; convert them to numbers, such as days"),
    ],
)
def test_times_are_no_categories_whichever_objects_they_are(convert, said):
    days = convert(pd.Series(pd.date_range("2024-01-01", periods=30)))
    with pytest.raises(DataError, match=f"^Column 'day' contains {said}.$"):
        Encoder().fit(pd.DataFrame({"day": days}))


def test_text_where_training_had_numbers_is_refused():
    encoder = Encoder().fit(pd.DataFrame({"a": [1.0, 2.0]}))
    assert encoder.transform(pd.DataFrame({"a": ["3"]})).tolist() == [[3]]
    with pytest.raises(DataError, match="Column 'a' contained numbers in training, but now 1 of"):
        encoder.transform(pd.DataFrame({"a": ["red"]}))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame({"a": [{"x": 1}, [2]]}),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.zeros(3),
    ],
)
def test_a_table_that_cannot_be_encoded_is_refused(table):
    with pytest.raises(DataError):
        Encoder().fit(table)


numbers = st.floats(-1e9, 1e9) | st.just(float("nan"))
words = st.sampled_from(["a", "b", "1", "1.0", "é", ""]) | st.none() | st.integers(0, 3) | st.text(max_size=3)


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 12))
    return pd.DataFrame({
        "n": draw(st.lists(numbers, min_size=rows, max_size=rows)),
        "w": pd.Series(draw(st.lists(words, min_size=rows, max_size=rows)), dtype=object),
        "b": draw(st.lists(st.booleans(), min_size=rows, max_size=rows)),
    })  # fmt: skip


@given(tables(), tables())
def test_any_table_encodes_to_finite_columns_and_survives_json(train, other):
    encoder = Encoder().fit(train)
    copy = Encoder.from_dict(json.loads(json.dumps(encoder.to_dict())))
    assert copy.columns == encoder.columns
    assert copy.to_dict() == encoder.to_dict()
    for table in (train, other):
        if encoder.columns[1].kind == "number":
            table = table.assign(w=0)
        encoded = encoder.transform(table)
        assert encoded.shape == (len(table), len(encoder.columns))
        assert np.isfinite(encoded).all()
        assert np.isfinite(encoder.normalise(encoded)).all()
        for feature in ("w", "b"):
            block = [k for k, c in enumerate(encoder.columns) if c.feature == feature and c.kind == "category"]
            assert (encoded[:, block].sum(axis=1) <= 1).all()
        np.testing.assert_array_equal(copy.normalise(copy.transform(table)), encoder.normalise(encoded))


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-1e150, 1e150) | st.just(np.nan)))
def test_any_array_of_numbers_normalises_to_finite_values(X):
    encoder = Encoder().fit(X)
    assert np.isfinite(encoder.normalise(encoder.transform(X))).all()


_A = {"feature": "a", "kind": "number", "category": None, "impute": 0}
WHOLE = {"columns": [_A], "mean": [0], "scale": [1], "low": [0], "high": [1], "named": True}
BROKEN = {
    "no columns": WHOLE | {"columns": [], "mean": [], "scale": [], "low": [], "high": []},
    "missing keys": {"columns": [_A]},
    "no range": {key: value for key, value in WHOLE.items() if key != "low"},
    "shape": WHOLE | {"mean": [], "scale": []},
    "scale": WHOLE | {"scale": [0]},
    "kind": WHOLE | {"columns": [_A | {"kind": "date"}]},
    "impute": WHOLE | {"columns": [_A | {"impute": 1e999}]},
    "extra key": WHOLE | {"columns": [_A | {"x": 1}]},
    "another key": WHOLE | {"x": 1},
    "names": WHOLE | {"named": "yes"},
    "text": WHOLE | {"columns": "abc", "mean": "x", "scale": None},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_malformed_description_is_refused(kind):
    with pytest.raises(DataError, match="cannot be read"):
        Encoder.from_dict(BROKEN[kind])
