"""A rule's conclusion: scores at its typical case, and what moves them."""

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import base, category, number, random_bases, rule
from tsk_core.explain.consequents import consequents
from tsk_core.explain.exported import read_rules, rule_outputs


@given(random_bases)
def test_scores_at_the_typical_case_are_the_rules_outputs_less_their_mean(case):
    rules, Z = case
    for r, then in enumerate(consequents(read_rules(rules), Z)):
        outputs = rule_outputs(rules, then.typical[None])[0, r]
        np.testing.assert_allclose(then.scores, outputs - outputs.mean(), atol=1e-12)
        for d, (c, s) in enumerate(zip(rules["rules"][r]["centers"], rules["rules"][r]["sigmas"], strict=True)):
            expected = Z[:, d].mean() if s is None else min(max(c, Z[:, d].min()), Z[:, d].max())
            assert then.typical[d] == pytest.approx(expected)


@given(random_bases)
def test_movers_are_ranked_by_slope_times_standard_deviation(case):
    rules, Z = case
    for one, then in zip(rules["rules"], consequents(read_rules(rules), Z, max_effects=9), strict=True):
        slow = {}
        for d, column in enumerate(rules["columns"]):
            slopes = [row[d + 1] for row in one["consequents"]]
            slow[column["feature"]] = max(abs(b - np.mean(slopes)) * Z[:, d].std() for b in slopes)
        assert [m.column for m in then.effects] == sorted(slow, key=slow.get, reverse=True)
        for effect in then.effects:
            assert abs(effect.effect) == pytest.approx(slow[effect.column])
            assert effect.effect == pytest.approx(effect.slope * effect.step)


def test_with_two_classes_a_mover_names_the_class_that_gains_and_a_constant_column_moves_nothing():
    rules = base([number("x")], [rule([0], [1], [[0, 2.0], [0, -4.0]])])
    (effect,) = consequents(read_rules(rules), np.array([[-1.0], [1.0]]))[0].effects
    assert (effect.target, effect.slope, effect.step, effect.text) == ("no", 3.0, 1.0, "raising x by 1.0 adds 3.00 to no's score")
    rules = base([number("x")], [rule([0.1], [1], [[0, 5.0], [0, 0]])])
    assert consequents(read_rules(rules), np.full((7, 1), 0.1))[0].effects == ()


def test_a_centre_outside_the_data_is_clipped_and_said():
    rules = base([number("x"), number("y")], [rule([50, 0], [1, 1], [[0, 1.0, 0], [0, 0, 0]])])
    then = consequents(read_rules(rules), np.array([[0.0, -1], [2.0, 1]]))[0]
    assert then.typical.tolist() == [2.0, 0.0]
    assert then.outside == ("x",)
    assert then.scores.tolist() == [1.0, -1.0]


def test_a_category_moves_by_the_change_from_the_typical_category_to_another():
    columns = [category("exang", "no"), category("exang", "yes")]
    Z = np.eye(2)[[0, 1, 1, 1]]
    rules = base(columns, [rule([0, 1], [0.3, 0.3], [[0, 1.0, 2.0], [0, 0, -3.0]])])
    then = consequents(read_rules(rules), Z, np.ones((4, 1)))[0]
    (effect,) = then.effects
    assert then.typical.tolist() == [0, 1]  # a category, not a fraction of each
    assert (effect.text, effect.column, effect.step) == ("exang = no instead of yes adds 2.00 to yes's score", "exang = no", 1.0)
    centred = np.array([[0.5, 2.5], [-0.5, -2.5]])  # class, category
    assert effect.slope == pytest.approx(centred[1, 0] - centred[1, 1])
    assert effect.effect == pytest.approx((centred[1] @ Z.T).std())


def test_the_typical_category_satisfies_the_rules_condition_and_a_rare_one_stands_for_no_feature():
    columns = [category("c", name) for name in "abc"]
    Z = np.eye(3)[[0] * 90 + [1] * 4 + [2] * 6]
    blank = [[0.0] * 4] * 2
    rules = base(columns, [rule([0, 0.5, 0.5], [0.4] * 3, blank), rule([0.3] * 3, [None] * 3, blank)])
    first, second = consequents(read_rules(rules), Z, np.ones((100, 2)))
    assert first.typical.tolist() == [0, 0, 1]  # "c is b or c": c is the more frequent one
    assert second.typical.tolist() == [1, 0, 0]  # no condition: the most frequent one
    Z = np.eye(3)[[0] * 60 + [1] * 39 + [2]]
    rules = base(columns, [rule([1, 0, 0], [0.3] * 3, [[0, 0, 2.0, 3.0], [0, 0, 0, 0]])])
    (effect,) = consequents(read_rules(rules), Z, np.ones((100, 1)))[0].effects
    assert effect.text == "c = b instead of a adds 1.00 to no's score"
