"""Metrics of a rule base against slow formulas."""

import json
import math

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import (
    base,
    number,
    random_base,
    random_bases,
    rule,
    slow_firing,
    slow_outputs,
    slow_scores,
    slow_weights,
)
from tsk_core.explain import RuleBaseSummary
from tsk_core.explain.base import linear_in_disguise
from tsk_core.explain.base.measured import shaken
from tsk_core.explain.measures import jaccard


@given(random_bases)
def test_figures_are_what_their_definitions_say(case):
    rules, Z = case
    C, R = len(rules["classes"]), len(rules["rules"])
    y = np.arange(len(Z)) % C
    made = RuleBaseSummary.build(rules, Z, y, max_antecedents=2)
    values = made.figures.values
    alive = [one for one in made.rules if not one.dead]
    firing = [slow_firing(rules, x) for x in Z]
    entropies = [-sum(f * math.log(f) for f in row if f) for row in firing]
    mean = slow_weights(rules, np.mean(firing, axis=0))
    outputs = [slow_outputs(rules, x) for x in Z]
    fixed = [int(np.argmax([sum(m * y_r[c] for m, y_r in zip(mean, out, strict=True)) for c in range(C)])) for out in outputs]
    full = [int(np.argmax(slow_scores(rules, x))) for x in Z]
    assert values["rules"] == len(alive)
    assert values["conditions"] == sum(len(one.antecedents) for one in alive)
    assert values["effective"] == pytest.approx(np.mean(np.exp(entropies)))
    assert values["entropy"] == (pytest.approx(np.mean(entropies) / math.log(R)) if R > 1 else None)
    assert values["matter"] == pytest.approx(np.mean(np.array(full) == y) - np.mean(np.array(fixed) == y))
    assert values["changed"] == pytest.approx(np.mean(np.array(full) != np.array(fixed)))
    moved = [int(np.argmax(slow_scores(rules, x))) for x in shaken(rules, Z)]
    assert values["robustness"] == pytest.approx(np.mean(np.array(full) == moved))
    claims = [one.literal for one in alive if one.claim]
    assert values["literal"] == (pytest.approx(np.mean(claims)) if claims else None)
    assert values["covered"] == pytest.approx(1 - made.uncovered[0] / made.uncovered[1])
    pairs = [(a, b) for a in alive for b in alive if a.index < b.index]
    alike = {(a.index, b.index): made.redundancy[a.index - 1, b.index - 1] for a, b in pairs}
    different = [alike[a.index, b.index] for a, b in pairs if a.conclusion != b.conclusion]
    assert values["conflict"] == (max(different) if different else None)
    assert values["overlap"] == (pytest.approx(np.mean(list(alike.values()))) if alike else None)
    terms = {}
    for one in alive:
        for antecedent in one.antecedents:
            terms.setdefault(antecedent.feature, []).append(one.index - 1)
    assert values["features"] == len(terms)
    assert values["terms"] == (pytest.approx(np.mean([len(found) for found in terms.values()])) if terms else 0)
    assert values["smallest"] == next((k for k, fidelity, _ in made.figures.curve if fidelity >= 0.95), None)
    assert json.loads(json.dumps(made.figures.to_dict(), allow_nan=False))


def test_distinguishability_is_one_less_the_largest_similarity_of_two_terms():
    flat = [[0.0, 0.0], [1.0, 0.0]]
    rules = base([number("x")], [rule([m], [0.5], flat) for m in (0.0, 1.0, 1.1)])
    Z = np.linspace(-1, 2, 301)[:, None]
    metrics = RuleBaseSummary.build(rules, Z, np.arange(301) % 2).figures.values
    grid = np.quantile(Z[:, 0], np.linspace(0, 1, 100))
    mu = [np.exp(-((grid - m) ** 2) / 0.5) for m in (0.0, 1.0, 1.1)]
    similar = np.minimum(mu[1], mu[2]).sum() / np.maximum(mu[1], mu[2]).sum()
    assert metrics["distinguishability"] == metrics["distinguishability_least"] == pytest.approx(1 - similar)
    best = np.max(mu, axis=0)
    assert metrics["completeness"] == pytest.approx((best >= 0.5).mean())
    assert metrics["epsilon"] == pytest.approx(best.min())
    assert jaccard(np.array(mu), 1.0)[0, 1] == pytest.approx(np.minimum(*mu[:2]).sum() / np.maximum(*mu[:2]).sum())
    assert jaccard(np.zeros((2, 5)), 1.0)[0, 1] == 1  # two terms that hold nowhere say the same


def test_a_linear_model_in_disguise_is_told_and_one_that_is_more_accurate_beyond_chance():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(200, 2))
    y = (Z[:, 0] > 0).astype(int)
    broad = [rule([m, 0.0], [50.0, 50.0], [[0, 0, 0], [0, 5, 0]]) for m in (-1.0, 1.0)]
    made = RuleBaseSummary.build(base([number("a"), number("b")], broad), Z, y)
    assert made.figures.values["matter"] == pytest.approx(0, abs=0.01)
    assert "0% of the rows get another class" in linear_in_disguise(made.figures.values)
    split = [rule([m, 0.0], [0.3, 50.0], [[-m, 0, 0], [m, 0, 0]]) for m in (-1.0, 1.0)]
    made = RuleBaseSummary.build(base([number("a"), number("b")], split), Z, y)
    assert made.figures.values["matter"] > 0.2
    assert linear_in_disguise(made.figures.values) == ""
    values = {"changed": 0.2, "matter": -0.05, "matter_low": -0.09, "matter_high": -0.01}
    assert linear_in_disguise(values) == (
        "A linear model would be more accurate: with the mean firing levels for every row, accuracy rises by 5.0 points"
        " (95% interval over rows 1.0 to 9.0)."
    )
    assert linear_in_disguise(values | {"matter_high": 0.01}) == ""
    rules, Z = random_base(3, 3, 2, seed=0)
    found = RuleBaseSummary.build(rules, Z, np.arange(len(Z)) % 2).figures.values
    assert found["matter_low"] < found["matter"] < found["matter_high"]
