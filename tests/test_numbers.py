"""Numbers for people, by examples that the browser is tested with, too (client/text.test.js)."""

import json
from pathlib import Path

import pytest

from tsk_core.numbers import percent, signed, whole_percent

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
