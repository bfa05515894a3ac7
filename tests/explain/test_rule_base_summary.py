"""A summary reports what was measured, and what it reports is true of the rule base."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.explain.examples import HOSTILE, base, category, number, random_base, random_bases, rule, slow_scores
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import RuleBaseSummary, scores
from tsk_core.explain.rule_base_summary import measured_text


def iris_like():
    """Two numbers, three rules; the last one is far from every row."""
    columns = [number("length"), number("width")]
    consequents = [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 0.5, 0]], [[0, 0, 0], [0, 0, 0]]]
    places = [([1.0, 1.0], [0.5, 5.0]), ([5.0, 2.0], [0.5, 0.5]), ([99.0, 99.0], [1.0, 1.0])]
    rules = [rule(m, s, b) for (m, s), b in zip(places, consequents, strict=True)]
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [30, 20])
    Z = rng.normal(0, 0.3, (50, 2)) + np.where(y[:, None] == 0, [1.0, 1.0], [5.0, 2.0])
    return base(columns, rules), Z, y


@settings(max_examples=40)
@given(random_bases)
def test_keeping_every_antecedent_gives_fidelity_1(case):
    rules, Z = case
    made = RuleBaseSummary.build(rules, Z, max_antecedents=None)
    assert made.fidelity == 1
    assert made.measured_text.splitlines()[1].startswith("No condition is left out, and they agree with the full model on all ")
    assert RuleBaseSummary.build(rules, Z, max_antecedents=4).fidelity == 1


@settings(max_examples=25)
@given(random_bases, st.integers(1, 4))
def test_fidelity_and_accuracy_are_those_of_the_shortened_base(case, most):
    rules, Z = case
    y = np.arange(len(Z)) % len(rules["classes"])
    made = RuleBaseSummary.build(rules, Z, y, max_antecedents=most)
    short = [int(np.argmax(slow_scores(rules, x, made.mask))) for x in Z]
    full = [int(np.argmax(slow_scores(rules, x))) for x in Z]
    assert made.predict_index(Z).tolist() == short
    assert scores(made.shortened, Z).argmax(1).tolist() == short
    assert made.fidelity == np.mean([a == b for a, b in zip(short, full, strict=True)])
    assert made.accuracy == np.mean([a == b for a, b in zip(short, y, strict=True)])
    assert made.full_accuracy == np.mean([a == b for a, b in zip(full, y, strict=True)])
    assert (made.mask.sum(1) <= most).all()
    assert all(len(r.antecedents) == made.mask[r.index - 1].sum() for r in made.rules)


def test_rules_are_sorted_by_support_and_a_dead_rule_is_named_so():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y)
    assert [r.index for r in made.rules] == [1, 2, 3]
    assert [r.dead for r in made.rules] == [False, False, True]
    assert made.rules[0].support == pytest.approx(0.6, abs=0.01)
    assert made.rules[0].wins == 0.6
    assert made.rules[2].confidence is None
    assert "Rule 3 never fires" in str(made)
    assert "f̄" not in str(made)


@pytest.mark.parametrize(
    ("fidelity", "evaluated_on", "share"),
    [
        (1.0, "500 of the test rows", "all 500 sampled test rows"),
        (0.93, "500 of the test rows", "93.0% of 500 sampled test rows"),
        (1.0, "test rows", "all test rows"),
        (0.93, "test rows", "93.0% of the test rows"),
    ],
)
def test_the_text_says_on_which_rows_the_short_rules_agree(fidelity, evaluated_on, share):
    text = measured_text(3, 4, False, fidelity, None, None, evaluated_on)
    assert f" agree with the full model on {share}.\n" in text


def test_the_text_says_condition_numbers_conclusion_and_measurements():
    rules, Z, y = iris_like()
    text = str(RuleBaseSummary.build(rules, Z, y, max_antecedents=1))
    agreement = "Shortened, they agree with the full model on all training rows."
    assert text.startswith(f"3 rules, at most 1 condition each.\n{agreement}\n")
    assert "Their accuracy is 100%; the full model's is 100%." in text
    assert "Rule 1: IF length is" in text
    assert "THEN yes\n" in text
    assert "At the rule's centre, score for yes: +1.75, no: -1.75." in text
    assert re.search(r"\n  Raising length by [\d.]+ (adds|takes) [\d.]+ (to|from) (yes|no)'s score[.;]", text)
    assert "strongest rule for 60.0% of training rows.\n" in text
    assert "Read as one class a rule, the strongest rule decides: agrees on all training rows; accuracy 100%." in text
    assert "\nTHEN names the class that has most of the rule's firing on the training rows; inside the model," in text


def test_what_a_rule_covers_is_said_by_firing_and_by_the_rows_that_the_sentence_is_true_of():
    rules, Z, y = iris_like()
    rules["rules"][0]["sigmas"] = [0.5, 0.5]
    y[:6] = 1
    made = RuleBaseSummary.build(rules, Z, y, max_antecedents=2)
    (one,) = (r for r in made.rules if r.index == 1)
    half = 0.5 * np.sqrt(2 * np.log(2))
    first = {"length": np.abs(Z[:, 0] - 1) <= half, "width": np.abs(Z[:, 1] - 1) <= half}
    here = np.ones(50, bool)
    for at, antecedent in enumerate(one.antecedents):
        here &= first[antecedent.feature]
        assert one.true_of[at] == (here.sum(), (here & (y == 0)).sum())
    rows, right = one.true_of[-1]
    assert any(line.startswith("Weighted by its firing level, 80.0% of its rows are no (95% interval ") for line in one.measured)
    assert any(line.endswith("; 48.0% of all training rows are: lift 1.67).") for line in one.measured)
    assert f"The sentence is true of {rows} of 50 training rows; {right} of these ({right / rows:.1%}) are no." in one.measured


def test_a_rule_says_the_class_of_its_rows_and_whether_the_whole_system_says_it_at_its_centre():
    rules, Z, y = iris_like()
    flipped = RuleBaseSummary.build(rules, Z, 1 - y)
    assert [(r.conclusion, r.clear, r.then, r.claim.literal) for r in flipped.rules[:2]] == [
        ("yes", True, "yes", False),
        ("no", True, "no", False),
    ]
    assert "At its centre the whole system says no, since other rules fire there too." in flipped.rules[0].measured
    assert flipped.to_frame()["true at its centre"].tolist() == [False, False, None]
    unknown = RuleBaseSummary.build(rules, Z)
    assert [r.conclusion for r in unknown.rules[:2]] == ["no", "yes"]
    assert unknown.rules[0].claim is None


def test_a_rule_without_a_majority_names_the_classes_that_together_have_one():
    rules, Z, _ = iris_like()
    for one in rules["rules"]:
        one["consequents"].append([0.0, 0.0, 0.0])
    rules["classes"].append("maybe")
    y = np.r_[np.repeat([0, 1, 2], [12, 10, 8]), np.full(20, 1)]
    first, second, _ = RuleBaseSummary.build(rules, Z, y).rules
    assert (second.index, second.then) == (1, "mostly no or yes")
    assert second.first_class == "no" and not second.clear
    assert "No class has more than half of its firing, so it names the classes that together have more." in second.measured
    assert first.then == "yes" and first.mostly == ()


def test_a_word_means_one_range_in_a_rule_base():
    rng = np.random.default_rng(0)
    Z = np.exp(rng.normal(0, 1.5, (300, 2)))
    consequents = [[0.0] * 3, [1.0] * 3]
    places = [([c, 1.0], [s, 9.0]) for c, s in ((9, 0.4), (3, 1.2), (5, 1.3), (0.1, 0.1))]
    made = RuleBaseSummary.build(base([number("x"), number("y")], [rule(m, s, consequents) for m, s in places]), Z)
    ranges = {}
    for one in made.rules:
        for a in one.antecedents:
            if " (" in a.text:
                ranges.setdefault((a.feature, a.label), set()).add(a.text)
    assert ranges and all(len(texts) == 1 for texts in ranges.values())
    assert len({a.text for one in made.rules for a in one.antecedents if a.feature == "x"}) == 4
    short = RuleBaseSummary.build(made.source, Z, max_antecedents=1)
    assert [one.antecedents[:1] for one in made.rules] == [one.antecedents for one in short.rules]


def test_a_condition_on_values_that_replace_missing_ones_says_so():
    rules, Z, y = iris_like()
    rules["columns"][0]["impute"] = 5.0
    lacks = np.zeros(50, bool)
    lacks[30:42] = True
    made = RuleBaseSummary.build(rules, Z, y, missing={"length": lacks})
    notes = {one.index: [a.note for a in one.antecedents if a.note] for one in made.rules}
    assert notes[1] == []
    assert notes[2] == ["length is missing in 60.0% of the rule's firing; the model then takes it as 5."]
    assert notes[2][0] in str(made)


def test_a_summary_is_measured_on_the_rows_given():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:4], y_eval=[0, 0, 0, 1])
    assert (made.evaluated_on, made.accuracy) == ("test rows", 0.75)
    assert RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:4]).accuracy is None
    assert RuleBaseSummary.build(rules, Z).evaluated_on == "training rows"
    assert "accuracy" not in str(RuleBaseSummary.build(rules, Z))


def test_predict_takes_raw_rows_through_the_encoder():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y, encode=lambda frame: frame.to_numpy(float))
    assert made.predict(pd.DataFrame(Z)).tolist() == [rules["classes"][k] for k in y]
    with pytest.raises(SettingError, match="predict_index"):
        RuleBaseSummary.build(rules, Z, y).predict(Z)


@pytest.mark.parametrize("classes", [[0, 1], [True, False], ["1", "0"], [1, "a"], [1.5, 2.5]])
def test_predictions_are_the_classes_themselves(classes):
    rules, Z, _ = iris_like()
    rules["classes"] = classes
    got = RuleBaseSummary.build(rules, Z, encode=np.asarray).predict(Z)
    assert {type(c) for c in got.tolist()} == {type(c) for c in classes}
    assert set(got.tolist()) == set(classes)


def test_predictions_can_be_classes_that_json_cannot_hold():
    rules, Z, y = iris_like()
    days = np.array(["2024-01-01", "2024-01-02"], "datetime64[D]")
    assert (RuleBaseSummary.build(rules, Z, classes=days, encode=np.asarray).predict(Z) == days[y]).all()


def test_the_frame_has_one_row_per_rule():
    rules, Z, y = iris_like()
    frame = RuleBaseSummary.build(rules, Z, y).to_frame()
    assert frame["rule"].tolist() == [1, 2, 3]
    assert list(frame.columns)[-2:] == ["score: no", "score: yes"]
    assert np.isnan(frame["confidence"].iloc[2])


def test_the_dictionary_is_json_and_holds_the_same_numbers():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y)
    read = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert read == made.to_dict()
    assert read["rules"][0]["confidence"][0] == ["no", made.rules[0].confidence["no"]]


def test_hostile_names_pass_through_as_plain_data():
    columns = [number(HOSTILE[0]), category(HOSTILE[1], HOSTILE[2]), category(HOSTILE[1], "b")]
    rules = base(columns, [rule([0, 1, 0], [0.3] * 3, [[1, 0, 0, 0], [0, 1, 3, 0]])], classes=[HOSTILE[2], HOSTILE[0]])
    Z = np.column_stack([np.linspace(-1, 1, 20), np.eye(2)[np.arange(20) % 2]])
    made = RuleBaseSummary.build(rules, Z)
    assert {a.feature for a in made.rules[0].antecedents} == set(HOSTILE[:2])
    assert made.rules[0].conclusion in HOSTILE
    assert f"{HOSTILE[1]} is {HOSTILE[2]}" in str(made)


def test_the_smallest_base_on_one_constant_row_has_a_summary():
    rules = base([number("x")], [rule([1.0], [None], [[0.0, 1.0], [0.5, 0.0]], log_weight=-3.0)])
    made = RuleBaseSummary.build(rules, [[2.0]], [1])
    assert made.rules[0].text == "IF anything THEN yes"
    assert (made.fidelity, made.accuracy, made.redundancy.tolist()) == (1.0, 0.0, [[1.0]])
    assert str(made).startswith("1 rule, at most 5 conditions each.")


def test_columns_without_variance_and_classes_without_rows_are_fine():
    rules, Z = random_base(3, 3, 4, seed=8)
    Z[:, 1] = 7.5
    made = RuleBaseSummary.build(rules, Z, np.zeros(len(Z), int))
    assert json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert all(r.confidence["c3"] == 0 for r in made.rules if r.confidence)


def test_averages_of_many_training_rows_are_taken_over_evenly_spaced_ones():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y, most_rows=10)
    assert made.rules[0].wins == 0.6


def test_wrong_arguments_are_refused_in_one_sentence():
    rules, Z, y = iris_like()
    with pytest.raises(SettingError, match="max_antecedents is 0; it must be a whole number of at least 1"):
        RuleBaseSummary.build(rules, Z, max_antecedents=0)
    with pytest.raises(DataError, match="at least 1 training row"):
        RuleBaseSummary.build(rules, Z[:0])
    with pytest.raises(DataError, match="each of the 50 training rows, got shape"):
        RuleBaseSummary.build(rules, Z, y[:3])
    with pytest.raises(DataError, match="at least 1 test row"):
        RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:0])
