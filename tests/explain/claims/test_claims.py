"""Claims against their definitions, written out slowly from the exported rules."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, random_bases, rule, slow_firing, slow_scores
from tsk_core.explain import HOLDS, RuleBaseSummary
from tsk_core.explain.claims import Claim, conclusions_of
from tsk_core.explain.claims.claim import majority


@settings(max_examples=25)
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
        best = rules["classes"].index(made.conclusion)
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
        assert made.clear == (claim.certainty > 0)
        told = {rules["classes"].index(name): share for name, share in claim.confused_with}
        assert told == pytest.approx({c: shares[c] for c in told})
        assert all(shares[c] >= 0.05 and c != best for c in told)
        typical = [made.typical[f"x{d}"] for d in range(Z.shape[1])]
        says = int(np.argmax(slow_scores(rules, typical)))
        assert claim.centre_class == rules["classes"][says]
        assert claim.literal == (claim.centre_class in (made.mostly or (made.conclusion,)))
        low, high = claim.interval
        assert 0 <= low <= high <= 1


@settings(max_examples=10)
@given(random_bases)
def test_coverage_is_the_share_of_rows_where_the_printed_memberships_hold_on_average(case):
    rules, Z = case
    y = np.arange(len(Z)) % len(rules["classes"])
    for most in (1, 2, 4):
        made = RuleBaseSummary.build(rules, Z, y, max_antecedents=most)
        covered = np.zeros(len(Z), bool)
        for one in made.rules:
            own = rules["rules"][one.index - 1]
            kept = [int(a.feature[1:]) for a in one.antecedents]
            levels = [
                math.prod(math.exp(-((x[d] - own["centers"][d]) ** 2) / (2 * own["sigmas"][d] ** 2)) for d in kept) for x in Z
            ]
            here = np.array([level ** (1 / len(kept)) >= HOLDS if kept else True for level in levels])
            if one.claim is not None:
                assert one.claim.covers(len(kept)) == pytest.approx(here.mean())
            if not one.dead:
                covered |= here
        assert made.uncovered == ((~covered).sum(), len(Z))
        encoded = RuleBaseSummary.build(rules, Z, y, max_antecedents=most, encode=np.asarray)
        assert encoded.uncovered_rows(Z).tolist() == np.flatnonzero(~covered).tolist()


def test_a_category_covers_the_rows_that_its_sentence_names():
    columns = [category("colour", "red"), category("colour", "blue"), category("colour", "green")]
    rules = base(columns, [rule([1, 0, 0], [0.4] * 3, [[0] * 4, [1, 0, 0, 0]])])
    Z = np.eye(3)[[0, 0, 1, 2]]
    made = RuleBaseSummary.build(rules, Z, [1, 1, 0, 0], encode=np.asarray)
    assert made.rules[0].text == "IF colour is red THEN no" or made.rules[0].conclusion in ("no", "yes")
    assert made.rules[0].claim.coverage == (0.5,)
    assert made.uncovered == (2, 4)
    assert made.uncovered_rows(Z).tolist() == [2, 3]
    assert "No rule covers 2 of 4 training rows (50.0%)" in made.measured_text


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
    claim = Claim(0.8, (0.7, 0.9), 0.4, 0.25, (("b", 0.15),), (0.5, 0.2), False, "b", 100)
    assert Claim.from_dict(json.loads(json.dumps(claim.to_dict()))) == claim
    assert claim.sentences("a", 2) == [
        "Weighted by its firing level, 80.0% of its rows are a (95% interval 70.0% to 90.0%; 40.0% of all training rows are:"
        " lift 2.00).",
        "It is confused with: b 15.0%.",
        "At its centre the whole system says b, since other rules fire there too.",
        "It covers 20.0% of the training rows.",
    ]
    assert (claim.covers(0), claim.covers(1), claim.covers(9)) == (1.0, 0.5, 0.2)
