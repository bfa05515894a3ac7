"""Columns that are constant in the training rows have no effect; the effect of nearly constant ones is bounded."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from tests.explain.examples import slow_scores
from tsk_core import TrainConfig, TSKClassifier, fit_many

STARTS = {"recommended": TrainConfig, "paper": TrainConfig.paper, "readable": TrainConfig.readable}
VARIANTS = ("none", "bn", "gbn", "rbn")


def rows(n=200, seed=0):
    """Five columns, of which three decide the class and the last is constant."""
    X = np.random.default_rng(seed).normal(size=(n, 5))
    X[:, 4] = 7.5
    return X, (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)


def classifier(start="recommended", **changes):
    return TSKClassifier(**STARTS[start](**{"n_rules": 5, "max_epochs": 8, "random_state": 0} | changes).to_dict())


def as_trained(fitted, X):
    return fitted.predict_proba(X), fitted.firing_levels(X), fitted.decision_function(X)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_new_rows_have_in_a_constant_column_changes_nothing(variant, start):
    fitted = classifier(start, batch_norm=variant).fit(*rows())
    X, _ = rows(50, seed=1)
    other = X.copy()
    other[:, 4] = np.linspace(-1e6, 1e6, 50)
    for before, after in zip(as_trained(fitted, X), as_trained(fitted, other), strict=True):
        np.testing.assert_array_equal(before, after)
    exported = fitted.to_dict()
    assert all(rule["sigmas"][4] is None and {row[5] for row in rule["consequents"]} == {0.0} for rule in exported["rules"])
    np.testing.assert_allclose(slow_scores(exported, other[3]), slow_scores(exported, X[3]))


@pytest.mark.parametrize(
    "changes", [{"early_stopping": True, "patience": 3}, {"n_rules": 6, "n_trainings": 2}, {"firing": "htsk"}]
)
def test_nor_where_settings_train_several_models_side_by_side(changes):
    fitted = classifier(**changes).fit(*rows())
    X, _ = rows(50, seed=1)
    other = X + np.array([0, 0, 0, 0, 3.0])
    np.testing.assert_array_equal(fitted.predict_proba(X), fitted.predict_proba(other))


def test_a_column_that_is_constant_in_the_rows_of_one_model_of_a_stack_has_no_effect_on_that_model():
    X, y = rows()
    X[:100, 4] = 0
    X[100:, 4] = np.arange(100)
    halves = [np.arange(100), np.arange(200)]
    constant, varied = fit_many([classifier(), classifier()], X, y, rows=halves)
    other = X + np.array([0, 0, 0, 0, 50.0])
    np.testing.assert_array_equal(constant.predict_proba(X), constant.predict_proba(other))
    assert not np.array_equal(varied.predict_proba(X), varied.predict_proba(other))


def test_a_category_that_a_fold_never_saw_does_not_decide_its_rows():
    y = np.arange(120) % 2
    dummies = np.eye(3)[np.arange(120) // 2 % 3]
    X = np.column_stack([4.0 * y + np.random.default_rng(0).normal(size=120), dummies])
    folds = [(np.flatnonzero(column == 0), np.flatnonzero(column == 1)) for column in dummies.T]  # each lacks one in training
    assert np.mean(cross_val_score(classifier(max_epochs=30), X, y, cv=folds)) > 0.9


@pytest.mark.parametrize("empty", [np.nan, 0.0])
def test_the_warnings_say_what_a_constant_column_has_now(empty):
    X, y = rows()
    table = pd.DataFrame(X, columns=list("abcde")).assign(e=empty)
    fitted = classifier().fit(table, y)
    said = fitted.row_warnings(table.assign(e=[5.0] + [empty] * 199))
    assert said[0] == "e = 5 has no effect, since it is 0 in all training rows"
    assert not any("effect" in text for text in said[1:])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_column_with_another_value_in_one_row_of_thousands_has_a_bounded_effect(variant):
    """Without bounds, its standardised value is √(5,000) times 316 after training, and a random slope multiplies it."""
    X, y = rows(5000)
    X[:, 4], X[17, 4] = 0, 1
    fitted = classifier(batch_norm=variant, max_epochs=20).fit(X, y)
    other = X[:500].copy()
    other[:, 4] = 1
    moved = np.abs(fitted.decision_function(other) - fitted.decision_function(X[:500])).max()
    assert 0 < moved < 45  # 74 to 131 without bounds, under bn, gbn and rbn
