"""The mean of the last epochs, and whether a score jitters."""

import numpy as np
import pytest

from tsk_core.evaluate.comparing import last_epochs, window


def test_the_mean_is_that_of_the_last_fifth():
    scores = np.linspace(0.2, 0.9, 100)
    found = last_epochs(scores)
    assert found.epochs == 20 and found.mean == pytest.approx(sum(scores[-20:]) / 20)
    assert (found.low, found.high) == (pytest.approx(scores[-20]), pytest.approx(0.9))


@pytest.mark.parametrize(("epochs", "averaged"), [(1, 1), (4, 4), (10, 5), (25, 5), (60, 12), (150, 30), (2000, 30)])
def test_as_many_epochs_are_averaged(epochs, averaged):
    assert window(epochs) == averaged == last_epochs([0.5] * epochs).epochs


def test_a_rise_does_not_jitter_however_steep_nor_do_few_epochs():
    assert last_epochs(np.linspace(0.0, 1.0, 10)).jitter == pytest.approx(0)
    for scores in (np.linspace(0.0, 1.0, 10), [0.5, 0.6, 0.6, 0.8, 0.8, 0.9], [0.2, 0.9]):
        assert not last_epochs(scores).jitters
    assert last_epochs([]) is None


def test_scores_that_go_up_and_down_jitter():
    noise = np.random.default_rng(0).uniform(0.59, 0.85, 150)
    assert last_epochs(noise).jitters and last_epochs(noise).mean == pytest.approx(0.72, abs=0.03)
    assert not last_epochs(0.7 + 0.003 * np.sign(noise - 0.72)).jitters
