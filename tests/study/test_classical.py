"""CART, RF, logistic regression and histogram gradient boosting, with what cross-validation chooses for them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.tables import make_table
from tsk_core.data import Dataset
from tsk_core.data.folds import folds
from tsk_study.other_algorithms import cart, forest, histogram_boosting, logistic_regression
from tsk_study.parts import split_data


def nested_squares(rows=300):
    """Two classes as on a chessboard of 4 × 4: a tree needs depth to tell them apart."""
    X = np.random.default_rng(1).uniform(0, 4, (rows, 2))
    kind = np.where(np.floor(X).sum(1) % 2 == 0, "black", "white")
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(kind=kind)
    return Dataset(frame=frame, target="kind", name="chessboard", source="", licence="", findings=())


@pytest.mark.parametrize(
    ("algorithm", "make"), [(cart, DecisionTreeClassifier), (forest, lambda **other: RandomForestClassifier(20, **other))]
)
def test_the_depth_is_that_with_the_best_accuracy_over_five_folds(algorithm, make):
    split, seed = split_data(nested_squares(), 1), 1
    x, y = split.X_train, split.y_train
    scores = {}
    for depth in (3, 4, 5, 6, 7):
        models = [(make(max_depth=depth, random_state=seed), fold) for fold in folds(y, 5, seed)]
        scores[depth] = np.mean([model.fit(x[f.train], y[f.train]).score(x[f.test], y[f.test]) for model, f in models])
    best = max(scores, key=lambda depth: (scores[depth], -depth))
    fit = algorithm(split)
    assert fit.detail["max_depth"] == best
    assert (fit.predicted == make(max_depth=best, random_state=seed).fit(x, y).predict(split.X_test)).all()


@pytest.mark.parametrize("algorithm", [cart, forest, logistic_regression, histogram_boosting])
def test_a_class_with_fewer_rows_than_folds_is_trained_on_without_a_warning(algorithm):
    table = make_table(rows=150)
    frame = table.frame.assign(kind=[*["rare"] * 5, *table.frame.kind[5:]])
    split = split_data(Dataset(frame=frame, target="kind", name="rare", source="", licence="", findings=()), 0)
    assert (split.y_train == 3).sum() < 5  # yeast has such a class
    fit = algorithm(split)
    assert fit.predicted.shape == split.y_test.shape
    assert np.mean(fit.predicted == split.y_test) > 0.7
