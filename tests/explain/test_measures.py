"""Support, wins, confidence and redundancy against their definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tsk_core.explain.measures import confidence, is_dead, redundancy, support, wins

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


def test_a_class_without_rows_has_confidence_zero():
    assert confidence(np.ones((4, 1)), np.zeros(4, int), 3).tolist() == [[1, 0, 0]]


def test_a_rule_is_dead_below_a_tenth_of_an_equal_share():
    assert is_dead(np.array([[0.949, 0.051], [0.951, 0.049]])).tolist() == [False, False]
    assert is_dead(np.array([[0.96, 0.04]])).tolist() == [False, True]
