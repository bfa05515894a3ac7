"""Rules matched over trainings, against all assignments tried out, and what it says of trainings that are alike or not."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, random_base, rule
from tsk_core.explain.stability import RuleStability, Sentence, compare, dice, sentences_of, stability_of, words_by_feature

terms = st.lists(st.sampled_from(["low", "medium", "high"]), max_size=2, unique=True)
conditions = st.lists(st.tuples(st.sampled_from("abcd"), terms), max_size=4, unique_by=lambda pair: pair[0]).map(
    lambda found: [tuple((feature, term) for term in said) for feature, said in found]
)
rule_bases = st.lists(st.tuples(conditions, st.sampled_from(["yes", "no"])), min_size=1, max_size=4).map(
    lambda found: [Sentence(k + 1, tuple(one), then) for k, (one, then) in enumerate(found)]
)


def slow_dice(a, b, most):
    if a.conclusion != b.conclusion:
        return 0.0
    first, second = ({term for condition in one.conditions[:most] for term in condition} for one in (a, b))
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 1.0


@settings(max_examples=60)
@given(rule_bases, rule_bases, st.integers(1, 4))
def test_the_match_has_the_largest_sum_of_dice_of_all_assignments(first, second, most):
    got = dice(first, second, most)
    slow = [[slow_dice(a, b, most) for b in second] for a in first]
    np.testing.assert_allclose(got, slow)
    k = min(len(first), len(second))
    best = max(
        sum(slow[i][j] for i, j in zip(rows, columns, strict=True))
        for rows in itertools.combinations(range(len(first)), k)
        for columns in itertools.permutations(range(len(second)), k)
    )
    found = compare(first, [second], most)
    assert sum(found.dice.values()) == pytest.approx(best)
    assert found.base == pytest.approx(2 * best / (len(first) + len(second)))
    assert all(found.times[r] == (value >= 0.5) for r, value in found.dice.items())


@given(rule_bases)
def test_the_same_rules_in_any_order_come_back_each_time(rules):
    found = compare(rules, [rules, rules[::-1]], 4)
    assert found.base == pytest.approx(1) and set(found.times.values()) == {2}


def test_rules_without_a_match_do_not_come_back():
    alone = [Sentence(1, ((("a", "low"),),), "yes"), Sentence(2, ((("a", "high"),),), "no")]
    other = [Sentence(1, ((("a", "low"),),), "no")]
    found = stability_of(alone, [other, alone], [[]], 3)
    assert found.seeds.times == {1: 1, 2: 1} and found.bootstrap.times == {1: 0, 2: 0}
    assert found.text_of(1) == "It comes back in 1 of 2 trainings with other seeds, and in 0 of 1 on bootstrap samples."
    assert found.text_of(7) == ""
    assert "the rules are 50% alike" in str(found)
    assert RuleStability.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_sentence_has_the_words_of_the_rule_and_dead_rules_say_nothing():
    columns = [number("size"), category("colour", "red"), category("colour", "blue")]
    flat = [[0.0] * 4, [1.0, 0, 0, 0]]
    rules = base(columns, [rule([0.0, 1, 0], [0.2, 0.5, 0.5], flat), rule([9e9, 0, 1], [0.1, 0.5, 0.5], flat)])
    rng = np.random.default_rng(0)
    Z = np.column_stack([rng.uniform(0, 1, 60), np.eye(2)[np.arange(60) % 2]])
    (one,) = sentences_of(rules, Z, np.zeros(60, int), words_by_feature(columns, Z))
    assert set(one.conditions) == {(("size", "very low"),), (("colour", "= red"),)}
    assert (one.index, one.conclusion) == (1, "no")


def test_columns_of_another_training_may_stand_elsewhere():
    rules, Z = random_base(3, 2, 2, 1, nulls=0)
    turned = {**rules, "columns": rules["columns"][::-1]}
    turned["rules"] = [
        rule(one["centers"][::-1], one["sigmas"][::-1], [[c[0], *c[:0:-1]] for c in one["consequents"]], one["log_weight"])
        for one in rules["rules"]
    ]
    y, words = np.arange(len(Z)) % 2, words_by_feature(rules["columns"], Z)
    first, second = sentences_of(rules, Z, y, words), sentences_of(turned, Z[:, ::-1], y, words)
    assert compare(first, [second], 2).base == pytest.approx(1)
