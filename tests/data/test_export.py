"""Exports: what the app writes, the app reads, and no spreadsheet runs any of it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.reading.in_process import read_here
from tsk_core.data.export import escape_formulas, to_csv, unescape_formulas

RISKY = ["=cmd()", "+1+1", "-x", "@sum", "\tx", "\rx", "'=x", "''+x", "-", "+", "=1", "-5-", "-1e", "'-5"]
RISKY += ["\nx", "\n=x", " =x", "\0=x", "\xa0+x", "\ufeff@x", '"=x', "＝x", "＋x", "－x", "＠x", "　＝x"]
PLAIN = ["x", "a=b", "-5", "+5", "-.5", "+1.5e-3", "", "'", "'x", "5-", "é", "a,=x", "a; b", "a\tb"]
WITHIN = {
    "a;=1+1;b": "a;'=1+1;b",
    "a\t+1": "a\t'+1",
    "a\n=1\n@b": "a\n'=1\n'@b",
    "a; ＝1": "a;' ＝1",
    'a;"=1"': 'a;\'"=1"',
    "1;-2": "1;'-2",
}


@pytest.mark.parametrize("cell", RISKY)
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(cell):
    safe = f"'{cell}".replace("\n=", "\n'=")
    assert escape_formulas(pd.DataFrame({"a": [cell, "x"]}))["a"].tolist() == [safe, "x"]
    assert list(escape_formulas(pd.DataFrame({cell: [1]})).columns) == [safe]


@pytest.mark.parametrize("cell", WITHIN)
def test_a_part_of_a_cell_that_a_spreadsheet_would_split_off_and_run_gets_an_apostrophe(cell):
    frame = pd.DataFrame({"a": [cell, "x"], cell: ["y", None]})
    safe = escape_formulas(frame)
    assert safe["a"].tolist() == [WITHIN[cell], "x"]
    assert list(safe.columns) == ["a", WITHIN[cell]]
    back, count = unescape_formulas(safe)
    pd.testing.assert_frame_equal(back, frame)
    assert count == 2


@pytest.mark.parametrize("cell", PLAIN)
def test_other_cells_stay_as_they_are(cell):
    assert escape_formulas(pd.DataFrame({"a": [cell, "x"]}))["a"].tolist() == [cell, "x"]
    assert list(escape_formulas(pd.DataFrame({cell: [1]})).columns) == [cell]


def test_numbers_never_change():
    frame = pd.DataFrame({"a": [-1, 2], "b": [-0.5, np.nan], "c": [True, False]})
    pd.testing.assert_frame_equal(escape_formulas(frame), frame)
    assert b"'" not in to_csv(frame)


def test_categories_are_text_and_missing_values_stay_missing():
    frame = pd.DataFrame({"a": pd.Categorical(["=x", None, "y"]), "b": ["-", None, "z"]})
    safe = escape_formulas(frame)
    assert safe["a"].tolist()[::2] == ["'=x", "y"]
    assert safe.isna().sum().tolist() == [1, 1]


def test_unescaping_counts_cells_and_names():
    frame, count = unescape_formulas(pd.DataFrame([["'=x", "'x", 1], ["''+", "y", 2]], columns=["'@a", "'a", "'a"]))
    assert frame.to_numpy().tolist() == [["=x", "'x", 1], ["'+", "y", 2]]
    assert list(frame.columns) == ["@a", "'a", "'a"]
    assert count == 3


def test_removed_apostrophes_are_reported():
    raw = read_here(to_csv(pd.DataFrame({"=a": ["=1", "x"], "b": [1, 2]})))
    assert list(raw.frame.columns) == ["=a", "b"]
    (finding,) = (f for f in raw.findings if "apostrophe" in f.fact)
    assert str(finding).startswith("2 cells began with an apostrophe")


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
CELLS = st.text(st.sampled_from("=+-@\t\r\n'\"x ,;#%é1＝＠\xa0"), min_size=1, max_size=8)
READABLE = [cell for cell in RISKY if "\0" not in cell]  # a file with a zero is not text
TEXTS = st.one_of(st.sampled_from([*READABLE, "'x", "x y"]), CELLS).filter(lambda cell: cell.strip() and cell.strip() != "?")


@given(st.lists(TEXTS, min_size=2, max_size=8), TEXTS.filter(str.isprintable))
def test_text_is_read_as_it_was_written(cells, name):
    column = ["word", *cells]  # one cell that is text in any case: a column of "-5" is one of numbers
    frame = pd.DataFrame({f"{name}z".strip(): column, "n": np.arange(len(column)) / 7})
    pd.testing.assert_frame_equal(unescape_formulas(escape_formulas(frame))[0], frame, check_dtype=False)
    back = read_here(to_csv(frame)).frame
    pd.testing.assert_frame_equal(back, frame, check_dtype=False, check_exact=True)


@given(st.lists(st.tuples(FLOATS, st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=20))
def test_numbers_are_read_to_the_last_bit(rows):
    frame = pd.DataFrame(rows, columns=["f", "i"]).assign(**{"class": "x"})
    back = read_here(to_csv(frame)).frame
    assert back["f"].astype(float).tolist() == frame["f"].tolist()
    assert back["i"].tolist() == frame["i"].tolist()


def test_blocks_of_rows_write_the_same_bytes(monkeypatch):
    frame = pd.DataFrame(
        {"=a": [1, 2, 3], "b": ["=x", None, "é"], "c": [0.1, np.nan, 1e300], "d": pd.Categorical(["-", "y", "y"])}
    )
    whole = to_csv(frame)
    for cells in (1, 8):
        monkeypatch.setattr("tsk_core.data.export._BLOCK", cells)
        assert to_csv(frame) == whole
    assert to_csv(frame.head(0)) == whole.splitlines(keepends=True)[0]
