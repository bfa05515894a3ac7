"""RCA, BCA and AUC against scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score

from tsk_core.metrics import Accuracy, accuracy, accuracy_of_labels, area_under_curve

CLASSES = ["a", "b", "c"]


def test_they_agree_with_scikit_learn():
    g = np.random.default_rng(0)
    y, predicted = g.choice(5, 300, p=[0.6, 0.2, 0.1, 0.05, 0.05]), g.integers(5, size=300)
    expected = pytest.approx((accuracy_score(y, predicted), balanced_accuracy_score(y, predicted)), rel=1e-12)
    names = np.array(["zebra", "ant", "Ant", "", "ß"], dtype=object)
    assert accuracy(y, predicted) == expected
    assert accuracy_of_labels(names[y], names[predicted]) == expected


def test_a_class_without_rows_is_left_out_of_bca_and_without_rows_there_is_no_accuracy():
    assert accuracy(np.array([0, 0, 0, 2]), np.array([0, 0, 1, 2])) == (0.75, pytest.approx((2 / 3 + 1) / 2))
    assert accuracy_of_labels(np.array(["a", "a", "a", "b"]), np.array(["a", "a", "c", "c"])) == (0.5, pytest.approx(1 / 3))
    none = Accuracy(None, None)
    assert accuracy(np.empty(0, int), np.empty(0, int)) == none
    assert accuracy_of_labels(np.empty(0, object), np.empty(0, object)) == none


def slow_auc(positive, scores):
    """The share of pairs of a positive and another row in which the positive one has the higher score; equal ones count half."""
    pairs = [(p > q) + (p == q) / 2 for p in scores[positive] for q in scores[~positive]]
    return sum(pairs) / len(pairs)


def test_the_auc_of_two_classes_is_the_share_of_pairs_in_order_and_none_without_them_or_probabilities():
    rng = np.random.default_rng(0)
    y = np.repeat(["no", "yes"], [70, 30])
    p = (0.3 * (y == "yes") + rng.random(100)).round(1) / 1.3  # rounded: with ties
    found = area_under_curve(y, np.column_stack([1 - p, p]), ["no", "yes"])
    assert found == pytest.approx(slow_auc(y == "yes", p)) == pytest.approx(roc_auc_score(y, p))
    p = np.full((4, 2), 0.5)
    assert area_under_curve(np.repeat("a", 4), p, ["a", "b"]) is None
    assert area_under_curve(np.empty(0, object), p[:0], ["a", "b"]) is None
    assert area_under_curve(np.array(list("abab")), p * np.nan, ["a", "b"]) is None


def test_the_auc_of_several_classes_is_the_mean_of_one_against_the_rest():
    rng = np.random.default_rng(1)
    y = rng.choice(CLASSES, 400, p=[0.6, 0.3, 0.1])
    p = rng.dirichlet([1, 1, 1], len(y)) + (y[:, None] == np.array(CLASSES))
    p /= p.sum(1, keepdims=True)
    assert area_under_curve(y, p, CLASSES) == pytest.approx(roc_auc_score(y, p, multi_class="ovr", average="macro"))
    assert area_under_curve(y, p, CLASSES) == pytest.approx(np.mean([slow_auc(y == c, p[:, k]) for k, c in enumerate(CLASSES)]))
    some = y != "c"
    left = np.mean([slow_auc(y[some] == c, p[some, k]) for k, c in enumerate("ab")])
    assert area_under_curve(y[some], p[some], CLASSES) == pytest.approx(left)
