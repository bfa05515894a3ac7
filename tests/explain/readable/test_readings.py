"""The three readings of a readable rule base against a reader who goes through the rows one by one."""

import json

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import base, category, number, rule
from tests.explain.readable.readable_bases import readable_base, readable_bases, slow_readings, slow_true
from tsk_core.explain import RuleBaseSummary, scores
from tsk_core.explain.exported import read_rules
from tsk_core.explain.readable import Readable
from tsk_core.metrics import accuracy_of_labels


def two_rules(log_weight=0.0):
    """Small ones are "no", large ones "yes"; and ten rows."""
    columns = [number("size")]
    rules = [
        rule([0.0], [1.0], [[1.0, 0.0], [0.0, 0.0]], log_weight),
        rule([5.0], [1.0], [[0.0, 0.0], [1.0, 0.0]]),
    ]
    Z = np.array([[-1.0], [-0.5], [0.0], [0.5], [2.0], [3.0], [4.5], [5.0], [5.5], [6.0]])
    return base(columns, rules), Z, np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1])


@given(readable_bases)
def test_each_reading_is_what_a_reader_finds(case):
    rules, Z, y = case
    classes = np.array(rules["classes"])
    book = RuleBaseSummary.build(rules, Z[:25], y[:25], Z_eval=Z[25:], y_eval=y[25:])
    if all(one.dead for one in book.rules):
        return
    read = [slow_readings(book, x) for x in Z[25:]]
    found = {reading.name: reading for reading in book.readings}
    assert list(found) == ["model", "strongest", "sentences"]
    model = np.array([one["model"] for one, _ in read])
    for name, reading in found.items():
        said = np.array([one[name] for one, _ in read])
        expected = accuracy_of_labels(classes[y[25:]], said)
        assert reading.fidelity == np.mean(said == model)
        assert (reading.accuracy, reading.bca) == (pytest.approx(expected.rca), pytest.approx(expected.bca))
        assert reading.evaluated_on == "test rows"
    readable, winner = book.measured.readable, np.array([true for _, true in read])
    assert readable.winner_true == winner.mean()
    strongest = np.array([one["strongest"] for one, _ in read])
    right = (strongest == classes[y[25:]])[winner]
    assert readable.winner_right == (pytest.approx(right.mean()) if winner.any() else None)
    alive = [one for one in book.rules if not one.dead]
    assert readable.some_true == np.mean([any(slow_true(rules, one, x) for one in alive) for x in Z[25:]])


@given(readable_bases)
def test_a_rule_says_the_class_with_its_highest_score_and_keeps_its_conditions(case):
    rules, Z, y = case
    book = RuleBaseSummary.build(rules, Z, y, max_antecedents=1)
    for one in book.rules:
        constants = np.array([row[0] for row in rules["rules"][one.index - 1]["consequents"]])
        assert one.then == one.conclusion == rules["classes"][int(constants.argmax())]
        assert one.mostly == () and one.clear
        assert list(one.scores.values()) == pytest.approx((constants - constants.mean()).tolist())
        assert one.train.true == sum(slow_true(rules, one, x) for x in Z)
    assert (book.mask == read_rules(rules).present).all()
    assert book.fidelity == 1 and book.accuracy == book.full_accuracy
    assert (book.predict_index(Z) == scores(rules, Z).argmax(1)).all()
    assert [len(one.antecedents) for one in book.rules] == [
        len(one.antecedents) for one in RuleBaseSummary.build(rules, Z, y, max_antecedents=None).rules
    ]


def test_the_text_says_the_three_figures_and_the_weight_of_a_rule_where_it_has_one():
    rules, Z, y = two_rules()
    book = RuleBaseSummary.build(rules, Z, y, Z_eval=Z, y_eval=y)
    lines = book.measured_text.splitlines()
    assert lines[0] == "2 rules, 2 conditions in all."
    assert lines[1] == (
        "Prediction by the scores of all rules, which is the model:"
        " agrees on all test rows; accuracy 80.0%, balanced accuracy 80.0%."
    )
    strongest = "Prediction by one class per rule, the strongest rule decides"
    assert lines[2].startswith(f"{strongest}: agrees on all test rows; accuracy 80.0%")
    assert lines[3].startswith("Prediction by the sentences alone, the first true one decides: agrees on ")
    assert lines[4].startswith(
        "The sentence of the strongest rule is literally true of 80.0% of the test rows; its class is right in "
    )
    assert str(book).startswith(book.introduction) and book.introduction.splitlines()[-1] in book.export("markdown")
    assert "linear" not in str(book) and "linear" not in book.heading
    assert "  Score for no: +0.50, yes: -0.50." in str(book)
    assert "is multiplied" not in str(RuleBaseSummary.build(*two_rules()))
    assert "Its firing level is multiplied by 2.72." in str(RuleBaseSummary.build(*two_rules(log_weight=1.0)))
    assert "Its firing level is multiplied by e^800." in str(RuleBaseSummary.build(*two_rules(log_weight=800.0)))


