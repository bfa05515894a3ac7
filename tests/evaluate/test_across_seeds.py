"""Paired differences over seeds: equal to scipy's tests where those apply, and honest where splits share rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tsk_core.evaluate.comparing import (
    POINT,
    SIGNIFICANT,
    adjusted,
    holm,
    independent_seeds,
    paired_over_seeds,
)

SCORES = st.lists(st.floats(0, 1, allow_nan=False, width=32), min_size=2, max_size=30)


def test_without_test_rows_in_common_it_is_the_paired_t_test():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.8, 0.02, 12), rng.normal(0.79, 0.02, 12)
    found, oracle = paired_over_seeds(a, b, 0.0), stats.ttest_rel(a, b)
    assert found.difference == pytest.approx((a - b).mean())
    assert found.p_value == pytest.approx(oracle.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(oracle.confidence_interval(0.95)))
    assert found.p_above == pytest.approx(stats.ttest_rel(a - POINT, b, alternative="less").pvalue)
    assert (found.wins, found.losses, found.of) == ((a > b).sum(), (a < b).sum(), 12)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_the_interval_covers_the_truth_where_splits_share_rows(share):
    # Differences of splits that share rows are correlated by the share of test rows (Nadeau and Bengio's model).
    rng, truth, J, simulations = np.random.default_rng(1), 0.012, 10, 1000
    common = rng.normal(0, np.sqrt(share), (simulations, 1))
    differences = truth + 0.02 * (common + rng.normal(0, np.sqrt(1 - share), (simulations, J)))
    found = [paired_over_seeds(one, np.zeros(J), share / (1 - share)) for one in differences]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    assert 0.93 <= covered <= 0.97
    wrong = np.mean([paired_over_seeds(one - truth, np.zeros(J), share / (1 - share)).p_value < 0.05 for one in differences])
    assert 0.03 <= wrong <= 0.07


@given(SCORES, st.randoms(use_true_random=False), st.floats(0.05, 1))
def test_the_other_direction_has_every_sign_turned(scores, random, ratio):
    a, b = np.array(scores), np.array(random.sample(scores, len(scores)))
    one, other = paired_over_seeds(a, b, ratio), paired_over_seeds(b, a, ratio)
    assert (one.difference, one.wins, one.losses) == (-other.difference, other.losses, other.wins)
    assert one.ties == other.ties == (abs(a - b) <= 1e-12).sum() and one.clear == other.clear
    if one.low is not None:
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)


def test_one_pair_has_a_difference_and_no_interval():
    found = paired_over_seeds(np.array([0.8]), np.array([0.7]), 0.4)
    assert found.difference == pytest.approx(0.1) and found.of == 1
    assert {found.low, found.high, found.detectable, found.p_above, found.p_value, found.p_adjusted} == {None} and not found.clear


@pytest.mark.parametrize("difference", [0.0, 0.05])
def test_the_same_difference_in_all_seeds_has_no_spread_and_so_no_verdict(difference):
    # Accuracies come in steps of one test row: two seeds that differ by one row each do not make a difference certain.
    found = paired_over_seeds(np.full(2, 0.8 + difference), np.full(2, 0.8), 0.4)
    assert found.difference == pytest.approx(difference) and found.ties == (2 if difference == 0 else 0)
    assert {found.low, found.high, found.detectable, found.p_value} == {None} and not found.clear
    assert adjusted([found, found]) == [found, found]


def test_the_detectable_difference_is_the_smallest_that_is_clear():
    rng, ratio = np.random.default_rng(3), 3 / 7
    noise = rng.normal(0, 0.02, 10)
    noise -= noise.mean()
    found = paired_over_seeds(noise, np.zeros(10), ratio)
    assert found.detectable == pytest.approx(stats.t.ppf(0.975, 9) * np.sqrt(noise.var(ddof=1) * (1 / 10 + ratio)))
    for shift, clear in ((0.999, False), (1.001, True)):
        assert paired_over_seeds(noise + shift * found.detectable, np.zeros(10), ratio).clear is clear
        assert paired_over_seeds(noise - shift * found.detectable, np.zeros(10), ratio).clear is clear


def test_seeds_of_one_table_weigh_less_than_independent_ones():
    assert independent_seeds(10, 0.0) == pytest.approx(10) and independent_seeds(10, 3 / 7) == pytest.approx(70 / 37)


COMPARED = st.lists(st.tuples(st.floats(-0.1, 0.1), st.floats(0.001, 0.05), st.integers(0, 10**6)), min_size=1, max_size=8)


@given(COMPARED, st.integers(2, 12), st.sampled_from([0.0, 3 / 7]), st.booleans())
def test_verdict_interval_and_p_of_several_comparisons_never_contradict_each_other(compared, J, ratio, coarse):
    given_differences = []
    for mean, sd, seed in compared:
        scores = mean + sd * np.random.default_rng(seed).normal(size=J)
        given_differences.append(paired_over_seeds(scores.round(2) if coarse else scores, np.zeros(J), ratio))
    found = adjusted(given_differences)
    tested = [one for one in found if one.p_value is not None]
    assert [one.p_adjusted for one in found] == holm([one.p_value for one in given_differences])
    for one in tested:
        assert one.clear == (one.p_adjusted < SIGNIFICANT) == (not one.low <= 0 <= one.high)
        assert one.clear == (abs(one.difference) > one.detectable)
        divisor = SIGNIFICANT / (1 - one.level)
        assert 1 - 1e-9 <= divisor <= len(tested) + 1e-9 and divisor == pytest.approx(round(divisor))
    levels = [one.level for one in sorted(tested, key=lambda one: one.p_value)]
    assert levels == sorted(levels, reverse=True)  # the surer the difference, the stricter the level
    assert len({one.level for one in tested if not one.clear}) <= 1  # where Holm stopped


def test_the_interval_stays_at_the_level_at_which_holm_stopped():
    # The second p-value alone, 0.04, is below 0.05; Holm stops at the first, so the second is not clear either.
    first, second = (_of_p_value(p) for p in (0.03, 0.04))
    found = adjusted([first, second])
    assert second.clear and not any(one.clear for one in found) and [one.level for one in found] == [0.975, 0.975]
    assert adjusted([_of_p_value(0.01), second])[1] == second._replace(p_adjusted=pytest.approx(0.04))


def _of_p_value(p, J=10):
    noise = np.linspace(-0.01, 0.01, J)
    shift = stats.t.ppf(1 - p / 2, J - 1) * noise.std(ddof=1) / np.sqrt(J)
    found = paired_over_seeds(noise + shift, np.zeros(J), 0.0)
    assert found.p_value == pytest.approx(p)
    return found


def test_holm_adjusts_as_in_his_procedure():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, None, 0.7]) == [1.0, None, 1.0]
    assert holm([]) == []
