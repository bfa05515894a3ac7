"""Contributions add up to the scores; entropy lies between one rule and all of them."""

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import random_base, random_bases, slow_firing, slow_outputs, slow_weights
from tsk_core.explain import contributions, scores
from tsk_core.explain.contributions import entropy


@given(random_bases)
def test_contributions_sum_to_the_scores(case):
    rules, Z = case
    got = contributions(rules, Z)
    np.testing.assert_allclose(got.contribution.sum(1), scores(rules, Z), atol=1e-12)
    np.testing.assert_allclose(got.scores, scores(rules, Z), atol=1e-12)
    firing, outputs = slow_firing(rules, Z[0]), slow_outputs(rules, Z[0])
    np.testing.assert_allclose(got.firing[0], firing, atol=1e-12)
    weights = slow_weights(rules, firing)
    for r in range(len(firing)):
        np.testing.assert_allclose(got.contribution[0, r], [weights[r] * y for y in outputs[r]], atol=1e-12)


@given(random_bases)
def test_entropy_lies_between_zero_and_log_of_the_number_of_rules(case):
    rules, Z = case
    rules["normalisation"] = {"kind": "softmax"}
    got = contributions(rules, Z)
    assert (got.entropy >= 0).all()
    assert (got.entropy <= np.log(len(rules["rules"])) + 1e-12).all()
    np.testing.assert_allclose(got.effective, np.exp(got.entropy))
    assert (got.effective >= 1).all()
    expected = [-sum(f * np.log(f) for f in row if f > 0) for row in got.firing]
    np.testing.assert_allclose(got.entropy, expected, atol=1e-12)


def test_one_rule_alone_has_entropy_zero_and_equal_rules_have_log_r():
    np.testing.assert_allclose(entropy([[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]]), [0, np.log(3)], atol=1e-15)


def test_a_single_rule_contributes_everything():
    rules, Z = random_base(1, 1, 2, seed=0)
    got = contributions(rules, Z)
    np.testing.assert_array_equal(got.contribution[:, 0], got.scores)
    assert got.entropy == pytest.approx(np.zeros(len(Z)))
