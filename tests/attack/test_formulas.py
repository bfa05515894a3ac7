"""No cell of a file that the app writes is run by a spreadsheet, whichever sign its country splits lines at."""

import csv
import io
import re
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tsk_core.data import to_csv

FORMULA = re.compile("[=+@＝＋－＠-]")
NUMBER = re.compile(r'[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(?=[",]|$)', re.IGNORECASE)  # where a line is not split, it goes on
HOSTILE = st.text(st.sampled_from("=+-@＝＋－＠;,\t\r\n\"' \xa0\ufeff\u200b\x01a1"), max_size=12)
ROWS = st.lists(st.tuples(HOSTILE, HOSTILE, st.integers(0, 9)), min_size=1, max_size=4)


def parts(content, delimiter):
    """The cells that a spreadsheet sees which splits lines at ``delimiter``, without what it may drop before them."""
    for row in csv.reader(io.StringIO(content.decode(), newline=""), delimiter=delimiter):
        for cell in row:
            yield cell.lstrip(' \t\r\n\xa0\ufeff\u200b\x01"')


@given(ROWS, st.lists(HOSTILE, min_size=3, max_size=3))
@example([("a;=1+1;b", "=1", 0)], ["x", "y", "z"])
@example([("\n=cmd()", "＝1", 0)], ["a;=1", "\t@x", "z"])
@example([("-1", "=1", 0)], ["-1", "=1", ""])
@example([("-1", "", 0)], ["", "", ";"])
def test_no_cell_begins_as_a_formula_at_any_separator(rows, names):
    content = to_csv(pd.DataFrame(rows).set_axis(names, axis=1))
    for delimiter in ",;\t":
        for cell in parts(content, delimiter):
            assert not FORMULA.match(cell) or NUMBER.match(cell), (delimiter, cell)


@pytest.mark.parametrize("number", ["-5", "+1.5e-3", -5, -0.25])
def test_numbers_stay_numbers(number):
    content = to_csv(pd.DataFrame({"n": [number], "class": ["=x"]})).decode()
    assert [*csv.reader(io.StringIO(content))][1] == [str(number), "'=x"]


def test_tables_of_the_page_offer_no_export_of_their_own():
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["disableDataExport"] is True
