"""RCA and BCA against scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from tsk_core.metrics import Accuracy, accuracy, accuracy_of_labels


def test_they_agree_with_scikit_learn():
    g = np.random.default_rng(0)
    y, predicted = g.choice(5, 300, p=[0.6, 0.2, 0.1, 0.05, 0.05]), g.integers(5, size=300)
    expected = pytest.approx((accuracy_score(y, predicted), balanced_accuracy_score(y, predicted)), rel=1e-12)
    names = np.array(["zebra", "ant", "Ant", "", "ß"], dtype=object)
    assert accuracy(y, predicted) == expected
    assert accuracy_of_labels(names[y], names[predicted]) == expected


def test_a_class_without_rows_is_left_out_of_bca():
    assert accuracy(np.array([0, 0, 0, 2]), np.array([0, 0, 1, 2])) == (0.75, pytest.approx((2 / 3 + 1) / 2))
    assert accuracy_of_labels(np.array(["a", "a", "a", "b"]), np.array(["a", "a", "c", "c"])) == (0.5, pytest.approx(1 / 3))


def test_without_rows_there_is_no_accuracy():
    none = Accuracy(None, None)
    assert accuracy(np.empty(0, int), np.empty(0, int)) == none
    assert accuracy_of_labels(np.empty(0, object), np.empty(0, object)) == none
