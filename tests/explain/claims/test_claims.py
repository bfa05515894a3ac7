"""Claims against their definitions, written out slowly from the exported rules."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, number, random_bases, rule, slow_firing, slow_scores
from tsk_core.explain import RuleBaseSummary
from tsk_core.explain.claims import Claim, conclusions_of, majority


@given(random_bases, st.integers(0, 10**6))
def test_a_claim_is_what_its_definitions_say(case, seed):
    rules, Z = case
    C = len(rules["classes"])
    y = np.random.default_rng(seed).integers(0, C, len(Z))
    firing = [slow_firing(rules, x) for x in Z]
    for made in RuleBaseSummary.build(rules, Z, y).rules:
        r = made.index - 1
        total = sum(f[r] for f in firing)
        if not total:
            assert made.claim is None
            continue
        shares = [sum(f[r] for f, k in zip(firing, y, strict=True) if k == c) / total for c in range(C)]
        best = rules["classes"].index(made.model_class)
        assert shares[best] == pytest.approx(max(shares), abs=1e-12)
        claim, prior = made.claim, (y == best).mean()
        assert claim.confidence == pytest.approx(max(shares))
        assert claim.prior == pytest.approx(prior)
        assert claim.lift == pytest.approx(max(shares) / prior)
        assert claim.certainty == pytest.approx(2 * max(shares) - 1)
        others = [share for c, share in enumerate(shares) if c != best]
        assert claim.penalised(C) == pytest.approx(max(shares) - sum(others) / len(others))
        assert claim.dominance == pytest.approx(sum(f[r] for f, k in zip(firing, y, strict=True) if k == best) / len(y))
        assert claim.support == pytest.approx(total / len(y))
        told = {rules["classes"].index(name): share for name, share in claim.confused_with}
        likely = sorted((c for c in range(C) if c != best and shares[c] >= 0.05), key=lambda c: -shares[c])[:3]
        assert list(told.values()) == pytest.approx([shares[c] for c in likely])
        assert told == pytest.approx({c: shares[c] for c in told})
        typical = [made.typical[f"x{d}"] for d in range(Z.shape[1])]
        says = int(np.argmax(slow_scores(rules, typical)))
        assert claim.centre_class == rules["classes"][says]
        assert made.literal == (claim.centre_class in (made.mostly or (made.conclusion,)))
        low, high = claim.interval
        assert 0 <= low <= high <= 1


def test_rules_are_ordered_by_dominance_and_dead_ones_come_last():
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(200, 1)), (rng.random(200) < 0.5).astype(int)
    y[Z[:, 0] < -0.5] = 1
    consequents = [[0.0, 0.0], [1.0, 0.0]]
    rules = base([number("x")], [rule([m], [s], consequents) for m, s in ((0.6, 0.8), (-1.5, 0.8), (99.0, 0.1))])
    made = RuleBaseSummary.build(rules, Z, y).rules
    assert [one.dead for one in made] == [False, False, True]
    assert made[0].dominance >= made[1].dominance
    assert all(one.claim is None or one.dominance == pytest.approx(one.claim.dominance) for one in made)


def test_the_class_of_a_rule_that_fires_nowhere_is_that_at_its_centre():
    firing = np.array([[1.0, 0.0], [1.0, 0.0]])
    confidence = np.array([[0.2, 0.8], [np.nan, np.nan]])
    assert conclusions_of(confidence, firing, np.zeros(2, int), np.array([0, 1])).tolist() == [1, 1]
    assert conclusions_of(None, firing, np.array([1, 1]), np.array([0, 0])).tolist() == [1, 0]


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6))
def test_a_majority_is_the_fewest_classes_with_more_than_half(weights):
    shares = [w / sum(weights) for w in weights]
    found = majority(shares)
    assert sum(shares[k] for k in found) > 0.5
    assert len(found) == 1 or sum(shares[k] for k in found[:-1]) <= 0.5 + 1e-12
    assert min(shares[k] for k in found) >= max([shares[k] for k in range(len(shares)) if k not in found], default=0)


def test_a_claim_survives_json_and_says_its_figures():
    claim = Claim(0.8, (0.7, 0.9), 0.4, 0.25, (("b", 0.15),), "b", 100)
    assert Claim.from_dict(json.loads(json.dumps(claim.to_dict()))) == claim
    assert claim.sentences("a") == [
        "Confidence: of the training rows, weighted by the rule's firing level, 80.0% are a (95% interval 70.0% to"
        " 90.0%); 40.0% of all training rows are, so lift is 2.00.",
        "Certainty +0.60 (twice the confidence, minus 1); dominance 0.200 (average firing level times confidence), which"
        " orders the rules.",
        "Largest shares of the rest of its firing: b 15.0%.",
        "At its centre the whole system predicts b.",
    ]
    assert claim.sentences("a", "mostly b or c")[1].startswith(
        "By its firing levels the rule stands for a; by the rows of which its sentence is true, for mostly b or c, "
    )
