"""Intervals against their definitions, computed row by row."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score

from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.intervals import corrected_t_interval, percentile_interval, resampled_counts


def test_the_corrected_interval_is_that_of_nadeau_and_bengio():
    scores = np.array([0.71, 0.75, 0.78, 0.7, 0.8, 0.76, 0.74, 0.79, 0.72, 0.77])
    J, mean = 10, sum(scores) / 10
    variance = sum((score - mean) ** 2 for score in scores) / (J - 1)
    half = 2.262157 * (variance * (1 / J + 300 / 700)) ** 0.5  # the t table: 97.5%, 9 degrees of freedom
    low, high = corrected_t_interval(scores, 300 / 700)
    assert (low, high) == (pytest.approx(mean - half, rel=1e-6), pytest.approx(mean + half, rel=1e-6))


def test_the_corrected_interval_is_wider_than_that_of_independent_scores():
    scores = np.random.default_rng(0).normal(0.8, 0.02, 10)
    low, high = corrected_t_interval(scores, 1.0)
    plain = stats.t.interval(0.95, 9, scores.mean(), scores.std(ddof=1) / 10**0.5)
    assert (high - low) / (plain[1] - plain[0]) == pytest.approx(11**0.5)  # √((1/10 + 1) / (1/10))


def test_a_single_split_has_no_interval():
    assert corrected_t_interval(np.array([0.8]), 0.5) is None


def test_counts_of_resampled_rows_are_those_of_rows_drawn_with_replacement():
    rng, kinds = np.random.default_rng(0), np.repeat([0, 1, 3], [60, 25, 15])
    drawn = resampled_counts(np.bincount(kinds), np.random.default_rng(1), 4000)
    slow = np.array([np.bincount(rng.choice(kinds, 100), minlength=4) for _ in range(4000)])
    assert (drawn.sum(1) == 100).all() and (drawn[:, 2] == 0).all()
    assert drawn.mean(0) == pytest.approx(slow.mean(0), abs=0.4)
    assert np.cov(drawn.T) == pytest.approx(np.cov(slow.T), abs=1.5)


def test_a_percentile_interval_leaves_undefined_values_out():
    values = np.arange(1001.0)
    assert percentile_interval(values) == pytest.approx((25, 975))
    assert percentile_interval(np.append(values, [np.nan] * 50)) == pytest.approx((25, 975))
    assert percentile_interval(np.full(5, np.nan)) is None


def slow_differences(y, one, other, resamples=2000):
    """Row by row, with scikit-learn's balanced accuracy."""
    rng, found = np.random.default_rng(7), []
    for _ in range(resamples):
        rows = rng.integers(len(y), size=len(y))
        bca = [balanced_accuracy_score(y[rows], predicted[rows]) for predicted in (one, other)]
        found.append(((one[rows] == y[rows]).mean() - (other[rows] == y[rows]).mean(), bca[0] - bca[1]))
    return np.quantile(np.array(found), [0.025, 0.975], axis=0).T


def test_paired_differences_agree_with_resampling_row_by_row():
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 300, p=[0.6, 0.3, 0.1])
    one = np.where(rng.random(300) < 0.7, y, "a")
    other = np.where(rng.random(300) < 0.3, one, np.where(rng.random(300) < 0.85, y, "b"))
    found, (rca, bca) = paired_differences(y, one, other, seed=0), slow_differences(y, one, other)
    assert found["rca"].difference == pytest.approx((one == y).mean() - (other == y).mean())
    assert found["bca"].difference == pytest.approx(balanced_accuracy_score(y, one) - balanced_accuracy_score(y, other))
    assert found["rca"][1:] == pytest.approx(rca, abs=0.012) and found["bca"][1:] == pytest.approx(bca, abs=0.015)
    assert found == paired_differences(y, one, other, seed=0)


def test_a_classifier_that_errs_on_few_more_rows_is_not_below_the_other():
    y, good = np.repeat(["a", "b"], 100), np.repeat(["a", "b"], 100)
    for wrong, below in ((3, False), (30, True)):
        worse = good.copy()
        worse[:wrong] = "b"
        assert all(paired.is_below is below for paired in paired_differences(y, worse, good, 0).values())
        assert not any(paired.is_below for paired in paired_differences(y, good, worse, 0).values())


def test_without_rows_nothing_is_compared():
    assert paired_differences(np.empty(0, object), np.empty(0, object), np.empty(0, object), 0) == {}
