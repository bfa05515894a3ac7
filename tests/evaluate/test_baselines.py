"""Baselines: what they are, and when one is left out."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from tsk_core.evaluate.baselines import BASELINES, baselines, estimated_seconds


@pytest.fixture(scope="module")
def table():
    """Two normal classes, 90 rows and 30, that overlap."""
    random = np.random.default_rng(0)
    y = np.array(["a"] * 90 + ["b"] * 30, dtype=object)
    return random.normal(size=(120, 3)) + (y == "b")[:, None], y


def test_they_are_the_majority_and_scikit_learns_classifiers(table):
    Z, y = table
    found, notes = baselines(Z, y, Z, seed=3)
    assert list(found) == list(BASELINES) and notes == []
    assert set(found["majority"].labels) == {"a"}
    assert (found["logistic_regression"].labels == LogisticRegression().fit(Z, y).predict(Z)).all()
    assert (
        found["weighted_logistic_regression"].labels == LogisticRegression(class_weight="balanced").fit(Z, y).predict(Z)
    ).all()
    assert (found["random_forest"].labels == RandomForestClassifier(random_state=3).fit(Z, y).predict(Z)).all()
    assert (found["weighted_logistic_regression"].labels == "b").sum() > (found["logistic_regression"].labels == "b").sum()


def test_the_same_rows_are_fitted_once_and_others_anew(table, monkeypatch):
    Z, y = table
    fits = []
    fit = RandomForestClassifier.fit
    monkeypatch.setattr(RandomForestClassifier, "fit", lambda self, *rows: fits.append(self.random_state) or fit(self, *rows))
    first = baselines(Z, y, Z[:50], seed=41)[0]["random_forest"]
    expected = first.labels.copy()
    first.probabilities[:] = 0  # what one run does with its answer is not seen by the next
    assert (baselines(Z.copy(), y.copy(), Z[:50], seed=41)[0]["random_forest"].labels == expected).all() and fits == [41]
    baselines(Z, y, Z[:50], seed=42)
    baselines(Z, y[::-1], Z[:50], seed=41)
    baselines(Z, y, Z[:51], seed=41)
    baselines(Z + 1, y, Z[:50], seed=41)
    assert fits == [41, 42, 41, 41, 41]


def test_one_that_would_take_too_long_or_too_much_memory_is_left_out_and_a_note_says_so(table, monkeypatch):
    Z, y = table
    logistic, forest = (estimated_seconds(key, *Z.shape, 2) for key in ("logistic_regression", "random_forest"))
    found, notes = baselines(Z, y, Z, most_seconds=(logistic + forest) / 2)
    assert set(found) == set(BASELINES) - {"random_forest"}
    assert notes == ["The baseline random forest is left out: on this table it would take longer than the training."]
    assert list(baselines(Z, y, Z, most_seconds=0)[0]) == ["majority"]
    monkeypatch.setattr("tsk_core.evaluate.baselines.FOREST_BYTES", 1e5)
    found, notes = baselines(*table, table[0])
    assert "random_forest" not in found and "memory" in notes[0]


def test_without_test_rows_or_with_a_single_class_they_predict_all_the_same(table):
    Z, y = table
    assert all(not len(predicted.labels) for predicted in baselines(Z, y, Z[:0])[0].values())
    assert all(set(predicted.labels) == {"a"} for predicted in baselines(Z[:90], y[:90], Z)[0].values())
