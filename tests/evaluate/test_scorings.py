"""Scores by scikit-learn's names: what its scorers give a fitted classifier, and where a class is missing."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer

from tsk_core.errors import SettingError
from tsk_core.evaluate.scorings import SCORINGS, scoring_of


class Told(ClassifierMixin, BaseEstimator):
    """A classifier that was told its probabilities."""

    def __init__(self, probabilities):
        self.probabilities, self.classes_ = probabilities, np.arange(probabilities.shape[1])

    def predict_proba(self, X):
        return self.probabilities

    def predict(self, X):
        return self.probabilities.argmax(1)


@st.composite
def predictions(draw, n_classes):
    """Classes of rows, each at least once, and probabilities."""
    seed, rows = draw(st.integers(0, 10_000)), draw(st.integers(n_classes, 40))
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=rows - n_classes)])
    return y, rng.dirichlet(np.ones(n_classes), size=len(y))


@pytest.mark.parametrize("name", SCORINGS)
@given(data=st.data())
def test_the_score_is_that_of_scikit_learn(name, data):
    y, probabilities = data.draw(predictions(data.draw(st.integers(2, 4))))
    known = "roc_auc_ovr" if name == "roc_auc" and probabilities.shape[1] > 2 else name
    told = get_scorer(known)(Told(probabilities), np.zeros((len(y), 1)), y)
    assert scoring_of(name).score(y, probabilities) == pytest.approx(told)


@pytest.mark.parametrize(
    ("y", "predicted"),
    [([0, 0, 1], [0, 2, 1]), ([2, 2, 2], [2, 2, 2]), ([0, 1, 3, 3], [3, 3, 3, 3]), ([1, 1, 1], [0, 1, 2])],
    ids=str,
)
def test_without_some_classes_the_score_is_that_of_scikit_learn_too(y, predicted):
    y, probabilities = np.array(y), np.eye(4)[predicted] * 0.7 + 0.075
    told = Told(probabilities)
    for name in ("f1_macro", "f1_weighted", "matthews_corrcoef"):
        with warnings.catch_warnings(action="ignore"):  # of classes without rows
            expected = get_scorer(name)(told, np.zeros((len(y), 1)), y)
        assert scoring_of(name).score(y, probabilities) == pytest.approx(expected)


def test_an_area_counts_the_classes_that_rows_have():
    probabilities = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]])
    assert scoring_of("roc_auc").score(np.array([0, 1, 0]), probabilities) == 1
    assert scoring_of("roc_auc").score(np.array([1, 1, 1]), probabilities) == 0.5
    assert scoring_of("neg_log_loss").score(np.array([0, 0, 0]), probabilities) < 0


@pytest.mark.parametrize("name", ["AUC", "roc_auc_ovo", None, 3, ["accuracy"]])
def test_another_name_is_refused_with_the_names_there_are(name):
    with pytest.raises(SettingError, match="it must be one of balanced_accuracy, accuracy, roc_auc"):
        scoring_of(name)
