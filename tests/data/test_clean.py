"""Cleaning: each repair happens and has a finding."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data.clean import tidy_names
from tsk_core.data.clean.learn import GroupedFindings
from tsk_core.data.dataset import make_dataset
from tsk_core.data.naming import quoted
from tsk_core.errors import LimitError

N = 40
CLASSES = ["x", "y"] * (N // 2)


def table(**columns):
    return pd.DataFrame({"good": np.arange(N) % 7 + 0.5, **columns, "class": CLASSES})


def cleaned(**columns):
    """The cleaned table and its notes as one text."""
    ds = make_dataset(table(**columns), "class", name="t")
    return ds.frame, " ".join(ds.notes)


def test_names_are_stripped_filled_made_distinct_and_read_in_one_direction():
    frame, notes = tidy_names(pd.DataFrame([[1, 2, 3, 4]], columns=[" a ", "a", "", 7]))
    assert list(frame.columns) == ["a", "a (2)", "column 3", "7"]
    assert len(notes) == 2
    frame, _ = tidy_names(pd.DataFrame([[1, 2, 3]], columns=["a (2)", "a", "a"]))
    assert list(frame.columns) == ["a (2)", "a", "a (3)"]  # the next number that is free
    frame, _ = tidy_names(pd.DataFrame([[1, 2]], columns=["si\u202eze", "\u2066a\u2069"]))
    assert list(frame.columns) == ["si ze", "a"]


def test_a_long_name_is_cut_with_an_ellipsis():
    long = "concentration of total serum immunoglobulin G subclass 4"
    _, notes = cleaned(**{long: [None, *range(1, N)]})
    assert f"'{long[:39]}…'" in notes and long[:40] not in notes
    assert quoted(long[:40]) == f"'{long[:40]}'" and quoted(long, 5) == "'conc…'"
    _, (found,) = tidy_names(pd.DataFrame([[1, 2]], columns=[long, long]))
    assert f"'…{long[-35:]} (2)'" in found.done


def test_constant_and_empty_columns_are_left_out():
    frame, notes = cleaned(a=[1] * N, b=[None] * N, c=["same"] * N, d=[2.0] * (N - 1) + [np.nan])
    assert list(frame.columns) == ["good", "class"]
    assert "Columns 'a' and 'c': the same value in every row. Left out." in notes
    grouped = GroupedFindings()
    for name in "ab":
        grouped.add(name, "{} has missing values.")
    assert grouped.findings()[0].fact == "Columns 'a' and 'b' have missing values."
    assert "Column 'b': empty. Left out." in notes
    assert "Column 'd': one value and missing values. Left out." in notes


def test_infinite_values_become_missing():
    frame, notes = cleaned(a=[np.inf, -np.inf, 1e300] + list(range(N - 3)))
    assert frame["a"].isna().sum() == 3
    assert "Column 'a': 3 cells are infinite" in notes
    assert "3 cells are missing" in notes


def test_booleans_and_ordinals_become_categories():
    frame, notes = cleaned(a=[True, False] * (N // 2))
    assert set(frame["a"]) == {"True", "False"}
    assert "Column 'a': true or false. Read as the categories True and False." in notes
    frame, _ = cleaned(a=["1st", "2nd", "3rd", "4th"] * (N // 4))
    assert set(frame["a"]) == {"1st", "2nd", "3rd", "4th"}


def test_numbers_with_a_few_dirty_cells_are_recognised():
    frame, notes = cleaned(a=["n/a", "?", "1,234", "12 kg", "oops", *map(str, range(N - 5))])
    assert frame["a"].tolist()[2:4] == [1234, 12]
    assert frame["a"].isna().sum() == 3
    assert (
        "Read as numbers: thousands separators ignored; the unit 'kg' (in 1 of 37 cells) ignored; 1 cell that is not a number,"
        " such as 'oops'" in notes
    )


def test_id_like_text_is_left_out():
    frame, notes = cleaned(a=[f"person {k}" for k in range(N)])
    assert "a" not in frame
    assert "a different text in every row" in notes


@pytest.mark.parametrize("name", ["id", "ID", "customer_id", "", "Unnamed: 0"])
def test_a_row_number_is_left_out(name):
    frame, notes = cleaned(**{name: np.arange(1, N + 1)})
    assert list(frame.columns) == ["good", "class"]
    assert "a number for each row" in notes


def test_distinct_integers_with_a_measure_name_stay():
    frame, _ = cleaned(width=np.arange(N))
    assert "width" in frame


def test_rare_categories_become_other(monkeypatch):
    monkeypatch.setenv("TSK_MAX_CATEGORIES", "3")
    frame, notes = cleaned(a=["p"] * 20 + ["q"] * 10 + list("abcdefghij"))
    assert frame["a"].value_counts().to_dict() == {"p": 20, "q": 10, "other": 10}
    assert "The 2 most frequent are kept" in notes


def test_cells_of_many_digits_are_read():
    """A pattern that takes quadratic time for them does not end before the timeout."""
    cleaned(a=[f"{k}" + "1" * 500_000 + "!" for k in range(N)], b=["1," * 250_000 + f"{k} kg!" for k in range(N)])


def test_many_left_out_columns_make_one_finding():
    ds = make_dataset(table(**{f"c{k}": [1] * N for k in range(300)}), "class", name="t")
    assert len(ds.findings) == 1
    assert "and 295 more" in ds.notes[0]
    assert len(ds.findings[0].columns) == 300


def test_pandas_nullable_and_category_columns_are_read():
    frame, _ = cleaned(
        a=pd.array([1, None] * (N // 2), dtype="Int64"),
        b=pd.Categorical([1, 2] * (N // 2)),
        c=pd.array([True, False, None, True] * (N // 4), dtype="boolean"),
        d=pd.array([1, 2, None, 4] * (N // 4), dtype="Int64"),
    )
    assert frame["d"].dtype == np.float64
    assert set(frame["c"].dropna()) == {"True", "False"}
    assert "a" not in frame


def test_too_many_columns_are_refused(monkeypatch):
    monkeypatch.setenv("TSK_MAX_COLUMNS", "2")
    make_dataset(table(), "class", name="t")
    with pytest.raises(LimitError, match="Columns"):
        make_dataset(table(a=range(N)), "class", name="t")
