"""Contributions of rules to the scores, and the entropy of firing levels, by their formulas."""

import numpy as np
from hypothesis import given

from tests.explain.examples import random_bases, slow_firing, slow_outputs, slow_weights
from tsk_core.explain import contributions, scores


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
    entropy = [-sum(f * np.log(f) for f in row if f > 0) for row in got.firing]
    np.testing.assert_allclose(got.entropy, entropy, atol=1e-12)
    np.testing.assert_allclose(got.effective, np.exp(entropy))