def test_a_reader_counts_with_the_numbers_as_printed():
    columns, width = [number("size")], 1.0 / np.sqrt(2 * np.log(2))  # from −1 to 1 before rounding, at centre 0.04 to 1.04
    rules = base(columns, [rule([0.04], [width], [[1.0, 0.0], [0.0, 0.0]]), rule([9.0], [1.0], [[0.0, 0.0], [1.0, 0.0]])])
    Z = np.r_[np.linspace(-6, 12, 50), 1.02, 1.045][:, None]
    one = RuleBaseSummary.build(rules, Z, np.zeros(len(Z), int)).rules
    (first,) = (each for each in one if each.index == 1)
    assert first.antecedents[0].numbers == "size is between -1.0 and 1.0"
    assert first.train.true == int(((Z[:, 0] >= -1) & (Z[:, 0] <= 1)).sum())
    assert (np.abs(Z[:, 0] - 0.04) <= 1).sum() != first.train.true


def test_without_classes_there_is_fidelity_only_and_rows_of_unknown_classes_are_misclassified():
    rules, Z, y = two_rules()
    book = RuleBaseSummary.build(rules, Z, y, Z_eval=Z)
    assert {(reading.accuracy, reading.bca) for reading in book.readings} == {(None, None)}
    assert book.measured.readable.winner_right is None
    unknown = RuleBaseSummary.build(rules, Z)
    assert [item.test.right for item in unknown.rule_list.items] == [None] * 3
    assert "accuracy" not in unknown.measured_text and "of them" not in unknown.rule_list.text
    assert json.loads(json.dumps(unknown.to_dict(), allow_nan=False)) == unknown.to_dict()
    known, more = RuleBaseSummary.build(rules, Z, y), np.append(y, [-1, -1])
    book = RuleBaseSummary.build(rules, Z, y, Z_eval=np.r_[Z, [[0.0], [5.0]]], y_eval=more)
    for before, after in zip(known.readings, book.readings, strict=True):
        assert after.accuracy == pytest.approx(before.accuracy * 10 / 12)
        assert after.bca == pytest.approx(before.bca * 2 / 3)


def test_what_was_measured_comes_back_from_json_and_is_checked():
    rules, Z, y = readable_base(5, 3, 3)
    readable = RuleBaseSummary.build(rules, Z, y).measured.readable
    back = Readable.from_dict(json.loads(json.dumps(readable.to_dict())))
    assert back == readable
    assert back.fit(5, 3) and not back.fit(max(readable.order) - 1, 3) and not back.fit(5, readable.otherwise)
    assert not Readable.from_dict(readable.to_dict() | {"order": [1, 1]}).fit(5, 3)


def test_figures_of_a_readable_base_have_no_lengths():
    rules, Z, y = two_rules()
    figures = RuleBaseSummary.build(rules, Z, y).figures
    assert figures.curve == ()
    assert figures.values["smallest"] is figures.values["fidelity"] is None
    assert (figures.values["fidelity_strongest"], figures.values["accuracy_strongest"]) == (1.0, 0.8)
    assert figures.values["named"] == 1 and figures.values["conditions"] == 2


def test_a_row_of_an_unknown_category_is_none_of_those_listed():
    columns = [category("colour", c) for c in ("red", "blue")]
    rules = base(
        columns,
        [
            rule([1.0, 0.0], [0.5, 0.5], [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
            rule([0.0, 1.0], [0.5, 0.5], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        ],
    )
    Z, y = np.eye(2)[[0, 0, 1, 1]], np.array([0, 0, 1, 1])
    book = RuleBaseSummary.build(rules, Z, y, Z_eval=[[1.0, 0.0], [0.0, 0.0]], y_eval=[0, 0])
    assert (book.measured.readable.winner_true, book.measured.readable.some_true) == (0.5, 0.5)
