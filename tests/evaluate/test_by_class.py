"""Scores of each class, against scikit-learn's and against rows resampled one by one."""

import json
import warnings

import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support

from tsk_core.evaluate.confusion import intervals_and_classes
from tsk_core.evaluate.intervals import Units, rows_alone

CLASSES = ["a", "b", "c"]


def predictions(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(CLASSES, n, p=[0.6, 0.3, 0.1])
    return y, np.where(rng.random(n) < 0.7, y, rng.choice(CLASSES, n))


def found_in(y, predicted, classes=CLASSES, units=None, seed=0):
    codes = [np.searchsorted(classes, labels) for labels in (y, predicted)]
    return intervals_and_classes(*codes, list(classes), units or rows_alone(len(y)), seed)


def test_scores_of_classes_agree_with_scikit_learn():
    y, predicted = predictions()
    found = found_in(y, predicted)["by_class"]
    precision, recall, f1, rows = precision_recall_fscore_support(y, predicted, labels=CLASSES)
    for k, one in enumerate(found):
        assert (one["class"], one["rows"]) == (CLASSES[k], rows[k])
        assert (one["precision"], one["recall"], one["f1"]) == pytest.approx((precision[k], recall[k], f1[k]))
        others = y != CLASSES[k]
        assert one["specificity"] == pytest.approx((predicted[others] != CLASSES[k]).mean())
    json.dumps(found, allow_nan=False)


def slow_scores(y, predicted):
    """RCA, BCA, then precision, recall and F1 of each class; scikit-learn's take a hundred times as long."""
    right = np.array([((y == one) & (predicted == one)).sum() for one in CLASSES])
    true, said = (np.array([(labels == one).sum() for one in CLASSES]) for labels in (y, predicted))
    precision, recall = right / said, right / true
    return [right.sum() / len(y), recall.mean(), *precision, *recall, *2 * right / (true + said)]


def test_their_intervals_agree_with_resampling_row_by_row():
    y, predicted = predictions()
    found, rng, slow = found_in(y, predicted), np.random.default_rng(3), []
    for _ in range(1500):
        rows = rng.integers(len(y), size=len(y))
        slow.append(slow_scores(y[rows], predicted[rows]))
    bounds = np.quantile(slow, [0.025, 0.975], axis=0).T
    assert found["intervals"]["rca"] == pytest.approx(bounds[0], abs=0.015)
    assert found["intervals"]["bca"] == pytest.approx(bounds[1], abs=0.015)
    for k, one in enumerate(found["by_class"]):
        for at, name in enumerate(("precision", "recall", "f1")):
            assert one[f"{name}_interval"] == pytest.approx(bounds[2 + 3 * at + k], abs=0.03), (name, CLASSES[k])


def test_what_is_not_defined_is_none():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = found_in(np.array(["a"] * 5 + ["b"] * 3), np.array(["a"] * 8))["by_class"]
    assert found[1]["precision"] is None and found[1]["recall"] == 0 == found[1]["f1"]
    assert found[2]["recall"] is None and found[2]["recall_interval"] is None and found[2]["specificity"] == 1
    assert found_in(np.empty(0, str), np.empty(0, str)) == {}


def test_many_classes_need_little_memory():
    import tracemalloc

    names = np.array([f"{k:03}" for k in range(100)])
    rng = np.random.default_rng(0)
    y, predicted = rng.choice(names, 20_000), rng.choice(names, 20_000)
    tracemalloc.start()
    found = found_in(y, predicted, names, Units(rng.integers(0, 400, 20_000), "groups"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found["by_class"]) == 100 and most < 60e6
