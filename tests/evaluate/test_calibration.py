"""Reliability against its definition."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.evaluate.confusion import reliability

answers = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def slow(rows):
    """Bin by bin, row by row."""
    bins = [[(p, right) for p, right in rows if k / 10 <= p < (k + 1) / 10 or (k == 9 and p == 1)] for k in range(10)]
    confidence = [sum(p for p, _ in rows) / len(rows) if rows else None for rows in bins]
    accuracy = [sum(right for _, right in rows) / len(rows) if rows else None for rows in bins]
    gaps = [len(b) * abs(a - c) for b, a, c in zip(bins, accuracy, confidence, strict=True) if b]
    return [len(b) for b in bins], confidence, accuracy, sum(gaps) / len(rows) if rows else None


@given(answers.filter(lambda rows: all(abs(p * 10 - round(p * 10)) > 1e-9 or p in (0, 0.5, 1) for p, _ in rows)))
def test_bins_and_ece_are_those_of_the_definition(rows):
    got = reliability(np.array([p for p, _ in rows]), np.array([right for _, right in rows], bool))
    count, confidence, accuracy, ece = slow(rows)
    assert got["reliability"]["count"] == count
    assert got["reliability"]["confidence"] == [c if c is None else pytest.approx(c) for c in confidence]
    assert got["reliability"]["accuracy"] == accuracy
    assert got["ece"] == (None if ece is None else pytest.approx(ece, abs=1e-12))
    json.dumps(got, allow_nan=False)


def test_full_confidence_is_of_the_last_bin_and_rows_without_a_probability_of_none():
    assert reliability(np.ones(3), np.ones(3, bool))["reliability"]["count"] == [0] * 9 + [3]
    got = reliability(np.array([0.95, np.nan]), np.array([True, False]))
    assert got == reliability(np.array([0.95]), np.array([True]))
