"""A summary reports what was measured, and what it reports is true of the rule base."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, random_bases, rule, slow_scores
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import RuleBaseSummary, scores
from tsk_core.explain.fidelity import measured_text


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


@given(random_bases)
def test_keeping_every_antecedent_gives_fidelity_1(case):
    rules, Z = case
    made = RuleBaseSummary.build(rules, Z, max_antecedents=None)
    assert made.fidelity == 1
    start = "All conditions are printed; the rules agree with the full model on all "
    assert made.measured_text.splitlines()[1].startswith(start)
    assert RuleBaseSummary.build(rules, Z, max_antecedents=4).fidelity == 1


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
    low, high = Z.min(0), Z.max(0)
    for r in made.rules:
        own, assumed = rules["rules"][r.index - 1], set()
        for d, (center, sigma) in enumerate(zip(own["centers"], own["sigmas"], strict=True)):
            if sigma is not None and all(np.exp(-((x - center) ** 2) / (2 * sigma**2)) >= 0.5 for x in (low[d], high[d])):
                assumed.add(d)
        named = {int(a.feature.removeprefix("x")) for a in r.antecedents}
        assert len(r.antecedents) == len(named) <= most and not named & assumed
        dropped = {d for d, sigma in enumerate(own["sigmas"]) if sigma is not None} - named - assumed
        assert r.complete == (not dropped)
        assert set(np.flatnonzero(made.mask[r.index - 1])) == named | (assumed if r.complete else set())


def test_rules_are_sorted_by_support_and_measured_on_the_rows_given():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y)
    assert [r.index for r in made.rules] == [1, 2, 3]
    assert [r.dead for r in made.rules] == [False, False, True]
    assert made.rules[0].support == pytest.approx(0.6, abs=0.01)
    assert made.rules[0].wins == 0.6
    assert made.rules[2].confidence is None
    assert "Rule 3 never fires" in str(made)
    assert "f̄" not in str(made)
    made = RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:4], y_eval=[0, 0, 0, 1])
    assert (made.evaluated_on, made.accuracy) == ("test rows", 0.75)
    assert RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:4]).accuracy is None
    assert RuleBaseSummary.build(rules, Z).evaluated_on == "training rows"
    assert "accuracy" not in str(RuleBaseSummary.build(rules, Z))


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
    agreement = "The shortened rules agree with the full model on all training rows."
    assert text.startswith(f"3 rules, at most 1 condition each.\n{agreement}\n")
    assert "Their accuracy is 100%; the full model's is 100%." in text
    assert "Rule 1: IF length is" in text
    assert "THEN yes\n" in text
    assert "At the rule's centre, score for yes: +1.75, no: -1.75." in text
    assert re.search(r"\n  Effects: raising length by [\d.]+ (adds|takes) [\d.]+ (to|from) (yes|no)'s score[.;]", text)
    assert "strongest rule for 60.0% of them.\n" in text
    assert "\n  True of 29 of 50 training rows; 29 of these (100%) are no.\n" in text
    assert "Prediction by one class per rule, the strongest rule decides: agrees on all training rows; accuracy 100%." in text
    assert "\nTHEN names the majority class of the training rows for which all printed conditions hold" in text


def test_a_rule_says_the_class_of_its_rows_and_whether_the_whole_system_says_it_at_its_centre():
    rules, Z, y = iris_like()
    flipped = RuleBaseSummary.build(rules, Z, 1 - y)
    assert [(r.conclusion, r.clear, r.then, r.literal) for r in flipped.rules[:2]] == [
        ("yes", True, "yes", False),
        ("no", True, "no", False),
    ]
    assert "At its centre the whole system predicts no." in flipped.rules[0].measured
    assert flipped.to_frame()["true at its centre"].tolist() == [False, False, None]
    unknown = RuleBaseSummary.build(rules, Z)
    assert [r.conclusion for r in unknown.rules[:2]] == ["no", "yes"]
    assert unknown.rules[0].claim is None


def test_a_rule_without_a_majority_names_the_classes_that_together_have_one_and_no_share_of_all():
    rules, Z, _ = iris_like()
    for one in rules["rules"]:
        one["consequents"].append([0.0, 0.0, 0.0])
    rules["classes"].append("maybe")
    y = np.r_[np.repeat([0, 1, 2], [12, 10, 8]), np.full(20, 1)]
    first, second, _ = RuleBaseSummary.build(rules, Z, y).rules
    assert (second.index, second.then) == (1, "mostly no or yes")
    assert second.conclusion == "no" and not second.clear
    assert second.remarks == (
        "No class has more than half of the 29 training rows of which the sentence is true, so THEN names the fewest classes"
        " that together have more.",
    )
    assert first.then == "yes" and first.mostly == ()
    rules, Z, _ = iris_like()
    Z[:30] = 1.0  # its centre
    y = np.r_[np.tile([0, 1], 15), np.ones(20, int)]
    tied = next(one for one in RuleBaseSummary.build(rules, Z, y).rules if one.index == 1)
    assert tied.then == "mostly no or yes" and tied.headline == "True of 30 of 50 training rows."


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
    assert notes[1] == ["length is missing in 24.0% of the training rows; a missing one counts as 5."]
    assert notes[2] == [
        "length is missing in 24.0% of the training rows (60.0% of the rule's firing); a missing one counts as 5."
    ]
    assert notes[2][0] in str(made)


@pytest.mark.parametrize(
    "classes", [[0, 1], [True, False], ["1", "0"], [1, "a"], [1.5, 2.5], np.array(["2024-01-01", "2024-01-02"], "datetime64[D]")]
)
def test_predictions_of_raw_rows_are_the_classes_themselves(classes):
    rules, Z, y = iris_like()
    known = {"classes": classes} if isinstance(classes, np.ndarray) else {}  # which JSON cannot hold
    made = RuleBaseSummary.build(rules if known else rules | {"classes": classes}, Z, encode=pd.DataFrame.to_numpy, **known)
    got = made.predict(pd.DataFrame(Z)).tolist()
    assert [(type(one), one) for one in got] == [(type(one), one) for one in np.array(classes, object)[y].tolist()]
    with pytest.raises(SettingError, match="predict_index"):
        RuleBaseSummary.build(rules, Z, y).predict(Z)


def test_the_frame_has_one_row_per_rule_and_the_dictionary_is_json():
    rules, Z, y = iris_like()
    made = RuleBaseSummary.build(rules, Z, y)
    frame, read = made.to_frame(), json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert frame["rule"].tolist() == [1, 2, 3] and read == made.to_dict()
    assert list(frame.columns)[-2:] == ["score: no", "score: yes"]
    assert np.isnan(frame["training: confidence"].iloc[2])
    assert frame["training rows: true"].tolist()[:2] == [29, 18] and frame["test rows"].isna().all()
    assert read["rules"][0]["confidence"][0] == ["no", made.rules[0].confidence["no"]]


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


def test_a_condition_that_excludes_no_training_row_is_in_the_numbers_and_not_in_the_text():
    rng = np.random.default_rng(0)
    columns = [number("a"), number("b"), category("c", "x"), category("c", "y")]
    Z = np.column_stack([rng.uniform(0, 10, (60, 2)), np.eye(2)[rng.integers(0, 2, 60)]])
    consequents = [rng.normal(size=(2, 5)).tolist() for _ in range(2)]
    rules = base(
        columns, [rule([5, 5, 0.5, 0.5], [9, 9, 1, 1], consequents[0]), rule([1, 6, 0.4, 0.6], [2, 9, 1, 1], consequents[1])]
    )
    made = RuleBaseSummary.build(rules, Z, np.arange(60) % 2, max_antecedents=2)
    texts = {one.index: one.text.split(" THEN ")[0] for one in made.rules}
    assert texts[1] == "IF anything" and re.fullmatch(r"IF a is (low|very low|very low or low) \(≤ \d\.\d\)", texts[2])
    assert all("anything" in made.export(name) for name in ("markdown", "latex", "text"))
    assert made.figures.values["conditions"] == 1 and made.mask.all() and made.fidelity == 1
    assert "All conditions are printed" in made.measured_text
    assert scores(made.shortened, Z) == pytest.approx(scores(rules, Z))
