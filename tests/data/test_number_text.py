"""Numbers in the style of a file: a decimal sign, thousands separators, units, currencies and signs of comparison."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.reading.in_process import parse_bytes
from tsk_core.data.cell_text import number_span, value_of, with_point
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.numbers import NumberFormat, read_numbers
from tsk_core.data.reading.parsed import ReadOptions

THOUSANDS = {".": ["", ",", "'", "’", " ", "\xa0", "\u2009", "\u202f"], ",": ["", ".", "'", "’", " ", "\xa0", "\u2009", "\u202f"]}
BEFORE = ["", "<", "≤ ", ">=", "ca. ", "~", "€ ", "$", "CHF ", "< $"]
AFTER = ["", " kg", "kg", " %", "%", " €", " EUR", " mg/dl", " m²", "\xa0°C"]
MINUS = ["-", "−", "–"]


@st.composite
def written(draw, decimal):
    """A number as text and its value: the digits as drawn, in groups of three, with a sign, a unit and so on."""
    whole, places = draw(st.integers(0, 10**9)), draw(st.text("0123456789", max_size=6))
    separator = draw(st.sampled_from(THOUSANDS[decimal]))
    minus = draw(st.sampled_from(["", *MINUS]))
    before = draw(st.sampled_from(BEFORE))
    after = draw(st.sampled_from(AFTER)) if not set(before) & set("€$CHF") else ""
    digits = f"{whole:,}".replace(",", separator) + (decimal + places if places else "")
    return f"{before}{minus}{digits}{after}", float(f"{'-' if minus else ''}{whole}.{places or 0}")


@pytest.mark.parametrize("decimal", [".", ","])
@given(data=st.data())
def test_a_number_in_the_style_of_a_file_reads_back_to_itself(decimal, data):
    text, value = data.draw(written(decimal))
    assert value_of(text, number_span(text), decimal) == value


@given(written(","))
def test_a_number_written_with_a_point_has_the_same_value_and_no_other(drawn):
    text, value = drawn
    point = with_point(text, number_span(text))
    span = number_span(point)
    assert value_of(point, span, ".") == value
    assert {value_of(point, span, sign) for sign in span.decimals} == {value}


@given(st.lists(written(","), min_size=1, max_size=8), st.sampled_from([";", "\t"]))
def test_the_decimal_comma_of_a_file_holds_for_every_cell(drawn, delimiter):
    texts, values = zip(*drawn, strict=True)
    lines = [delimiter.join(("a", "b", "class")), *(delimiter.join((text, "14,96", "x")) for text in texts)]
    frame, _ = parse_bytes("\n".join(lines).encode(), ReadOptions(delimiter=delimiter, decimal=",", header=True))
    cells = Cells.of(frame["a"])
    if cells.kind == "number":
        assert cells.values.tolist() == list(values)
        return
    for word, value in zip(frame["a"], values, strict=True):
        span = number_span(word.strip())
        assert {value_of(word.strip(), span, sign) for sign in span.decimals} == {value}


def test_two_units_do_not_turn_decimal_points_into_thousands():
    read = read_numbers(Cells.of(pd.Series(["1.234 kg", "2.345 kg", "3.456 kg", "1.5 g"], name="a", dtype="str")))
    assert read.format.decimal == "." and read.share == 0


def test_new_words_are_read_in_either_spelling_where_it_is_plain():
    comma, point = NumberFormat(",", "kg"), NumberFormat(".", "kg")
    for form in (comma, point):
        assert form.read(pd.Series(["81,3 kg", "81.3 kg", "1.234,5", "1,234.5"])).tolist() == [81.3, 81.3, 1234.5, 1234.5]
    ambiguous = pd.Series(["81,345 kg"])
    assert (comma.read(ambiguous)[0], point.read(ambiguous)[0]) == (81.345, 81345)
    assert comma.read(pd.Series(["81,345 kg", "1.5"])).tolist() == [81345, 1.5]  # the other word needs a point
    assert point.read(pd.Series(["81,345 kg", "1,5"])).tolist() == [81.345, 1.5]


def test_a_number_with_an_exponent_has_no_thousands_separators():
    word = "5,551e+04"
    span = number_span(word)
    assert span.decimals == "," and value_of(word, span, ",") == 55510
    assert number_span("1'234e5") is None


def test_numbers_in_parentheses_are_answers_where_they_are_alone():
    assert read_numbers(Cells.of(pd.Series(["(1)", "(2)", "(3)"], name="a", dtype="str"))).share == 0
    assert [number_span(word) for word in ("(-5)", "((5))", "(<5)", "(5", "5)", "()")] == [None] * 6
