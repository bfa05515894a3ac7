"""Rules matched over trainings, against all assignments tried out, and what it says of trainings that are alike or not."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, random_base, rule
from tsk_core.explain.stability import (
    RuleStability,
    Sentence,
    by_chance,
    compare,
    dice,
    matched,
    sentences_of,
    stability_of,
    words_by_feature,
)

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


def test_rules_without_a_match_do_not_come_back():
    alone = [Sentence(1, ((("a", "low"),),), "yes"), Sentence(2, ((("a", "high"),),), "no")]
    other = [Sentence(1, ((("a", "low"),),), "no")]
    found = stability_of(alone, [other, alone], [[]], 3)
    assert found.seeds.times == {1: 1, 2: 1} and found.bootstrap.times == {1: 0, 2: 0}
    assert found.text_of(1) == (
        f"It comes back in 1 of 2 trainings with other seeds (by chance: {found.seeds.chance[1]:.1f} of 2), and in 0 of 1"
        " bootstrap samples (by chance: 0.0 of 1); at most 3 conditions per rule are compared."
    )
    assert found.seeds.chance[1] == pytest.approx(0.5, abs=0.2)
    assert found.text_of(7) == ""
    assert "the rules are 50% alike" in str(found)
    assert RuleStability.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def tables_of(rules, features):
    """All tables of 0 and 1 with these sums of rows and columns."""
    rows = [[row for row in itertools.product((0, 1), repeat=len(features)) if sum(row) == n] for n in rules]
    return [table for table in itertools.product(*rows) if tuple(map(sum, zip(*table, strict=True))) == tuple(features)]


def slow_chance(first, second, most):
    """``matched`` for every deal in which rules keep their number of conditions, and features their conditions."""
    first = [Sentence(one.index, one.conditions[:most], one.conclusion) for one in first]
    features = list(dict.fromkeys(f for one in second for ((f, _), *_) in one.conditions[:most]))
    on = {f: [said for one in second for said in one.conditions[:most] if said[0][0] == f] for f in features}
    sizes = [len(one.conditions[:most]) for one in second]
    found = []
    for table in tables_of(sizes, [len(on[f]) for f in features]):
        for orders in itertools.product(*(itertools.permutations(on[f]) for f in features)):
            left = {f: list(order) for f, order in zip(features, orders, strict=True)}
            dealt = [
                Sentence(one.index, tuple(left[f].pop() for f, has in zip(features, row, strict=True) if has), one.conclusion)
                for one, row in zip(second, table, strict=True)
            ]
            found.append(matched(np.array([[slow_dice(a, b, 99) for b in dealt] for a in first])))
    return np.array(found)


few_terms = st.lists(st.sampled_from(["low", "medium", "high"]), min_size=1, max_size=2, unique=True).map(tuple)
few = st.lists(
    st.tuples(st.dictionaries(st.sampled_from("abc"), few_terms), st.sampled_from(["yes", "no"])), min_size=1, max_size=3
).map(
    lambda found: [
        Sentence(k + 1, tuple(tuple((f, t) for t in said) for f, said in one.items()), then)
        for k, (one, then) in enumerate(found)
    ]
)


@given(few, few, st.integers(1, 3))
def test_chance_deals_conditions_out_while_rules_keep_their_number(first, second, most):
    expected, got = slow_chance(first, second, most), by_chance(first, second, most, np.random.default_rng(0), 1500)
    assert {tuple(one) for one in got.round(9)} <= {tuple(one) for one in expected.round(9)}
    np.testing.assert_allclose(got.mean(0), expected.mean(0), atol=0.06)


def said(index, then, **terms):
    return Sentence(index, tuple(((feature, term),) for feature, term in terms.items()), then)


OWN = [said(1, "yes", a="low", b="low"), said(2, "no", a="high"), said(3, "no", b="high", c="low")]
OTHER = [said(1, "yes", a="low", b="low"), said(2, "no", a="high", c="low"), said(3, "no", b="high")]


def test_a_rule_that_any_deal_brings_back_is_as_frequent_by_chance():
    alone = [said(1, "yes", a="low")]
    found = compare(alone, [alone] * 4, 3)
    assert found.times == {1: 4} and found.chance == {1: 4.0} and found.base_chance == 1.0
    assert compare(alone, [[]] * 4, 3).chance == {1: 0.0} and compare([], [alone], 3).chance == {}


def test_the_frame_has_a_row_for_each_rule_that_fires():
    found = stability_of(OWN[::2], [OTHER, OTHER[:1]], [OTHER], 2)
    frame = found.to_frame().set_index("rule")
    assert list(frame.index) == [1, 3] and list(frame["comes back (seeds)"]) == [2, 1]
    assert list(frame["comes back by chance (seeds)"]) == list(found.seeds.chance.values())
    assert set(frame["of seeds"]) == {2} and set(frame["of bootstrap samples"]) == {1}
    assert set(frame["conditions compared, at most"]) == {2}


def test_a_sentence_has_the_words_of_the_rule_and_the_class_that_its_text_names():
    """The class of its highest score, though most rows that fire it have another."""
    columns = [number("size"), category("colour", "red"), category("colour", "blue")]
    flat = [[0.0] * 4, [1.0, 0, 0, 0]]
    rules = base(columns, [rule([0.0, 1, 0], [0.2, 0.5, 0.5], flat), rule([9e9, 0, 1], [0.1, 0.5, 0.5], flat)])
    rng = np.random.default_rng(0)
    Z = np.column_stack([rng.uniform(0, 1, 60), np.eye(2)[np.arange(60) % 2]])
    (one,) = sentences_of(rules, Z, np.zeros(60, int), words_by_feature(columns, Z))
    assert set(one.conditions) == {(("size", "very low"),), (("colour", "= red"),)}
    assert (one.index, one.conclusion) == (1, "yes")
    columns = [number("size")]
    rules = base(columns, [rule([0.0], [1.0], [[0.0, 0.0], [1.0, 0.0]]), rule([1.0], [1.0], [[1.0, 0.0], [0.0, 0.0]])])
    Z = np.linspace(0, 1, 20)[:, None]
    said = sentences_of(rules, Z, np.zeros(20, int), words_by_feature(columns, Z))
    assert [one.conclusion for one in said] == [rules["classes"][1], rules["classes"][0]]


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
