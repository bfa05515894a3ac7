"""Support, wins, confidence and redundancy against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tsk_core.epoch import hardly_fires, never_fires
from tsk_core.explain.measures import confidence, redundancy, share_of, support, wins

firings = st.tuples(st.integers(1, 12), st.integers(1, 5)).flatmap(lambda s: arrays(float, s, elements=st.floats(0, 1, width=16)))


@given(firings)
def test_redundancy_is_shared_firing_over_joint_firing(firing):
    got = redundancy(firing)
    for r in range(firing.shape[1]):
        for s in range(firing.shape[1]):
            smaller = sum(min(row[r], row[s]) for row in firing)
            larger = sum(max(row[r], row[s]) for row in firing)
            expected = 1.0 if r == s else smaller / larger if larger else 0.0
            assert abs(got[r, s] - expected) < 1e-9


@given(firings)
def test_support_wins_and_confidence_are_shares(firing):
    y = np.arange(len(firing)) % 2
    np.testing.assert_allclose(support(firing), [sum(column) / len(firing) for column in firing.T])
    assert abs(wins(firing).sum() - 1) < 1e-12
    sure = confidence(firing, y, 3)
    for r in range(firing.shape[1]):
        total = sum(firing[:, r])
        for c in range(3):
            if total:
                covered = sum(f for f, k in zip(firing[:, r], y, strict=True) if k == c)
                assert abs(sure[r, c] - covered / total) < 1e-12
            else:
                assert np.isnan(sure[r, c])


@given(st.integers(0, 10**6), st.integers(100, 500), st.integers(1, 3))
def test_no_confidence_and_no_share_is_above_one_by_rounding(seed, n_rows, n_classes):
    rng = np.random.default_rng(seed)
    firing, y = rng.dirichlet(np.full(8, 0.1), n_rows), rng.integers(0, n_classes, n_rows)
    firing[:, 0] *= y == 0  # as of a rule that fires for one class alone
    assert np.nanmax(confidence(firing, y, n_classes)) <= 1
    assert share_of(firing, y == 0).max() <= 1


def test_a_rule_hardly_fires_below_a_fifth_of_an_equal_share_and_no_village_is_too_small_to_live():
    R, N = 10, 1000
    village = np.full((N, R), 1e-12)
    village[:, 0] = 1
    village[0] = 1 / R  # one row that all rules share, the smallest village that there can be
    assert never_fires(village.mean(0), N).tolist() == [False] * R
    assert hardly_fires(village.mean(0), N).tolist() == [False] + [True] * (R - 1)
    nobody = np.full((N, R), 1e-7)
    nobody[:, 0] = 1
    assert wins(nobody)[1:].tolist() == [0] * (R - 1)
    assert never_fires(nobody.mean(0), N).tolist() == [False] + [True] * (R - 1)
    assert not hardly_fires(nobody.mean(0), N).any()
    assert hardly_fires(np.array([0.899, 0.101]), 100).tolist() == [False, False]
    assert hardly_fires(np.array([0.901, 0.099]), 100).tolist() == [False, True]


def test_the_share_on_some_rows_is_weighted_by_firing():
    firing = np.array([[0.9, 0.0], [0.3, 0.0], [0.6, 0.0]])
    assert share_of(firing, np.array([True, False, True])) == pytest.approx([1.5 / 1.8, 0])
