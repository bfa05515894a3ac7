"""A membership's words are the most similar terms; its numbers are its half-height points."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.explain.labels import ANY, AlphaCut, fuzzy_partition, label, number

UNIFORM = np.linspace(0, 100, 501)
columns = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=60)


def slow_label(center, sigma, words):
    """Every run of terms, every grid point, one at a time."""
    membership = [np.exp(-((g - center) ** 2) / (2 * sigma**2)) for g in words.grid]
    largest = max(membership)
    runs = {}
    for first in range(len(words.words)):
        for last in range(first, len(words.words)):
            smaller = larger = 0.0
            for g, mu in zip(words.grid, membership, strict=True):
                union = 0.0
                for k in range(first, last + 1):
                    union += np.interp(g, words.peaks, [float(k == j) for j in range(len(words.words))])
                smaller += min(mu / largest, union)
                larger += max(mu / largest, union)
            runs[first, last] = smaller / larger
    return max(runs, key=runs.get)


@pytest.mark.parametrize(
    ("center", "sigma", "expected"),
    [
        (0, 8, "very low"),
        (30, 7, "low"),
        (50, 7, "medium"),
        (40, 14, "low or medium"),
        (50, 25, "low to high"),
        (100, 8, "very high"),
        (130, 20, "very high"),
        (50, 1000, ANY),
        (28, 40, "not very high"),
        (72, 40, "not very low"),
    ],
)
def test_words_of_a_uniform_feature(center, sigma, expected):
    assert label(center, sigma, fuzzy_partition(UNIFORM)) == expected


@given(st.floats(-20, 120), st.floats(3, 200), st.sampled_from([2, 3, 7, 40]))
def test_the_label_is_the_run_of_terms_with_the_largest_jaccard_similarity(center, sigma, distinct):
    words = fuzzy_partition(np.linspace(0, 100, distinct))
    first, last = slow_label(center, sigma, words)
    got = label(center, sigma, words)
    whole = (first, last) == (0, len(words.words) - 1)
    left, right = center - np.sqrt(2 * np.log(2)) * sigma <= 0, center + np.sqrt(2 * np.log(2)) * sigma >= 100
    if whole:
        assert got == ANY
    elif len(words.words) > 2 and (first, last) == (0, len(words.words) - 2) and left:
        assert got == f"not {words.words[-1]}"
    elif len(words.words) > 2 and (first, last) == (1, len(words.words) - 1) and right:
        assert got == f"not {words.words[0]}"
    else:
        assert got.startswith(words.words[first]) and got.endswith(words.words[last])


@given(columns)
def test_terms_sum_to_one_on_the_data_and_beyond(values):
    words = fuzzy_partition(np.array(values))
    points = np.concatenate([values, words.grid, [words.low - 5, words.high + 5]])
    if words.words:
        np.testing.assert_allclose(words.terms(points).sum(0), 1, atol=1e-9)
        assert (np.diff(words.peaks) > 0).all()


@pytest.mark.parametrize(("values", "count"), [([7], 0), ([0, 1], 2), ([1, 2, 3], 3), (range(9), 3), (range(10), 5)])
def test_a_feature_has_as_many_words_as_its_values_bear(values, count):
    assert len(fuzzy_partition(np.repeat(np.array(values, float), 4)).words) == count


def test_odd_columns_and_odd_conditions_still_have_words():
    words = fuzzy_partition(np.array([0.0] * 95 + [1, 2, 3, 4, 5.0]))
    assert words.words == ("low", "medium", "high")
    words = fuzzy_partition(np.full(20, 3.5))
    assert label(3.0, 1.0, words) == ANY
    assert AlphaCut.of(9.0, 1.0, words).text.startswith("≥ 7.8")
    words = fuzzy_partition(UNIFORM)
    assert label(1e250, 1e-50, words)
    assert label(150.0, 1e-3, words) == "very high"


@given(columns, st.floats(-2e6, 2e6), st.floats(1e-3, 1e6))
def test_the_interval_holds_the_half_height_points_that_are_in_the_data(values, center, sigma):
    words = fuzzy_partition(np.array(values))
    where = AlphaCut.of(center, sigma, words)
    low = -np.inf if where.low is None else where.low
    high = np.inf if where.high is None else where.high
    last_digit = 1e-3 * sigma + 0.5 * 10**0.5 * words.spread / 30  # ends are rounded as printed
    for point in (center - 1.1774 * sigma, center, center + 1.1774 * sigma):
        if words.low <= point <= words.high:
            assert low - last_digit <= point <= high + last_digit
    for value in values:
        if abs(value - center) < 1.177 * sigma - last_digit:
            assert low <= value <= high
        if abs(value - center) > 1.178 * sigma + last_digit:
            assert not low <= value <= high


@given(columns, st.floats(-2e6, 2e6), st.floats(1e-3, 1e6))
def test_the_ends_are_the_numbers_that_are_printed(values, center, sigma):
    words = fuzzy_partition(np.array(values))
    where = AlphaCut.of(center, sigma, words)
    said = [float(part) for part in re.findall(r"-?\d[\d.]*(?:e[+-]\d+)?", where.text.partition(", beyond")[0])]
    assert said == [end for end in (where.low, where.high) if end is not None]
    half = 1.1774100225154747 * sigma
    excludes = center - half > words.low or center + half < words.high
    if excludes and words.low < words.high:
        low, high = (None if end is None else end for end in (where.low, where.high))
        assert (low is not None and low > words.low) or (high is not None and high < words.high) or "beyond" in where.text


@pytest.mark.parametrize(
    ("center", "sigma", "text"),
    [
        (50, 10, "between 38 and 62"),
        (5, 10, "≤ 17"),
        (95, 10, "≥ 83"),
        (110, 20, "≥ 86"),
        (-10, 20, "≤ 14"),
        (200, 10, "≥ 188, beyond the data, which end at 100"),
        (-200, 10, "≤ -188, beyond the data, which start at 0"),
        (50, 0.01, "between 49.99 and 50.01"),
    ],
)
def test_numbers_in_words(center, sigma, text):
    assert AlphaCut.of(center, sigma, fuzzy_partition(UNIFORM)).text == text


@pytest.mark.parametrize(
    ("value", "spread", "text"),
    [
        (4.8712, 1.76, "4.9"),
        (2.0, 1.76, "2.0"),
        (48231.0, 5000, "48200"),
        (-0.001, 1.76, "0.0"),
        (1.70000001e9, 1e7, "1700000000"),
        (1.53e-8, 1e-8, "1.5e-08"),
        (0.0, 0.0, "0"),
        (1.25e12, 3e11, "1.25e+12"),
    ],
)
def test_numbers_carry_the_digits_that_matter(value, spread, text):
    assert number(value, spread) == text
