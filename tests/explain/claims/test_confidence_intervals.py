"""Bootstrap intervals against a slow bootstrap, known cases, and the width that the number of rows deserves."""

import numpy as np
import pytest
from scipy.stats import binomtest

from tsk_core.explain import claims
from tsk_core.explain.claims import confidence_intervals


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
    monkeypatch.setattr(claims, "MOST_ROWS", 8000)
    whole = confidence_intervals(firing, own)[0]
    monkeypatch.setattr(claims, "MOST_ROWS", 500)
    part = confidence_intervals(firing, own)[0]
    assert np.diff(part) == pytest.approx(np.diff(whole), rel=0.25)
    assert np.mean(part) == pytest.approx(own.mean(), abs=0.004)


def test_a_rule_that_is_always_right_has_wilsons_interval_and_one_that_never_fires_none():
    firing = np.column_stack([np.ones(20), np.zeros(20), np.r_[1.0, np.zeros(19)]])
    own = np.ones((20, 3), bool)
    got = confidence_intervals(firing, own)
    wilson = [binomtest(n, n).proportion_ci(method="wilson").low for n in (20, 1)]
    assert got[0] == pytest.approx([wilson[0], 1]) and got[2] == pytest.approx([wilson[1], 1])
    assert np.isnan(got[1]).all()


def test_mistakes_in_the_tail_of_a_rules_firing_do_not_stand_for_one_at_its_centre():
    rng, hits = np.random.default_rng(0), 0
    firing = np.where(np.arange(1000) < 60, 1.0, 0.001)[:, None]  # 60 rows at its centre, of which 97% are of its class
    precision = np.where(np.arange(1000) < 60, 0.97, 0.5)[:, None]
    for repeat in range(200):
        low, high = confidence_intervals(firing, rng.random((1000, 1)) < precision, seed=repeat)[0]
        hits += low <= (firing * precision).sum() / firing.sum() <= high
    assert hits / 200 > 0.92  # .86 where all that counts is that hundreds of rows are mistakes


def test_rows_that_belong_together_are_drawn_together():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(24), 40)
    firing = rng.uniform(0.2, 1, (960, 1))
    own = rng.random((960, 1)) < rng.beta(1.5, 1.5, 24)[patient][:, None]  # of each patient another share
    got, slow = confidence_intervals(firing, own, groups=patient)[0], []
    for _ in range(1500):
        rows = np.concatenate([np.flatnonzero(patient == name) for name in rng.choice(24, 24)])
        slow.append((firing[rows] * own[rows]).sum() / firing[rows].sum())
    assert got == pytest.approx(np.quantile(slow, [0.0184, 0.9816]), abs=0.04)  # Φ(−2.0687 √(24/23)), 23 degrees of freedom
    assert np.diff(got) > 2.5 * np.diff(confidence_intervals(firing, own)[0])
