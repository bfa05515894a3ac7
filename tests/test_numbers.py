"""Shares as percentages; the browser writes them in the same way (client/text.test.js)."""

import pytest

from tsk_core.numbers import percent, whole_percent


@pytest.mark.parametrize(
    ("share", "text", "whole"),
    [
        (0, "0%", "0%"),
        (1e-5, "under 0.1%", "under 1%"),
        (0.0006, "0.1%", "under 1%"),
        (0.123, "12.3%", "12%"),
        (0.9994, "99.9%", "over 99%"),
        (0.9996, "over 99.9%", "over 99%"),
        (1, "100%", "100%"),
    ],
)
def test_only_everything_is_100_percent_and_only_nothing_is_0(share, text, whole):
    assert (percent(share), whole_percent(share)) == (text, whole)
