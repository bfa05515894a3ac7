"""Ordered categories in rules: a condition names the range of them for which it holds, and counts by these words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, number, rule
from tests.explain.test_categories import truth
from tsk_core.explain.antecedents import antecedents, flatness, keep, restricting, units_of
from tsk_core.explain.consequents import consequents
from tsk_core.explain.counting import literally, memberships, with_notes
from tsk_core.explain.exported import read_rules
from tsk_core.explain.labels import words_of
from tsk_core.explain.printed import printed_rules
from tsk_core.explain.row.change import nearest_changes
from tsk_core.explain.row.features import row_features
from tsk_core.explain.rule_base_summary import RuleBaseSummary

SIZES = ["small", "medium", "large"]


def ordinal(feature, levels, impute=0):
    return {**number(feature), "levels": list(levels), "impute": float(impute)}


def conditions_of(arrays, Z):
    """The only condition of the only rule; None where it restricts nothing."""
    units = units_of(arrays.columns)
    kept = keep(flatness(arrays, Z, units), restricting(arrays, units, Z.min(0), Z.max(0)), None)
    (found,) = antecedents(arrays, words_of(Z), units, flatness(arrays, Z, units), kept)
    return found


def of_one(center, sigma, levels):
    """The condition of a Gaussian on the ranks of these levels, the arrays and a row of each."""
    arrays = read_rules(base([ordinal("size", levels)], [rule([center], [sigma], [[1.0, 0.0], [0.0, 0.0]])]))
    Z = np.arange(len(levels), dtype=float)[:, None]
    return conditions_of(arrays, Z), arrays, Z


@pytest.mark.parametrize(
    ("center", "sigma", "text", "levels"),
    [
        (-0.2, 1.4, "size ≤ medium", SIZES),  # ends at 1.4
        (2.2, 1.1, "size ≥ medium", SIZES),
        (1.1, 0.4, "size is medium", SIZES),
        (0.4, 0.1, "size is small", SIZES),  # ends before the first rank: the nearest one is named
        (9.0, 1.0, "size is large", SIZES),
        (1.0, 9.0, None, SIZES),
        (1.5, 0.6, "size is rarely to often", ["never", "rarely", "often", "always"]),
        (2.2, 0.9, "size ≥ 2", "0123"),
    ],
)
def test_a_condition_snaps_to_the_categories_for_which_it_holds(center, sigma, text, levels):
    found, _, _ = of_one(center, sigma, levels)
    assert [one.text for one in found] == ([text] if text else [])


@given(
    st.floats(-3, 9, allow_nan=False),
    st.floats(0.05, 6),
    st.lists(st.text("ab ≥≤to", max_size=4), unique=True, min_size=2, max_size=7),
)
def test_what_is_printed_is_true_of_exactly_the_categories_that_hold(center, sigma, names):
    levels = [f"{k}{name}".strip().replace("not ", "").replace(" or ", "").replace(" to ", "") for k, name in enumerate(names)]
    found, arrays, Z = of_one(center, sigma, levels)
    distance = ((Z[:, 0] - center) / sigma) ** 2
    holds = np.exp(-(distance - distance.min()) / 2) >= 0.5
    if not found:
        assert holds.all()
        return
    (one,) = found
    assert [truth(one.label, levels, levels, level) for level in levels] == holds.tolist()
    assert literally(arrays, 0, found, Z)[:, 0].tolist() == holds.tolist()
    assert ((memberships(arrays, 0, found, Z)[:, 0] >= 0.5) == holds).all()


def test_a_category_whose_name_begins_with_not_is_taken_at_its_word():
    found, arrays, Z = of_one(0.5, 0.6, ["not hot", "not cold", "hot", "very hot"])
    assert found[0].text == "size ≤ not cold"
    found, arrays, Z = of_one(1.5, 0.6, ["cold", "not cold", "not hot", "hot"])
    assert found[0].text == "size is not cold to not hot"
    assert literally(arrays, 0, found, Z)[:, 0].tolist() == [False, True, True, False]


def base_of_two(impute=1):
    """Two rules on an ordered size and a weight, linear, and 60 rows."""
    rng = np.random.default_rng(0)
    Z = np.column_stack([rng.integers(0, 3, 60), rng.normal(size=60)]).astype(float)
    rules = [
        rule([-0.4, 0.0], [1.3, None], [[1.0, -0.4, 0.1], [0.0, 0.0, 0.0]]),
        rule([2.6, 0.0], [0.8, 1.0], [[0.0, 0.3, 0.0], [1.0, 0.0, 0.0]]),
    ]
    return base([ordinal("size", SIZES, impute), number("weight")], rules), Z, (Z[:, 0] > 1).astype(int)


def test_the_typical_case_has_a_category_an_effect_names_two_and_a_change_is_one():
    source, Z, _ = base_of_two()
    found = consequents(read_rules(source), Z)
    assert all(one.typical[0] in (0, 1, 2) and "size" not in one.outside for one in found)
    effects = [effect.text for one in found for effect in one.effects if effect.text.startswith("size")]
    assert effects
    assert all(any(f"size = {a} instead of {b}" in text for a in SIZES for b in SIZES if a != b) for text in effects)
    features = row_features(source["columns"], Z.std(0), Z.min(0), Z.max(0), Z)
    assert features[0].written(np.array([2.0, 0.0])) == "large"
    for change in nearest_changes(source, np.array([0.0, 0.0]), features[:1]):
        assert change.x[0] in (1.0, 2.0)
    assert nearest_changes(source, np.array([0.0, 0.0]), features[:1])


def test_rules_and_rule_lists_print_words_and_count_them():
    source, Z, y = base_of_two()
    for one in source["rules"]:
        one["consequents"] = [[row[0], 0.0, 0.0] for row in one["consequents"]]
    summary = RuleBaseSummary.build(source, Z, y, max_antecedents=5, classes=np.array(["no", "yes"]))
    texts = [rule_.text for rule_ in summary.rules]
    assert any("size ≥ medium" in text or "size is large" in text for text in texts), texts
    small = next(rule_ for rule_ in summary.rules if "size ≤ medium" in rule_.text)
    assert small.train.true == (Z[:, 0] <= 1).sum()
    assert "size ≤ medium" in summary.rule_list.text


def test_a_note_on_missing_values_names_the_category():
    source, Z, _ = base_of_two(impute=2)
    arrays = read_rules(source)
    (found, *_) = with_notes(
        [conditions_of(read_rules({**source, "rules": source["rules"][:1]}), Z)], {"size": (0.5, np.array([0.1]))}, arrays.columns
    )
    assert found[0].note == "size is missing in 50.0% of the training rows; a missing one counts as large."


def test_rules_printed_in_full_say_what_the_ranks_are():
    source, Z, _ = base_of_two()
    for one in source["rules"]:
        one["consequents"] = [[row[0], 0.0, 0.0] for row in one["consequents"]]
    text = printed_rules(source, Z.min(0), Z.max(0)).text
    assert "size: small is 0, medium is 1, large is 2." in text
    assert "A category's value" not in text
