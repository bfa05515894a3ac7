"""Paired differences over seeds: equal to scipy's tests where those apply, and honest where splits share rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tsk_core.evaluate.across_seeds import POINT, holm, paired_over_seeds

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
def test_turned_is_the_comparison_of_the_other_with_the_one(scores, random, ratio):
    a, b = np.array(scores), np.array(random.sample(scores, len(scores)))
    one, other = paired_over_seeds(a, b, ratio).turned(), paired_over_seeds(b, a, ratio)
    assert one == pytest.approx(other, abs=1e-12)


def test_one_pair_has_a_difference_and_no_interval():
    found = paired_over_seeds(np.array([0.8]), np.array([0.7]), 0.4)
    assert found.difference == pytest.approx(0.1) and found.of == 1
    assert found.low is found.high is found.p_above is found.p_below is found.p_value is None
    assert found.turned().low is None


def test_differences_without_spread_count_as_certain():
    found = paired_over_seeds(np.full(5, 0.8), np.full(5, 0.75), 0.4)
    assert (found.low, found.high) == pytest.approx((0.05, 0.05)) and (found.p_above, found.p_value) == (1, 0)
    equal = paired_over_seeds(np.full(5, 0.8), np.full(5, 0.8), 0.4)
    assert (equal.difference, equal.p_above, equal.p_value) == (0, 0, 1)


def test_holm_adjusts_as_in_his_procedure():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, None, 0.7]) == [1.0, None, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_between_no_correction_and_bonferroni_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(p <= q <= min(1, len(p_values) * p) + 1e-12 for p, q in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert all(np.diff(np.array(adjusted)[order]) >= 0)
