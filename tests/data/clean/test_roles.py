"""Roles: how each column is used, as guessed or as chosen, and the findings about it."""

import json

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import Choices, CleaningPipeline, make_dataset
from tsk_core.errors import DataError

N = 40
CLASSES = ["x", "y"] * (N // 2)


def dataset(flags=(), roles=None, **columns):
    frame = pd.DataFrame({"good": np.arange(N) % 7 + 0.5, **columns, "class": CLASSES})
    return make_dataset(frame, "class", name="t", choices=Choices(roles=roles or {}, flags=flags))


def report(ds, name="a"):
    return next(column for column in ds.columns if column.name == name)


GUESSED = {
    "numbers": (range(N), "number", ""),
    "few whole numbers": ([0, 1] * (N // 2), "number", ""),
    "numbers with units": ([f"{k} kg" for k in range(N)], "number", ""),
    "words": (["red", "blue"] * (N // 2), "category", ""),
    "yes and no": (["yes", "no"] * (N // 2), "category", ""),
    "booleans": ([True, False] * (N // 2), "category", ""),
    "declared categories": (pd.Categorical([1, 2] * (N // 2)), "category", ""),
    "dates": (pd.date_range("2020-01-01", periods=N), "number", ""),
    "a constant": ([1] * N, "ignored", "the same value in every row"),
    "one date": (["2024-01-05"] * N, "ignored", "the same value in every row"),
    "one word and missing values": (["a", None] * (N // 2), "ignored", "one value and missing values"),
    "nothing": ([None] * N, "ignored", "empty"),
    "names": ([f"person {k}x" for k in range(N)], "ignored", "a different text in every row, like a name or an ID"),
    "many words": ([f"w{k % 25}x" for k in range(N)], "ignored", "too many categories, 25 in 40 filled cells"),
    "many numbers in two units": (
        [f"{k} {'kg' if k % 2 else 'g'}" for k in range(N)],
        "ignored",
        "numbers in several units, such as '0 g' and '1 kg'",
    ),
    "few numbers in two units": (
        ["1 kg", "500 g"] * (N // 2),
        "category",
        "numbers in several units, such as '1 kg' and '500 g'",
    ),
    "train and test": (["train", "Test"] * (N // 2), "split", "decides the split"),
}


@pytest.mark.parametrize("kind", GUESSED)
def test_the_role_is_guessed_from_the_cells(kind):
    values, role, reason = GUESSED[kind]
    ds = dataset(a=values)
    assert (report(ds).role, report(ds).reason) == (role, reason)
    used = any(column.startswith("a") for column in ds.X.columns)
    assert used == (role in ("number", "category"))


def test_every_column_of_the_raw_table_is_reported_in_its_order():
    ds = dataset(b=[1] * N, a=[None, "red", "blue", "red"] * (N // 4))
    assert [column.name for column in ds.columns] == ["good", "b", "a", "class"]
    assert [column.role for column in ds.columns] == ["number", "ignored", "category", "target"]
    assert (report(ds).distinct, report(ds).missing, report(ds).example) == (2, 10, "red")
    assert report(ds, "class").distinct == 2


WISHES = {
    "numbers as categories": ([1, 2, 3, 4] * (N // 4), "category", {"1", "2", "3", "4"}),
    "an ID as a category": ([f"p{k // 2}x" for k in range(N)], "category", None),
    "half numbers as numbers": (["1", "2", "3", "x"] * (N // 4), "number", None),
    "a row number as a number": (pd.Series(range(N), name="id"), "number", None),
    "dates as categories": (["2024-01-05", "2024-01-06"] * (N // 2), "category", {"2024-01-05", "2024-01-06"}),
    "a split column as a category": (["train", "test"] * (N // 2), "category", {"train", "test"}),
}


@pytest.mark.parametrize("kind", WISHES)
def test_a_chosen_role_overrides_the_guess(kind):
    values, role, expected = WISHES[kind]
    ds = dataset(roles={"a": role}, a=values)
    assert report(ds).role == role
    assert ds.X["a"].dtype == ("float64" if "half" in kind else "int64" if role == "number" else "str")
    assert expected is None or set(ds.X["a"]) == expected


def test_a_column_can_be_left_out_by_choice():
    ds = dataset(roles={"a": "ignored"}, a=range(N))
    assert list(ds.X.columns) == ["good"]
    assert "Column 'a': left out as you chose." in " ".join(ds.notes)


HOPELESS = {
    "words as numbers": (["red", "blue", "1"] * 13 + ["2"], "number", "fewer than half"),
    "a constant as a number": ([1] * N, "number", "the same value"),
    "nothing as a category": ([None] * N, "category", "empty"),
    "words as a time": (["red", "blue"] * (N // 2), "time", "fewer than half"),
    "one group": (["g"] * N, "group", "the same value"),
    "one side": (["train", "training"] * (N // 2), "split", "training or test is empty"),
    "three values as a split": (["p", "q", "r", "r"] * (N // 4), "split", "neither exactly two"),
}


@pytest.mark.parametrize("kind", HOPELESS)
def test_an_impossible_role_leaves_the_column_out_with_the_reason(kind):
    values, role, why = HOPELESS[kind]
    ds = dataset(roles={"a": role}, a=values)
    assert report(ds).role == "ignored"
    warning = next(finding for finding in ds.findings if finding.kind == "warning")
    assert f"Column 'a' cannot have the role '{role}'" in warning.fact
    assert why in warning.fact
    assert ds.split_column is None
    assert ds.split().test.size


def test_choices_about_absent_columns_are_ignored_with_a_warning():
    ds = dataset(roles={"b": "number"}, flags=("c",))
    assert "There is no column 'b' and 'c'." in ds.notes[0]


def test_ambiguous_dates_have_a_finding_with_the_assumption():
    ds = dataset(a=[f"{k % 12 + 1}/{k % 11 + 1}/2021" for k in range(N)])
    finding = next(finding for finding in ds.findings if "dates" in finding.fact)
    assert "the month is assumed to come first" in finding.fact
    assert finding.advice


def test_a_date_is_named_by_what_it_counts():
    ds = dataset(a=[f"{k % 28 + 1}.3.2024" for k in range(N)])
    assert list(ds.X.columns) == ["good", "a (days since 2024-03-01)"]
    assert "Column 'a': dates. Used as a number, in days since 2024-03-01." in ds.notes


def with_missing(signal):
    """A column whose missing values depend on the class, or not."""
    rows = range(200)
    labels = ["x" if k % 2 else "y" for k in rows]
    values = [
        None if (label == "x" if signal else k % 4 < 2) and k % 3 else float(k % 9) for k, label in zip(rows, labels, strict=True)
    ]
    return pd.DataFrame({"good": [k % 7 for k in rows], "a": values, "class": labels})


def test_missing_values_that_depend_on_the_class_of_training_rows_suggest_a_column():
    assert [offer.columns for offer in flags_offered(with_missing(True))] == [("a",)]
    assert not flags_offered(with_missing(False))
    frame = with_missing(False)
    test = make_dataset(frame, "class", name="t").split().test
    frame.loc[test, "a"] = np.where(frame.loc[test, "class"] == "x", np.nan, 1.0)
    assert not flags_offered(frame)


def flags_offered(frame):
    """The findings that offer a column of its own for missing values that depend on the class."""
    return [finding for finding in make_dataset(frame, "class", name="t").findings if finding.choice == "flags"]


def test_a_flagged_column_gets_an_is_missing_column_beside_it_even_one_of_a_single_value():
    ds = make_dataset(with_missing(True), "class", name="t", choices=Choices(flags=("a", "good")))
    assert list(ds.frame.columns) == ["good", "a", "a is missing", "class"]
    assert (ds.X["a is missing"] == "yes").tolist() == ds.X["a"].isna().tolist()
    assert "Column 'good': no missing values." in " ".join(ds.notes)
    assert not [finding for finding in ds.findings if finding.kind == "offer"]
    ds = dataset(a=[1, None] * (N // 2), flags=("a",))
    assert list(ds.X.columns) == ["good", "a is missing"]


def test_missing_values_are_counted_by_column_in_one_line():
    ds = dataset(a=[None, 1, 2, 3] * (N // 4), b=[None, None, 1, 2] * (N // 4))
    assert "30 cells are missing: 'b' 20, 'a' 10. Training replaces them" in " ".join(ds.notes)


def test_a_table_of_left_out_columns_is_refused_with_the_reasons():
    frame = pd.DataFrame({"a": [1] * N, "id": range(N), "class": CLASSES})
    with pytest.raises(DataError, match="'a': the same value in every row.*'id': a number for each row"):
        make_dataset(frame, "class", name="t")


def test_cells_with_lists_are_refused():
    with pytest.raises(DataError, match="'a' has cells that are not text or numbers"):
        dataset(a=[[1], [2]] * (N // 2))


def test_lone_surrogates_are_replaced():
    column = pd.Series(["red\udfff", "blue"] * (N // 2), dtype=object)
    frame = pd.concat([column, pd.Series(CLASSES)], axis=1).set_axis(pd.Index(["a\ud800", "class"], dtype=object), axis=1)
    ds = make_dataset(frame, "class", name="t")
    assert set(ds.X["a?"]) == {"red?", "blue"}
    assert len(ds.sha256) == 64


def test_where_more_than_a_fifth_is_missing_it_can_be_a_category_of_its_own():
    cells = [None if k % 4 == 0 else ("none" if k % 3 else "missing") for k in range(N)]
    ds = dataset(
        a=cells, b=[None if k % 4 == 1 else k / 7 for k in range(N)], few=[None if k % 10 == 0 else k / 3 for k in range(N)]
    )
    (offer,) = (found for found in ds.findings if found.choice == "missing")
    assert offer.columns == ("a", "b") and offer.kind == "offer" and "'a' 25%, 'b' 25%" in offer.fact
    chosen = ds.with_choices(Choices(target="class", missing=("a", "b")))
    assert chosen.X["a"].tolist() == [
        "missing (2)" if cell is None else cell for cell in cells
    ]  # "missing" is a word of the file
    assert chosen.X["b is missing"].tolist() == ["yes" if k % 4 == 1 else "no" for k in range(N)]
    assert chosen.X["b"].isna().sum() == N // 4
    assert not any(found.choice == "missing" for found in chosen.findings)
    assert CleaningPipeline.from_dict(json.loads(json.dumps(chosen.cleaning.to_dict()))) == chosen.cleaning
    assert chosen.cleaning.apply(chosen.raw[0].iloc[:1])["a"].tolist() == ["missing (2)"]  # and so in new rows
