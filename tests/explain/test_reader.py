"""The JSON alone gives back firing levels and scores."""

import math

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import base, number, random_base, random_bases, rule, slow_firing, slow_outputs, slow_scores
from tsk_core.errors import DataError
from tsk_core.explain import exported, firing_levels, rule_outputs, scores


@given(random_bases)
def test_firing_outputs_and_scores_equal_the_slow_formulas(case):
    rules, Z = case
    np.testing.assert_allclose(firing_levels(rules, Z), [slow_firing(rules, x) for x in Z], rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(rule_outputs(rules, Z), [slow_outputs(rules, x) for x in Z], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scores(rules, Z), [slow_scores(rules, x) for x in Z], rtol=1e-9, atol=1e-12)


@given(random_bases)
def test_a_mask_leaves_antecedents_out(case):
    rules, Z = case
    shape = (len(rules["rules"]), Z.shape[1])
    mask = np.random.default_rng(0).random(shape) < 0.5
    np.testing.assert_allclose(firing_levels(rules, Z, mask), [slow_firing(rules, x, mask) for x in Z], rtol=1e-9, atol=1e-14)
    np.testing.assert_array_equal(scores(rules, Z, np.ones(shape, bool)), scores(rules, Z))


def test_blocks_do_not_change_a_row_and_unix_times_keep_their_precision(monkeypatch):
    rules, Z = random_base(4, 3, 2, seed=2)
    whole = scores(rules, Z)
    monkeypatch.setattr(exported, "BLOCK", 1)
    np.testing.assert_allclose(scores(rules, Z), whole, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(firing_levels(rules, Z[:1]), firing_levels(rules, Z)[:1])
    rules = base([number("t")], [rule([1.7e9], [10.0], [[0, 0], [0, 0]]), rule([1.7e9 + 5], [10.0], [[0, 0], [0, 0]])])
    expected = 1 / (1 + np.exp(0 - 25 / 200))
    assert firing_levels(rules, [[1.7e9]])[0, 0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("kind", "far_away"), [("softmax", 1.0), ("paper", 0.0)])
def test_firing_levels_stay_finite_however_far_the_row_and_extreme_the_weight(kind, far_away):
    rules, _ = random_base(3, 2, 2, seed=3, kind=kind, nulls=0)
    for far in (1e3, 1e9, 1e200):
        assert firing_levels(rules, [[far, -far]]).sum() == pytest.approx(far_away, abs=1e-12)
    for weight, level in ((-2000.0, far_away), (2000.0, 1.0)):
        one = base([number("x")], [rule([0], [1], [[0, 1], [1, 0]], weight)], kind=kind)
        assert firing_levels(one, [[0.5]]) == pytest.approx(level)


def test_wrong_rows_are_refused_with_both_sides_named():
    rules, Z = random_base(2, 3, 2, seed=0)
    with pytest.raises(DataError, match="3 columns as in the rules, got 2 columns"):
        scores(rules, Z[:, :2])
    with pytest.raises(DataError, match="1 dimensions"):
        scores(rules, Z[0])
    Z[4, 1] = np.nan
    with pytest.raises(DataError, match="Row 4 of column 'x1' is nan"):
        scores(rules, Z)
    with pytest.raises(DataError, match=r"\(2, 3\).*got \(3, 2\)"):
        firing_levels(rules, np.zeros((1, 3)), np.ones((3, 2)))


LAYER = {"kind": "layer-relu", "epsilon": 1e-5, "of": {"kind": "softmax"}}
LAYERED = rule([0], [1], [[0, 0], [0, 0]]) | {"scale": 1.0, "shift": 0.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format 'tsk-rules', version 1, got 'other'"),
        ({"version": 2}, "version 2"),
        ({"rules": []}, "at least 1 rule"),
        ({"classes": ["a", "b", "c"]}, "Rule 1 does not fit 1 columns and 3 classes"),
        ({"rules": [rule([0], [0.0], [[0, 0], [0, 0]])]}, "Rule 1 has width 0 on column 'x'"),
        ({"normalisation": {"kind": "htsk"}}, "'htsk'; this version reads 'softmax', 'paper', 'log' and 'layer-relu' of one"),
        ({"normalisation": LAYER | {"of": {"kind": "htsk"}}, "rules": [LAYERED]}, "'htsk'"),
        (
            {"normalisation": LAYER, "rules": [LAYERED | {"shift": math.inf}]},
            "layer normalisation of the rules has a number",
        ),
        ({"normalisation": LAYER | {"epsilon": 0.0}, "rules": [LAYERED]}, "or an epsilon of 0"),
    ],
)
def test_a_broken_export_is_refused_in_one_sentence(change, message):
    rules = base([number("x")], [rule([0], [1], [[0, 0], [0, 0]])]) | change
    with pytest.raises(DataError, match=message):
        scores(rules, [[0.0]])


def test_a_base_is_zero_order_where_every_slope_is_0_and_scores_are_weighted_by_firing_levels():
    for kind, zero_order in (("softmax", True), ("layer softmax", False)):
        rules, _ = random_base(3, 2, 2, seed=0, kind=kind)
        assert not exported.is_zero_order(exported.read_rules(rules))
        for one in rules["rules"]:
            one["consequents"] = [[row[0], 0, 0] for row in one["consequents"]]
        assert exported.is_zero_order(exported.read_rules(rules)) == zero_order
        rules["rules"][2]["consequents"][1][2] = -1e-12
        assert not exported.is_zero_order(exported.read_rules(rules))
