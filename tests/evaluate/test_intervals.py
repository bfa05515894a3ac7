"""Intervals against their definitions, computed row by row."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score

from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.intervals import corrected_t_interval, paired_shares, percentile_interval, rows_alone, wilson


def test_the_corrected_interval_is_that_of_nadeau_and_bengio():
    scores = np.array([0.71, 0.75, 0.78, 0.7, 0.8, 0.76, 0.74, 0.79, 0.72, 0.77])
    J, mean = 10, sum(scores) / 10
    variance = sum((score - mean) ** 2 for score in scores) / (J - 1)
    half = 2.262157 * (variance * (1 / J + 300 / 700)) ** 0.5  # the t table: 97.5%, 9 degrees of freedom
    low, high = corrected_t_interval(scores, 300 / 700)
    assert (low, high) == (pytest.approx(mean - half, rel=1e-6), pytest.approx(mean + half, rel=1e-6))


def test_what_is_undefined_has_no_interval():
    values = np.arange(1001.0)
    assert percentile_interval(values, 10**6) == pytest.approx((25, 975), abs=0.1)
    assert percentile_interval(np.append(values, [np.nan] * 50), 10**6) == pytest.approx((25, 975), abs=0.1)
    assert percentile_interval(np.full(5, np.nan), 10) is None
    assert corrected_t_interval(np.array([0.8]), 0.5) is None
    assert paired_differences(np.empty(0, object), np.empty(0, object), np.empty(0, object), rows_alone(0), 0) == {}


@pytest.mark.parametrize("units", [5, 8, 30])
def test_of_few_units_the_percentile_interval_of_a_mean_is_students(units):
    normal = stats.norm(0, ((units - 1) / units) ** 0.5)  # what a mean's resamples are, of a sample SD of √units
    values = normal.ppf((np.arange(10**6) + 0.5) / 10**6)
    assert percentile_interval(values, units).high == pytest.approx(stats.t.ppf(0.975, units - 1), rel=0.01)


def slow_differences(y, one, other, resamples=2000):
    """Row by row."""
    rng, found = np.random.default_rng(7), []
    for _ in range(resamples):
        rows = rng.integers(len(y), size=len(y))
        bca = [np.mean([(predicted[rows] == c)[y[rows] == c].mean() for c in "abc"]) for predicted in (one, other)]
        found.append(((one[rows] == y[rows]).mean() - (other[rows] == y[rows]).mean(), bca[0] - bca[1]))
    return np.quantile(np.array(found), [0.025, 0.975], axis=0).T


def test_paired_differences_agree_with_resampling_row_by_row():
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 300, p=[0.6, 0.3, 0.1])
    one = np.where(rng.random(300) < 0.7, y, "a")
    other = np.where(rng.random(300) < 0.3, one, np.where(rng.random(300) < 0.85, y, "b"))
    found, (rca, bca) = paired_differences(y, one, other, rows_alone(300), seed=0), slow_differences(y, one, other)
    assert found["rca"].difference == pytest.approx((one == y).mean() - (other == y).mean())
    assert found["bca"].difference == pytest.approx(balanced_accuracy_score(y, one) - balanced_accuracy_score(y, other))
    assert found["rca"][1:] == pytest.approx(rca, abs=0.012) and found["bca"][1:] == pytest.approx(bca, abs=0.015)
    assert found == paired_differences(y, one, other, rows_alone(300), seed=0)


def test_a_classifier_that_errs_on_few_more_rows_is_not_below_the_other():
    y, good = np.repeat(["a", "b"], 100), np.repeat(["a", "b"], 100)
    for wrong, below in ((3, False), (30, True)):
        worse = good.copy()
        worse[:wrong] = "b"
        assert all(paired.is_below is below for paired in paired_differences(y, worse, good, rows_alone(200), 0).values())
        assert not any(paired.is_below for paired in paired_differences(y, good, worse, rows_alone(200), 0).values())


def test_what_does_not_differ_in_these_rows_still_widens_an_interval():
    """Nobody knows how the twenty rows of the rare class would differ in another sample."""
    y = np.repeat(["a", "b"], [300, 20])
    one, other = y.copy(), y.copy()
    one[:6], other[6:24] = "b", "b"
    bca = paired_differences(y, one, other, rows_alone(320), 0)["bca"]
    assert bca.difference == pytest.approx(0.02) and bca.low < -0.02 and bca.high > 0.06
    y = np.repeat(["a", "b"], [10, 4])
    found = paired_differences(y, y, y, rows_alone(14), 0)
    assert found["rca"][1:] == paired_shares(0, 0, 14)
    assert found["rca"].difference == found["bca"].difference == 0
    assert found["bca"].low < found["rca"].low < -0.05 and found["bca"].high > found["rca"].high > 0.05


@pytest.mark.parametrize(("right", "n"), [(14, 14), (0, 14), (26, 28), (1, 2), (0, 0)])
def test_the_interval_of_a_share_is_wilsons(right, n):
    low, high = wilson(right, n)
    z = 1.959964
    share = right / n if n else 0.5
    centre, half = share + z**2 / (2 * n or 1), z * (share * (1 - share) / (n or 1) + z**2 / (4 * (n or 1) ** 2)) ** 0.5
    ends = ((centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)) if n else (0, 1)
    assert (low, high) == pytest.approx(ends, abs=1e-6)
    assert 0 <= low < high <= 1


@pytest.mark.parametrize(("won", "lost", "n"), [(0, 0, 14), (6, 0, 45), (3, 9, 120)])
def test_the_interval_of_paired_shares_is_that_of_bonett_and_price(won, lost, n):
    first, other = (won + 1) / (n + 2), (lost + 1) / (n + 2)
    error = ((first + other - (first - other) ** 2) / (n + 2)) ** 0.5
    assert paired_shares(won, lost, n) == pytest.approx((first - other - 1.959964 * error, first - other + 1.959964 * error))
