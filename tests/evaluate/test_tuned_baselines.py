"""Baselines whose settings are searched for: by a cross-validated score, within the effort given."""

import itertools

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, get_scorer

from tsk_core.data.folds import folds
from tsk_core.evaluate.baselines import BASELINES, baseline_settings, baselines, tuned_baselines


@pytest.fixture(scope="module")
def rows():
    """A rare class, so that class weights pay, and noise columns, so that a small C pays."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(160) < 0.2, "rare", "usual")
    Z = rng.normal(size=(160, 12))
    Z[:, 0] += np.where(y == "rare", 1.2, 0)
    return Z, y


def found_in(rows, **effort):
    return tuned_baselines(*rows, folds(rows[1], 3, 0), **{"most": 4, "seconds": 60.0} | effort)


def test_the_best_settings_of_all_that_were_tried_are_taken(rows, monkeypatch):
    monkeypatch.setattr("tsk_core.evaluate.baselines.GRIDS", {
        "logistic_regression": {"C": [0.01, 100.0], "class_weight": [None, "balanced"]},
    })  # fmt: skip
    found = found_in(rows, most=9)["logistic_regression"]
    (Z, y), scores = rows, {}
    for C, weight in [(1.0, None), *itertools.product([0.01, 100.0], [None, "balanced"])]:
        model = LogisticRegression(C=C, class_weight=weight, max_iter=1000)
        parts = folds(y, 3, 0)
        scores[C, weight] = np.mean(
            [balanced_accuracy_score(y[p.test], model.fit(Z[p.train], y[p.train]).predict(Z[p.test])) for p in parts]
        )
    assert (found.tried, found.folds) == (5, 3)
    assert found.score == pytest.approx(max(scores.values()))
    assert scores[found.settings["C"], found.settings["class_weight"]] == pytest.approx(found.score)
    assert found.score > scores[1.0, None]


def test_they_are_tuned_by_the_score_that_the_model_is_tuned_by(rows, monkeypatch):
    Z, y = rows
    monkeypatch.setattr(
        "tsk_core.evaluate.baselines.GRIDS",
        {"logistic_regression": {"C": [0.01, 1.0, 100.0], "class_weight": [None, "balanced"]}},
    )
    for scoring in ("roc_auc", "neg_log_loss"):
        found = found_in(rows, most=9, scoring=scoring)["logistic_regression"]
        model, parts = LogisticRegression(**{"max_iter": 1000} | found.settings), folds(y, 3, 0)
        told = [get_scorer(scoring)(model.fit(Z[p.train], y[p.train]), Z[p.test], y[p.test]) for p in parts]
        assert found.score == pytest.approx(np.mean(told))
    assert found_in(rows, most=9, scoring="neg_log_loss")["logistic_regression"].settings.get("class_weight") is None


def test_classes_may_be_named_by_digits(rows, monkeypatch):
    monkeypatch.setattr("tsk_core.evaluate.baselines.GRIDS", {"random_forest": {"class_weight": ["balanced"]}})
    Z, y = rows
    named, digits = (found_in((Z, labels), most=2)["random_forest"] for labels in (y, np.where(y == "rare", "1", "2")))
    assert (named.tried, named.score) == (digits.tried, digits.score) == (2, pytest.approx(named.score))


def test_no_settings_are_tried_twice_and_no_more_than_the_model_had(rows, monkeypatch):
    assert {one.tried for one in found_in(rows, most=2).values()} == {2}
    assert {tuple(one.settings) for one in found_in(rows, most=1).values()} == {()}  # the usual ones alone
    grid = {"C": [0.1, 1.0, 10.0], "class_weight": [None, "balanced"]}
    monkeypatch.setattr("tsk_core.evaluate.baselines.GRIDS", {"logistic_regression": grid})
    for most in (3, 5, 9):
        assert {found_in(rows, most=most, seed=seed)["logistic_regression"].tried for seed in range(4)} == {min(most, 6)}


def test_seconds_and_a_stop_end_a_search_and_leave_what_was_found(rows):
    ticking = itertools.count(0, 10).__next__  # each look at the clock takes ten seconds
    found = found_in(rows, most=100, seconds=25.0, clock=lambda: float(ticking()))
    assert {one.tried for one in found.values()} == {2}
    assert found_in(rows, seconds=1e-9) == {}
    asked = itertools.count()
    found = found_in(rows, stopped=lambda: next(asked) > 4)
    assert list(found) == ["logistic_regression"] and found["logistic_regression"].tried == 1


def test_predictions_are_those_of_the_settings_found(rows):
    Z, y = rows
    of_forest, _ = baselines(Z[:120], y[:120], Z[120:], tuned={"random_forest": {"max_depth": 4}})
    assert list(of_forest) == list(BASELINES)
    tuned = {"logistic_regression": {"C": 0.01, "class_weight": "balanced"}}
    predicted, _ = baselines(Z[:120], y[:120], Z[120:], tuned=tuned)
    model = LogisticRegression(C=0.01, class_weight="balanced", max_iter=1000).fit(Z[:120], y[:120])
    assert (predicted["logistic_regression"].labels == model.predict(Z[120:])).all()
    assert "weighted_logistic_regression" not in predicted and "random_forest" in predicted
    assert baseline_settings(0, tuned)["logistic_regression"] == (
        "LogisticRegression(C=0.01, max_iter=1000, class_weight='balanced')"
    )
