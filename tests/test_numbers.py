"""Numbers for people, by examples that the browser is tested with, too (client/text.test.js)."""

import json
from pathlib import Path

import pytest

from tsk_core.numbers import counted, percent, rounded_text, signed, whole_percent

VECTORS = json.loads((Path(__file__).parent / "vectors" / "numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS["shares"], ids=lambda case: str(case["share"]))
def test_only_everything_is_100_percent_and_only_nothing_is_0(case):
    assert (percent(case["share"]), whole_percent(case["share"])) == (case["percent"], case["whole"])


@pytest.mark.parametrize("case", VECTORS["fixed"], ids=lambda case: str(case["value"]))
def test_what_lies_between_two_numbers_goes_to_the_even_one(case):
    """As Python formats numbers; the browser has to do the same."""
    assert f"{case['value']:.{case['digits']}f}" == case["text"]


@pytest.mark.parametrize("case", VECTORS["signed"], ids=lambda case: str(case["value"]))
def test_a_difference_has_its_sign_and_nothing_has_none(case):
    assert signed(case["value"], case["digits"]) == case["text"]


@pytest.mark.parametrize("case", VECTORS["counted"], ids=lambda case: case["text"])
def test_one_thing_is_singular_and_every_other_number_plural(case):
    assert counted(case["n"], "rule") == case["text"]
    assert [counted(n, "row is", "rows are") for n in (0, 1, 2)] == ["0 rows are", "1 row is", "2 rows are"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.012345678, "0.0123457"), (123456.7, "123457"), (1234567.8, "1234568"), (20240219.0, "20240219"),
     (1709596800123.0, "1709596800123"), (-3.0, "-3"), (1e300, "1e+300"), (2.5, "2.5")],
)  # fmt: skip
def test_large_numbers_keep_the_digits_before_the_point(value, text):
    assert rounded_text(value) == text
