"""The tables of a search's folds: what a fold's rows are encoded with comes from its training rows alone."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

from tsk_core import TSKClassifierCV
from tsk_core.data.encoding import Encoder
from tsk_core.estimators import training_rows
from tsk_core.estimators.training_rows import FoldTables, TrainingRows


def mixed(seed=0, n=90):
    """Numbers with gaps and a category; each category is in each fold."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"u": rng.normal(5, 3, n), "v": rng.exponential(size=n), "c": np.array(["p", "q", "r"])[np.arange(n) % 3]})
    X.loc[rng.random(n) < 0.2, "v"] = np.nan
    X.loc[rng.random(n) < 0.1, "c"] = None
    return X, rng.choice(["no", "yes"], n)


FOLDS = [(np.arange(30, 90), np.arange(30)), (np.arange(60)[::-1], np.arange(60, 80)), (np.arange(0, 90, 2), np.arange(1, 90, 4))]


@pytest.mark.parametrize("weights", [None, "whole"])
def test_each_row_is_encoded_as_an_encoder_of_the_training_rows_alone_does(weights):
    X, y = mixed()
    weight = None if weights is None else 1 + np.arange(90) % 2
    learnt = TrainingRows.learn(X, y, "cpu", weight)
    kept = np.arange(90)[learnt.kept]
    table, placed = FoldTables(learnt, X)(FOLDS)
    for (train, validation), parts in zip(FOLDS, placed, strict=True):
        alone = Encoder().fit(X.iloc[kept[train]])
        assert [column.category for column in alone.columns] == [column.category for column in learnt.encoder.columns]
        for rows, part in zip((train, validation), parts, strict=True):
            expected = alone.normalise(alone.transform(X.iloc[kept[rows]]))
            np.testing.assert_allclose(table.x[part], expected, rtol=1e-6, atol=1e-6)
            assert (learnt.classes[table.y[part]] == y[kept[rows]]).all()


def test_rows_that_are_held_out_change_nothing_of_those_to_train_on():
    X, y = mixed()
    changed = X.copy()
    changed.loc[:29, ["u", "v"]] = 1e6
    (first, folds), (second, _) = (FoldTables(TrainingRows.learn(rows, y, "cpu"), rows)(FOLDS[:1]) for rows in (X, changed))
    train, validation = folds[0]
    assert (first.x[train] == second.x[train]).all() and not (first.x[validation] == second.x[validation]).all()


def test_a_very_large_table_is_encoded_once(monkeypatch):
    X, y = mixed()
    learnt = TrainingRows.learn(X, y, "cpu")
    tables = FoldTables(learnt, X)
    assert tables(FOLDS).table is not learnt.table
    monkeypatch.setattr(training_rows, "MOST_NUMBERS", 100)
    table, folds = tables(FOLDS)
    assert table is learnt.table and folds is FOLDS
    assert tables.encoder_of(folds[1][0]) is learnt.encoder
    pd.testing.assert_frame_equal(tables.original(folds[1][1])[0], X.iloc[60:80])


@pytest.mark.usefixtures("short_search")
def test_a_search_trains_on_these():
    """The models of a fold have the means of its training rows, and what they were validated on has others."""
    X, y = mixed(n=120)
    seen = []

    def scorer(estimator, rows, labels):
        rest = X.drop(index=rows.index)
        assert estimator.encoder_.mean_[0] == pytest.approx(rest["u"].mean())
        assert estimator.encoder_.columns[1].impute == pytest.approx(rest["v"].median())
        seen.append(rows["u"].mean())
        return accuracy_score(labels, estimator.predict(rows))

    search = TSKClassifierCV(1e6, 2, scorer, random_state=0, refit=False)
    for _ in search.fit_iter(X, y, clock=lambda: 0.0):
        pass
    assert len(set(seen)) == 2
