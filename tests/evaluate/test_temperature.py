"""Temperature scaling: the temperature is that of the lowest log loss, and rows without finite scores do not count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax, softmax
from sklearn.metrics import log_loss

from tsk_core.evaluate.confusion import LEAST, MOST, temperature


def drawn(seed, rows=4000, classes=3):
    """Scores, and classes that were drawn with the probabilities softmax(scores)."""
    rng = np.random.default_rng(seed)
    scores = 2 * rng.normal(size=(rows, classes))
    y = (softmax(scores, axis=1).cumsum(1) < rng.random((rows, 1))).sum(1)
    return scores, y


@given(st.integers(0, 100))
def test_no_other_temperature_has_a_lower_log_loss(seed):
    scores, y = drawn(seed, rows=60)
    losses = [-log_softmax(scores / T, axis=1)[np.arange(60), y].mean() for T in np.geomspace(LEAST, MOST, 60)]
    assert log_loss(y, softmax(scores / temperature(scores, y), axis=1), labels=[0, 1, 2]) <= min(losses) + 1e-6


def test_a_temperature_stays_within_the_bounds_and_scores_that_are_not_finite_do_not_count():
    scores = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert temperature(scores, np.array([0, 1])) < 0.2
    assert temperature(scores, np.array([1, 0])) == pytest.approx(MOST, rel=0.01)
    scores, y = drawn(0, rows=50)
    worse = np.vstack([scores, [[np.inf, 0, 0], [np.nan, 1, 2]]])
    assert temperature(worse, np.append(y, [1, 2])) == temperature(scores, y)
    assert temperature(scores[:0], y[:0]) == 1


@given(st.integers(0, 100), st.floats(0.2, 5))
def test_with_class_weights_it_is_that_of_the_corrected_probabilities(seed, factor):
    """The scores are those of other shares of classes, as a weighted training has them."""
    (scores, y), log_prior = drawn(seed), np.array([1.5, -0.5, -2.0])
    assert temperature(factor * (scores - log_prior), y, log_prior) == pytest.approx(factor, rel=0.15)
