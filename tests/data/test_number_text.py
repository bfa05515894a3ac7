"""Numbers in the style of a file: a decimal sign, thousands separators, units, currencies and signs of comparison."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.reading.in_process import parse_bytes, read_here
from tsk_core.data import make_dataset
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.numbers import NumberFormat, read_numbers
from tsk_core.data.number_text import number_span, value_of, with_point
from tsk_core.data.reading.read_options import ReadOptions

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


WRITTEN = {  # cells of a column in a file of decimal commas, and their numbers
    "a unit": (["14,96", "1,5 kg", "1,234 kg", "1.234,5 kg", "2"], [14.96, 1.5, 1.234, 1234.5, 2]),
    "bounds": (["<1,234", "<0,5", "7,25", "8,5", "9"], [1.234, 0.5, 7.25, 8.5, 9]),
    "a unit alone": (["1,234 kg", "2,345 kg", "3.456 kg"], [1.234, 2.345, 3456]),
    "currencies": (["€ 1.234,50", "€ 3,125", "€ 4"], [1234.5, 3.125, 4]),
    "spaces": (["1 234,5", "1\u202f234,125", "12\xa0345", "7"], [1234.5, 1234.125, 12345, 7]),
    "apostrophes": (["1'234,5", "2’345,125"], [1234.5, 2345.125]),
    "percent": (["12,375 %", "5,5%"], [12.375, 5.5]),
    "approximate": (["ca. 1,234", "2,5", "~3,125"], [1.234, 2.5, 3.125]),
    "signs": (["−1,234", "-0,125", "–2,5"], [-1.234, -0.125, -2.5]),
    "negative numbers of accountants": (["(1.234,50)", "(5 €)", "7,25", "8"], [-1234.5, -5, 7.25, 8]),
    "points that separate no thousands": (["0.125 kg", "1.234 kg", "2.5 kg"], [0.125, 1.234, 2.5]),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_file_with_decimal_commas_is_read_with_units_and_signs(kind):
    texts, numbers = WRITTEN[kind]
    rows = [f'"{text}";14,96;{"xy"[k % 2]}' for k, text in enumerate(texts)]
    raw = read_here("\n".join(["a;b;class", *rows]).encode())
    assert raw.read_options.decimal == ","
    cells = Cells.of(raw.frame["a"])
    np.testing.assert_array_equal(read_numbers(cells).of_words[cells.codes], numbers)


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("1,5 kg;2\n3,25 kg;4", ","),
        ("<0,5;2\n<1,5;4", ","),
        ("1.234,5;2\n2.345,6;4", ","),
        ("1.234;1,5\n2.345;2,5\n3.456;2", ","),
        ("1,234;2\n2,345;4", ","),
        ("$1,234;2\n$2,345;4", "."),
        ("1.5 kg;2\n3.25 kg;4", "."),
        ("1,234.5;2\n2,345.6;4", "."),
        ("0.125;2\n0.250;4", "."),
    ],
)
def test_the_decimal_sign_of_a_file_is_the_one_that_most_numbers_need(text, decimal):
    assert read_here(f"a;b\n{text}\n".encode()).read_options.decimal == decimal


def test_english_thousands_keep_their_value_beside_decimal_points():
    rows = "\n".join(f'"{1 + k},234 kg",{k}.5,{"xy"[k % 2]}' for k in range(6))
    ds = make_dataset(read_here(f"a,b,class\n{rows}\n".encode()).frame, "class", name="t")
    assert ds.X["a"].tolist() == [1234, 2234, 3234, 4234, 5234, 6234]


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


def test_numbers_in_parentheses_are_negative_beside_others_and_answers_alone():
    def read(*words):
        return read_numbers(Cells.of(pd.Series(words, name="a", dtype="str")))

    beside = read("(1,234.50)", "(2)", "3", "(4%)")
    np.testing.assert_array_equal(beside.of_words, [-1234.5, -2, 3, -4])
    assert "3 cells such as '(1,234.50)' read as negative" in beside.notes
    assert read("(1)", "(2)", "(3)").share == 0
    assert [number_span(word) for word in ("(-5)", "((5))", "(<5)", "(5", "5)", "()")] == [None] * 6
