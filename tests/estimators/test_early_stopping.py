"""Early stopping: what it holds out, and what it keeps of its search."""

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier, fit_many
from tsk_core.errors import DataError

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


def test_early_stopping_keeps_its_search_apart_from_its_history(iris):
    clf = TSKClassifier(n_rules=3, max_epochs=30, early_stopping=True, patience=3, random_state=0).fit(*iris)
    assert clf.search_history_[0].stage == "hold-out"
    assert clf.best_epoch_ == len(clf.history_)


def test_early_stopping_respects_the_order_of_time():
    """The last fifth contradicts the rest: a hold-out of the latest rows notices, one drawn at random does not."""
    X = np.random.default_rng(0).normal(size=(300, 1))
    time = pd.date_range("2024-01-01", periods=300, tz="Europe/Vienna")
    y = (X[:, 0] > 0) ^ (np.arange(300) >= 240)
    settings = {"n_rules": 2, "max_epochs": 5, "early_stopping": True, "random_state": 0}
    of_dates = {"time": [moment.date() for moment in time]}
    for chosen, least, most in (({}, 0.6, 1), ({"time": time}, 0, 0.4), ({"time": np.arange(300)}, 0, 0.4), (of_dates, 0, 0.4)):
        search = TSKClassifier(**settings).fit(X, y, **chosen).search_history_
        assert least <= search[-1].rca_validation <= most, chosen
        together = fit_many([TSKClassifier(**settings)], X, y, **chosen)[0].search_history_
        assert least <= together[-1].rca_validation <= most, chosen


def test_early_stopping_keeps_groups_whole():
    """Each group has a place and a class of its own: of groups that were held out whole, nothing was learnt."""
    g = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 10)
    X = g.normal(scale=5, size=(40, 20))[groups] + g.normal(scale=0.1, size=(400, 20))
    y = g.permutation(np.arange(40) % 2)[groups]
    settings = {"n_rules": 10, "max_epochs": 40, "early_stopping": True, "random_state": 0}
    for chosen, least, most in (({}, 0.9, 1), ({"groups": [f"group {k}" for k in groups]}, 0, 0.75)):
        search = TSKClassifier(**settings).fit(X, y, **chosen).search_history_
        assert least <= np.mean([epoch.rca_validation for epoch in search[-20:]]) <= most


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"groups": [1, 2]}, "groups needs one value for each of the 150 training rows"),
        ({"time": ["today"] * 150}, "numbers or dates"),
        ({"groups": np.arange(150), "time": np.arange(150)}, "not by both"),
    ],
)
def test_groups_and_times_that_do_not_fit_are_refused(iris, chosen, sentence):
    with pytest.raises(ValueError, match=sentence):
        TSKClassifier(**QUICK).fit(*iris, **chosen)


def test_early_stopping_of_too_few_rows_is_refused():
    with pytest.raises(DataError, match="at least 3 training rows, got 2; switch it off or add rows"):
        TSKClassifier(early_stopping=True).fit([[0.0], [1.0]], ["a", "b"])
