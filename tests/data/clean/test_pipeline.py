"""CleaningPipeline: new rows are treated exactly as the training table was."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import Choices, CleaningPipeline, make_dataset
from tsk_core.errors import DataError, TSKError

N = 40
CLASSES = ["x", "y"] * (N // 2)
RAW = pd.DataFrame({
    "size": [f"{k}.5 kg" for k in range(N)],
    "price": [f"{k},25" for k in range(N)],
    "day": [f"2024-01-{k % 28 + 1:02d}" for k in range(N)],
    "colour": ["red", "blue", " red", None] * (N // 4),
    "ok": ["TRUE", "false"] * (N // 2),
    "gappy": [None, 1, 2, 3.5] * (N // 4),
    "same": [1] * N,
    "class": CLASSES,
})  # fmt: skip


def dataset(**choices):
    return make_dataset(RAW, "class", name="t", choices=Choices(**choices))


def test_applied_to_the_training_table_the_pipeline_gives_the_features():
    ds = dataset(flags=("gappy",), roles={"colour": "ignored", "same": "number"})
    assert list(ds.X.columns) == ["size", "price", "day (days since 2024-01-01)", "ok", "gappy", "gappy is missing"]
    pd.testing.assert_frame_equal(ds.cleaning.apply(RAW), ds.X)
    raw = RAW.assign(**{"class": [None, *CLASSES[1:]]})
    ds = make_dataset(raw, "class", name="t")
    pd.testing.assert_frame_equal(ds.cleaning.apply(raw).iloc[1:].reset_index(drop=True), ds.X)
    raw = RAW[["day", "class"]].assign(**{"day (days since 2024-01-01)": range(N), "day is missing": range(N)})
    raw.loc[3, "day"] = None
    ds = make_dataset(raw, "class", name="t", choices=Choices(flags=("day",)))
    assert {"day (days since 2024-01-01) (2)", "day is missing (2)"} < set(ds.X.columns)
    pd.testing.assert_frame_equal(ds.cleaning.apply(raw), ds.X)


def test_one_new_row_is_cleaned_like_the_table_and_unreadable_cells_become_missing():
    row = {"size": "7 kg", "price": "1.234,5", "day": "2024-03-01", "colour": "red ", "ok": True, "gappy": 2, "new": 0}
    features = dataset().cleaning.apply(pd.DataFrame([row])).iloc[0]
    assert features.tolist() == [7, 1234.5, 60, "red", "True", 2]
    row = {"size": ["7 lb"], "price": ["oops"], "day": ["March"], "colour": ["?"], "ok": [None], "gappy": [np.inf]}
    assert dataset().cleaning.apply(pd.DataFrame(row)).iloc[0].isna().all()


def test_missing_columns_are_named_and_unused_ones_are_not_needed():
    cleaning = dataset().cleaning
    cleaning.apply(RAW.drop(columns=["same", "class"]))
    with pytest.raises(DataError, match="no columns 'size' and 'day', which training used"):
        cleaning.apply(RAW.drop(columns=["size", "day"]))


def test_numbers_are_categories_as_displayed_and_those_beyond_the_limit_are_other_in_new_rows(monkeypatch):
    raw = pd.DataFrame({"a": [1, 2, 3, 4] * 10, "b": range(N), "class": CLASSES})
    ds = make_dataset(raw, "class", name="t", choices=Choices(roles={"a": "category"}))
    assert ds.cleaning.apply(pd.DataFrame({"a": [1.0, np.nan], "b": [0, 1]}))["a"].tolist()[0] == "1"
    assert set(ds.X["a"]) == {"1", "2", "3", "4"}
    monkeypatch.setenv("TSK_MAX_CATEGORIES", "3")
    raw = pd.DataFrame({"a": ["p"] * 20 + ["q"] * 10 + list("abcdefghij"), "class": CLASSES})
    cleaning = make_dataset(raw, "class", name="t").cleaning
    assert cleaning.apply(pd.DataFrame({"a": ["p", "b", "unseen", None]}))["a"].tolist()[:3] == ["p", "other", "other"]


@cache
def written():
    return json.dumps(dataset().cleaning.to_dict())


def broken(change):
    values = json.loads(written())
    change(values)
    return values


def step(column, **values):
    def change(cleaning):
        next(step for step in cleaning["steps"] if step["column"] == column).update(values)

    return change


BROKEN = {
    "no dictionary": [],
    "nothing": None,
    "no steps": {"version": 1},
    "steps that are text": {"version": 1, "steps": "abc"},
    "steps that are numbers": {"version": 1, "steps": [1, 2]},
    "version": broken(lambda cleaning: cleaning.update(version=99)),
    "role": broken(step("size", role="time")),
    "unknown key": broken(step("size", extra=1)),
    "feature": broken(step("size", feature=5)),
    "name twice": broken(step("size", feature="price")),
    "decimal": broken(step("size", number={"decimal": ";", "unit": ""})),
    "unit": broken(step("size", number={"decimal": ".", "unit": 5})),
    "date format": broken(step("day", date={"format": "%s", "scale": "days", "origin": "2024-01-01"})),
    "date scale": broken(step("day", date={"format": "%Y-%m-%d", "scale": "weeks", "origin": "2024-01-01"})),
    "midnights": broken(step("day", date={"format": "%Y-%m-%d", "scale": "days", "origin": "2024-01-01", "midnights": 1})),
    "origin": broken(step("day", date={"format": "%Y-%m-%d", "scale": "days", "origin": "soon"})),
    "no origin": broken(step("day", date={"format": "%Y-%m-%d", "scale": "days", "origin": "NaT"})),
    "both kinds": broken(step("day", number={"decimal": ".", "unit": ""})),
    "neither kind": broken(step("size", number=None)),
    "kept": broken(step("colour", kept=[1, 2])),
    "truth": broken(step("ok", truth="yes")),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_malformed_description_is_refused(kind):
    with pytest.raises(DataError, match="cannot be read"):
        CleaningPipeline.from_dict(BROKEN[kind])


cells = (
    st.none() | st.floats(allow_nan=True, allow_infinity=True) | st.integers(-(10**20), 10**20) | st.booleans()
    | st.sampled_from(["1,5", "2 kg", "$3", "<4", "-", "n/a", "red", " red", "Red", "2024-01-05", "3/4/2021", "10:30", "train"])
    | st.text(max_size=5)
)  # fmt: skip


@st.composite
def raw_tables(draw):
    """Tables whose columns are mostly of one kind, as people's are."""
    rows, columns = draw(st.integers(4, 14)), draw(st.integers(1, 4))
    kinds = st.sampled_from([
        cells, st.sampled_from(["1,5", "2,25", "3"]), st.sampled_from(["a", "b", None]), st.integers(0, 5), st.booleans(),
        st.dates().map(str), st.dates(), st.floats(), st.sampled_from(["train", "test"]),
    ])  # fmt: skip
    table = {f"c{k}": pd.Series(draw(st.lists(draw(kinds), min_size=rows, max_size=rows)), dtype=object) for k in range(columns)}
    others = draw(st.lists(st.sampled_from(["x", "y", None]), min_size=rows - 4, max_size=rows - 4))
    table["class"] = ["x", "y", "x", "y", *others]
    roles = st.dictionaries(st.sampled_from(list(table)), st.sampled_from(["number", "category", "ignored"]), max_size=3)
    return pd.DataFrame(table), draw(roles), tuple(draw(st.sets(st.sampled_from(list(table)), max_size=2)))


@given(raw_tables())
def test_any_pipeline_repeats_exactly_and_survives_json(drawn):
    raw, roles, flags = drawn
    try:
        ds = make_dataset(raw, "class", name="t", choices=Choices(roles=roles, flags=flags))
    except TSKError:
        return
    cleaning = CleaningPipeline.from_dict(json.loads(json.dumps(ds.cleaning.to_dict())))
    assert cleaning == ds.cleaning
    pd.testing.assert_frame_equal(cleaning.apply(ds.X), ds.X)  # features are clean already
    kept = raw["class"].notna()
    pd.testing.assert_frame_equal(cleaning.apply(raw[kept].reset_index(drop=True)), ds.X)
    pd.testing.assert_frame_equal(cleaning.apply(raw)[kept].reset_index(drop=True), ds.X, check_dtype=False)
    one = cleaning.apply(raw[kept].iloc[:1].reset_index(drop=True))
    pd.testing.assert_frame_equal(one.astype(object), ds.X.iloc[:1].astype(object), check_dtype=False)
