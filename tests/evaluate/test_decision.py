"""Decisions with costs: the threshold, what it does to test rows, and how often the intervals of mean costs hold the truth."""

import math

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, confusion_matrix

from tsk_core.errors import SettingError
from tsk_core.evaluate.cost_threshold import COSTS, Decision, effect_of, predicted_from
from tsk_core.evaluate.intervals import Units, rows_alone

CLASSES = ["benign", "malignant"]


def drawn(n=300, seed=0, share=0.3):
    """True classes, and probabilities (n, 2) that are calibrated."""
    rng = np.random.default_rng(seed)
    p = rng.beta(2 * share, 2 * (1 - share), n)
    return (rng.random(n) < p).astype(int), np.stack([1 - p, p], 1)


def effect(cost, true, probabilities, positive="malignant", units=None):
    decision = Decision(positive, cost)
    return effect_of(decision, CLASSES, true, probabilities.argmax(1), probabilities, units or rows_alone(len(true)), 0)


@pytest.mark.parametrize("positive", CLASSES)
@pytest.mark.parametrize("cost", [0.2, 1, 5, 40])
def test_no_other_threshold_has_a_lower_expected_cost(positive, cost):
    _, probabilities = drawn(n=400)
    at = CLASSES.index(positive)
    p = probabilities[:, at]
    decided = Decision(positive, cost).decide(probabilities.argmax(1), probabilities, CLASSES) == at
    lowest = min(np.where(p >= t, 1 - p, cost * p).sum() for t in [*p, 2.0])
    assert np.where(decided, 1 - p, cost * p).sum() == pytest.approx(lowest)


def test_a_probability_of_exactly_the_threshold_is_positive_and_equal_costs_leave_the_predicted_class():
    probabilities = np.array([[0.8, 0.2], [0.5, 0.5], [0.81, 0.19]])
    predicted = probabilities.argmax(1)
    assert Decision("malignant", 4).decide(predicted, probabilities, CLASSES).tolist() == [1, 1, 0]
    assert Decision("malignant", 1).decide(predicted, probabilities, CLASSES).tolist() == [0, 0, 0]
    assert Decision("benign", 4).decide(predicted, probabilities, CLASSES).tolist() == [0, 0, 0]


@pytest.mark.parametrize("cost", [0.2, 1.0, 5.0])
def test_an_effect_is_what_counting_gives(cost):
    true, probabilities = drawn()
    found = effect(cost, true, probabilities)
    p = probabilities[:, 1]
    for outcome, decided in ((found.before, p > 0.5), (found.after, p >= 1 / (1 + cost) if cost != 1 else p > 0.5)):
        matrix = confusion_matrix(true, decided)
        (right, alarms), (missed, hits) = matrix.tolist()
        assert outcome.confusion == matrix.tolist()
        assert outcome.rca.value == pytest.approx((right + hits) / 300)
        assert outcome.bca.value == pytest.approx(balanced_accuracy_score(true, decided))
        assert (outcome.recall.value, outcome.recall.rows) == (pytest.approx(hits / (hits + missed)), hits + missed)
        assert (outcome.false_alarms.value, outcome.false_alarms.rows) == (
            pytest.approx(alarms / (right + alarms)),
            right + alarms,
        )
        assert outcome.cost.value == pytest.approx((cost * missed + alarms) / 300)
        for value, interval, _ in (outcome.rca, outcome.bca, outcome.recall, outcome.false_alarms, outcome.cost):
            assert interval.low <= value <= interval.high
    changed = (p > 0.5) != (p >= 1 / (1 + cost))
    assert found.cost.difference == pytest.approx(found.after.cost.value - found.before.cost.value)
    assert found.cost.low <= found.cost.difference <= found.cost.high
    assert found.changed == (0 if cost == 1 else changed.sum())
    if found.changed:
        assert found.changed_positive.value == pytest.approx(true[changed].mean())
        assert found.changed_positive.rows == changed.sum()


@pytest.mark.parametrize(("weights", "costs"), [((1, 8), (20, 8.5, 7.5, 1, 0.5)), ((3, 1), (1, 0.5, 0.25, 0.1))], ids=str)
def test_class_weights_predict_from_another_probability_and_an_effect_is_told_from_there(weights, costs):
    """The predicted class has the largest product of probability and weight; a cost decides by the probability alone."""
    true, probabilities = drawn()
    predicted, p = (probabilities * weights).argmax(1), probabilities[:, 1]
    start = predicted_from(-np.log(np.array(weights, float)), 1)
    assert start == pytest.approx(weights[0] / sum(weights)) and predicted_from(None, 1) == 0.5
    np.testing.assert_array_equal(predicted == 1, p >= start)
    for cost in costs:
        found = effect_of(Decision("malignant", cost), CLASSES, true, predicted, probabilities, rows_alone(len(true)), 0, start)
        after = p >= 1 / (1 + cost)
        means = [np.where(one, 1.0 - true, cost * true).mean() for one in (predicted == 1, after)]
        assert [found.before.cost.value, found.after.cost.value] == pytest.approx(means)
        assert found.cost.difference == pytest.approx(means[1] - means[0])
        assert found.cost.low <= found.cost.difference <= found.cost.high
        assert found.changed == (after != (predicted == 1)).sum() > 0
        assert found.finds_more == bool((after > (predicted == 1)).any())


def test_a_model_without_mistakes_and_rows_of_one_class_have_costs():
    true = np.repeat([0, 1], 30)
    found = effect(5, true, np.stack([1.0 - true, true], 1))
    assert found.after.cost.value == 0 and found.cost.difference == 0
    assert found.after.cost.interval.high > 0 and found.cost.low < 0 < found.cost.high
    assert found.changed == 0 and found.changed_positive.value is None
    probabilities = np.array([[0.7, 0.3]] * 5 + [[0.1, 0.9]] * 4)
    found = effect(5, np.zeros(9, int), probabilities)
    assert (found.after.recall.value, found.after.recall.rows) == (None, 0)
    assert found.after.cost.value == 1 and found.before.cost.value == pytest.approx(4 / 9)


def test_rows_of_a_group_that_are_alike_count_as_one():
    true, probabilities = drawn(n=60)
    once = effect(5, true, probabilities)
    groups = Units(np.repeat(np.arange(60), 8), "groups")
    eight = effect(5, true.repeat(8), probabilities.repeat(8, axis=0), units=groups)
    assert eight.cost.difference == pytest.approx(once.cost.difference)
    assert eight.cost.high - eight.cost.low == pytest.approx(once.cost.high - once.cost.low, rel=0.2)
    assert np.ptp(eight.after.cost.interval) == pytest.approx(np.ptp(once.after.cost.interval), rel=0.2)
    rows = effect(5, true.repeat(8), probabilities.repeat(8, axis=0))
    assert rows.cost.high - rows.cost.low < 0.5 * (eight.cost.high - eight.cost.low)


def test_what_cannot_have_a_cost_is_one_sentence():
    for cost in (0, -1, COSTS[1] + 1, math.inf, math.nan):
        with pytest.raises(SettingError, match=r"^The cost of a missed case is .+; it must be from 0.001 to 1000\.$"):
            Decision("a", cost)
    with pytest.raises(SettingError, match=r"^The cost of a missed case needs two classes; this model has 3\.$"):
        Decision("a", 5).position(["a", "b", "c"])
    with pytest.raises(
        SettingError, match=r"^There is no class 'cancer' to give a cost; the classes are 'benign' and 'malignant'\.$"
    ):
        Decision("cancer", 5).position(CLASSES)
