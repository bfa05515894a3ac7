"""A scorer of scikit-learn's kind as what a search maximises: it sees the validation rows of each fold, and its own model."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, fbeta_score, log_loss, make_scorer

from tsk_core import TSKClassifier, TSKClassifierCV
from tsk_core.errors import SettingError

LONG = 1e6  # a budget that no test spends: the searches are short
pytestmark = pytest.mark.usefixtures("short_search")


@pytest.fixture(scope="module")
def table():
    """Rare and frequent classes, a category and missing values; the index of a row is 1000 more than its position."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(240) < 0.2, "ill", "well")
    X = pd.DataFrame({"u": rng.normal(size=240) + (y == "ill"), "v": rng.normal(size=240), "c": rng.choice(["p", "q"], 240)})
    X.loc[::7, "v"] = np.nan
    return X.set_axis(range(1000, 1240)), y


def run(search, X, y, **options):
    for _ in search.fit_iter(X, y, clock=lambda: 0.0, **options):
        pass
    return search


def test_a_scorer_gives_the_scores_that_its_name_gives(table):
    searches = [
        run(TSKClassifierCV(LONG, 2, scoring, random_state=0, refit=False), *table)
        for scoring in ("balanced_accuracy", make_scorer(balanced_accuracy_score))
    ]
    named, own = ({trial.number: trial for trial in search.trials_} for search in searches)
    assert named.keys() == own.keys() and len(own) >= 3
    for number, trial in own.items():
        assert trial.score == pytest.approx(named[number].score, abs=0.02)  # training measures in 32 bits
    assert {trial.scoring for trial in own.values()} != {"balanced_accuracy"}


@pytest.mark.parametrize("weights", [None, "some"])
def test_it_sees_the_rows_that_were_held_out_and_a_fitted_classifier(table, weights):
    X, y = table
    seen, sample_weight = [], None if weights is None else 1.0 * (np.arange(240) % 3 > 0)

    def scorer(estimator, rows, labels):
        at = rows.index.to_numpy() - 1000
        np.testing.assert_array_equal(labels, y[at])
        pd.testing.assert_frame_equal(rows, X.iloc[at])
        assert isinstance(estimator, TSKClassifier) and estimator.predict(rows).shape == labels.shape
        seen.append((at, log_loss(labels, estimator.predict_proba(rows), labels=estimator.classes_)))
        return -seen[-1][1]

    search = run(TSKClassifierCV(LONG, 2, scorer, random_state=0), X, y, sample_weight=sample_weight)
    rows = {tuple(sorted(at)) for at, _ in seen}
    known = np.arange(240) if weights is None else np.flatnonzero(sample_weight)
    assert len(rows) == 2 and sorted(at for part in rows for at in part) == known.tolist()
    assert search.best_score_ >= -np.median([loss for _, loss in seen]) and search.trials_[0].scoring == "scorer"
    assert search.predict(X).shape == y.shape


def test_a_scorer_of_its_own_kind_decides_what_is_best(table):
    """F2 of the rare class, of which a scorer of the opposite sign prefers the worst."""
    f2 = make_scorer(fbeta_score, beta=2, pos_label="ill")
    best, worst = (
        run(TSKClassifierCV(LONG, 2, scoring, random_state=0, refit=False), *table)
        for scoring in (f2, lambda estimator, X, y: -f2(estimator, X, y))
    )
    assert best.best_score_ > -worst.best_score_


@pytest.mark.parametrize("value", [np.nan, np.inf, "0.5", None], ids=str)
def test_what_is_no_finite_number_is_named(table, value):
    with pytest.raises(SettingError, match="^scoring returned "):
        run(TSKClassifierCV(LONG, 2, lambda *_: value, random_state=0), *table)
