"""Bootstrap intervals against a slow bootstrap, known cases, and the width that the number of rows deserves."""

import numpy as np
import pytest

from tsk_core.explain.claims import intervals
from tsk_core.explain.claims.intervals import confidence_intervals


def test_the_interval_is_that_of_rows_drawn_again_one_by_one():
    rng = np.random.default_rng(0)
    firing = rng.dirichlet(np.ones(3), 150)
    own = rng.random((150, 3)) < [0.2, 0.5, 0.9]
    got = confidence_intervals(firing, own)
    for r in range(3):
        drawn = []
        for _ in range(1000):
            rows = rng.integers(0, 150, 150)
            drawn.append(sum(firing[n, r] * own[n, r] for n in rows) / sum(firing[n, r] for n in rows))
        np.testing.assert_allclose(got[r], np.quantile(drawn, [0.025, 0.975]), atol=0.03)


def test_sampled_rows_give_the_width_of_all_rows(monkeypatch):
    rng = np.random.default_rng(1)
    firing = np.ones((8000, 1))
    own = rng.random((8000, 1)) < 0.3
    monkeypatch.setattr(intervals, "MOST_ROWS", 8000)
    whole = confidence_intervals(firing, own)[0]
    monkeypatch.setattr(intervals, "MOST_ROWS", 500)
    part = confidence_intervals(firing, own)[0]
    assert np.diff(part) == pytest.approx(np.diff(whole), rel=0.25)
    assert np.mean(part) == pytest.approx(own.mean(), abs=0.004)


def test_a_rule_that_is_always_right_has_no_width_and_one_that_never_fires_no_interval():
    firing = np.column_stack([np.ones(20), np.zeros(20), np.r_[1.0, np.zeros(19)]])
    own = np.ones((20, 3), bool)
    got = confidence_intervals(firing, own)
    assert got[0].tolist() == [1, 1]
    assert np.isnan(got[1]).all()
    assert got[2].tolist() == [1, 1]  # a draw without its only row is left out


def test_the_same_rows_give_the_same_interval():
    rng = np.random.default_rng(2)
    firing, own = rng.dirichlet(np.ones(4), 60), rng.random((60, 4)) < 0.5
    np.testing.assert_array_equal(confidence_intervals(firing, own), confidence_intervals(firing, own))
