"""Inference from the printed rules against an oracle that goes through them row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import random_base, random_bases, slow_firing, slow_scores
from tests.explain.row.mixed import mixed_bases
from tsk_core.explain import RuleBaseSummary, fidelity
from tsk_core.explain.fidelity import INFERENCES, Inference


def slowly_inferred(made, x):
    """The class positions that each inference gives one row, from the rules as they are printed."""
    classes, log = made.source["classes"], {}
    for one in made.rules:
        if not one.dead:
            own = made.source["rules"][one.index - 1]
            said = {a.feature for a in one.antecedents}
            squares = sum(
                (x[d] - own["centers"][d]) ** 2 / (2 * own["sigmas"][d] ** 2)
                for d, column in enumerate(made.source["columns"])
                if column["feature"] in said and own["sigmas"][d] is not None
            )
            log[one.index - 1] = own["log_weight"] - squares
    says = {one.index - 1: classes.index(one.conclusion) for one in made.rules if not one.dead}
    highest = max(log.values())
    share = {r: np.exp(z - highest) for r, z in log.items()}
    normalisation = made.source["normalisation"].get("of", made.source["normalisation"])
    if normalisation["kind"] == "log":
        log = {r: min(log[r], 0.0) for r in sorted(log)}
        share = {r: 1 / (normalisation["epsilon"] - z) for r, z in log.items()}
    votes = [sum(f for r, f in share.items() if says[r] == c) for c in range(len(classes))]
    fixed = [sum(f * made.constants[r][c] for r, f in share.items()) for c in range(len(classes))]
    return {"strongest": says[max(log, key=log.get)], "vote": int(np.argmax(votes)), "constant": int(np.argmax(fixed))}


@given(random_bases | mixed_bases, st.integers(1, 4))
def test_each_inference_is_what_the_printed_rules_say(case, most):
    rules, Z = case
    y = np.arange(len(Z)) % len(rules["classes"])
    made = RuleBaseSummary.build(rules, Z, y, max_antecedents=most)
    if all(one.dead for one in made.rules):
        return
    full = [int(np.argmax(slow_scores(rules, x))) for x in Z]
    read = [slowly_inferred(made, x) for x in Z]
    found = {inference.name: inference for inference in made.readings}
    assert list(found) == list(INFERENCES)
    for name in ("strongest", "vote", "constant"):
        got = [one[name] for one in read]
        assert found[name].fidelity == pytest.approx(np.mean([a == b for a, b in zip(got, full, strict=True)]))
        assert found[name].accuracy == pytest.approx(np.mean([a == b for a, b in zip(got, y, strict=True)]))
    assert (found["linear"].fidelity, found["linear"].accuracy) == (made.fidelity, made.accuracy)


@given(random_bases)
def test_fixed_scores_are_the_ridge_solution_for_the_models_scores(case):
    rules, Z = case
    made = RuleBaseSummary.build(rules, Z, max_antecedents=2)
    alive = [not one.dead for one in sorted(made.rules, key=lambda one: one.index)]
    if rules["normalisation"].get("of", rules["normalisation"])["kind"] == "paper":
        rules = {**rules, "normalisation": {"kind": "softmax"}}
    printed = np.zeros_like(made.mask)
    for one in made.rules:
        printed[one.index - 1, [int(a.feature[1:]) for a in one.antecedents]] = True
    F = np.array([slow_firing(rules, x, printed) for x in Z]) * alive
    if not alive or not all(alive):
        return
    S = np.array([slow_scores(made.source, x) for x in Z])
    S -= S.mean(1, keepdims=True)
    product = F.T @ F
    expected = np.linalg.solve(product + 0.01 * np.trace(product) / len(product) * np.eye(len(product)), F.T @ S)
    np.testing.assert_allclose(made.constants, expected, rtol=1e-3, atol=1e-6)


def test_every_length_is_that_of_a_rule_base_of_this_length():
    rng = np.random.default_rng(3)
    rules, _ = random_base(5, 15, 3, 7)
    Z, y = rng.normal(size=(80, 15)), rng.integers(0, 3, 80)
    whole = RuleBaseSummary.build(rules, Z, y, max_antecedents=None)
    for most in (1, 3, 12):
        rule_base = RuleBaseSummary.build(rules, Z, y, max_antecedents=most)
        assert rule_base.fidelity == np.mean(rule_base.predict_index(Z) == whole.predict_index(Z))
        assert rule_base.figures.curve[most - 1][1] == rule_base.fidelity
        assert (
            rule_base.figures.curve[: most - 1] == RuleBaseSummary.build(rules, Z, y, max_antecedents=1).figures.curve[: most - 1]
        )
    assert whole.fidelity == 1 and whole.figures.curve[-1][1] == 1
    fourteen = RuleBaseSummary.build(rules, Z, y, max_antecedents=14)
    assert fourteen.fidelity == np.mean(fourteen.predict_index(Z) == whole.predict_index(Z))


def test_a_reading_is_a_sentence():
    inference = Inference("strongest", 0.79, 0.77, "test rows")
    assert inference.text == (
        "Prediction by one class per rule, the strongest rule decides: agrees on 79.0% of the test rows; accuracy 77.0%."
    )
    assert Inference("vote", 1.0, None, "500 of the test rows").text.endswith("agrees on all 500 sampled test rows.")
    assert inference.to_dict()["text"] == inference.text


def test_very_large_bases_have_no_fixed_scores(monkeypatch):
    monkeypatch.setattr(fidelity, "MOST_NUMBERS", 3)
    made = RuleBaseSummary.build(*random_base(2, 2, 2, 0))
    assert made.constants is None
    assert [inference.name for inference in made.readings] == ["linear", "strongest", "vote"]
