"""Numbers written as text: every way people write them, and text that only looks like numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.numbers import read_numbers


def read(*texts):
    """The cells as numbers (NaN where they are none), and the result."""
    cells = Cells.of(pd.Series(texts, name="a", dtype="str"))
    found = read_numbers(cells)
    return cells.spread(found.of_words, np.nan).tolist(), found


NOT_READ = {
    "ordinals": ["1st", "2nd", "3rd"],
    "two currencies": ["€ 12", "$ 13"],
    "two sides of a bound": ["<=50K", ">50K"],
    "grades": ["1", "2-", "3", "2-"],
    "grades of both signs": ["10", "2+", "3-", "12", "11"],
    "labels alone": ["1 - low", "2 - high"],
    "magnitudes beside plain numbers": ["12k", "500"],
    "hexadecimal": ["0x10", "0xff"],
    "underscores": ["1_000", "2_000"],
    "addresses": ["192.168.100.200", "10.0.0.1"],
    "ranges": ["10-20", "20-30"],
    "dates": ["12.05.2021", "2021-05-12"],
    "foreign digits": ["１２", "١٢"],
    "groups of the wrong size": ["1,23,4", "12,34,5"],
    "two signs": ["--1", "+-1", "-$-2"],
    "a sign alone": ["+", "."],
    "a unit alone": ["kg", "%"],
}


@pytest.mark.parametrize("kind", NOT_READ)
def test_text_that_only_looks_like_numbers_is_not_read(kind):
    assert read(*NOT_READ[kind])[1].share < 0.6


def test_notes_name_everything_ignored_or_changed():
    notes = "; ".join(read("$1,234", "$5", "<$7", "$8", "oops", "-", "-")[1].notes)
    assert "thousands separators ignored" in notes
    assert "the unit '$' ignored" in notes
    assert "1 cell such as '<$7' read as the bound" in notes
    assert "2 cells with '-' counted as missing" in notes
    assert "1 cell that is not a number, such as 'oops', counted as missing" in notes


@pytest.mark.parametrize(
    ("texts", "read_as", "scales"),
    [
        (["1 kg", "2 kg", "500 g"], [np.nan] * 3, ("1 kg", "500 g")),
        (["12k", "500"], [np.nan, 500], ("500", "12k")),
        (["0.2", "50%", "0.7"], [0.2, np.nan, 0.7], ("0.2", "50%")),
        (["20", "50%", "70"], [20, 50, 70], ()),
        (["0.2", "0.5%"], [0.2, 0.5], ()),
        (["0.5", *["50%"] * 20], [0.5, *[50] * 20], ()),  # more likely a mistake than a share
        (["7%", "0", "9%", "1"], [7, 0, 9, 1], ()),
        (["78 kg", "80"], [78, 80], ()),
    ],
    ids=str,
)
def test_numbers_in_several_units_of_a_quantity_are_not_read_as_if_they_were_in_one(texts, read_as, scales):
    values, found = read(*texts)
    np.testing.assert_array_equal(values, read_as)
    assert sorted(found.scales) == sorted(scales)


@pytest.mark.parametrize(
    "texts",
    [
        ["1st", "2nd", "3rd"], ["5a", "5b", "6a"], ["11 am", "8 pm"], ["1 year", "2 years"], ["11 N", "24 S"],
        ["3199 QW", "1017 AB"],        ["low", "high", "1 kg", "500 g"],
    ],
    ids=str,
)  # fmt: skip
def test_what_stands_behind_a_number_need_not_be_its_unit(texts):
    assert read(*texts)[1].scales == ()


def test_clean_numbers_have_no_notes():
    assert read("1.5", "2", "-3e5")[1].notes == ()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_any_float_as_python_prints_it_is_read_exactly(values):
    assert read(*map(repr, values))[0] == values


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=30), st.sampled_from([",", "'", " ", "\u202f", "\xa0", "’"]))
def test_any_integer_with_thousands_separators_is_read(values, separator):
    assert read(*(f"{value:,}".replace(",", separator) for value in values))[0] == values


@given(st.lists(st.decimals(-99999, 99999, places=2), min_size=1, max_size=20), st.sampled_from(["", " €", "%", " kg"]))
def test_any_decimal_comma_is_read_where_some_cell_has_two_places(values, unit):
    texts = [f"{value:.2f}".replace(".", ",") + unit for value in values]
    assert read(*texts)[0] == [float(value) for value in values]


@given(st.lists(st.text(max_size=70), max_size=20))
def test_any_text_is_a_number_or_nan(texts):
    _, found = read(*texts)
    assert 0 <= found.share <= 1
    again = found.format.read(pd.Series(texts, dtype="str"))
    assert again.dtype == np.float64
