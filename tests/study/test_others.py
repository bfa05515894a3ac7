"""The algorithms beside the MBGD family, found by their names."""

import itertools
import sys
import time

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tsk_core.errors import DataError, TrainingError
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.evaluate.ebm import main_effects, missing
from tsk_core.tuning.tuner import CUT_SHORT
from tsk_study import other_algorithms
from tsk_study.names import ALGORITHMS, MBGD, READABLE, TUNED
from tsk_study.others import OTHERS, availability
from tsk_study.parts import split_data

SPLIT = split_data(make_table(rows=300, columns=2, classes=2), 1)  # small: EBM takes seconds for each feature


def test_every_algorithm_outside_the_mbgd_family_is_there():
    assert set(OTHERS) == set(ALGORITHMS) - set(MBGD)


TIMED = {*TUNED, *READABLE}  # their budget is time
SLOW = {"EBM", "JRip", "PART", "RF", *TIMED}  # RF is in test_classical.py, too


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in OTHERS])
def test_an_algorithm_predicts_the_test_rows_and_does_so_again(name, monkeypatch):
    for module in (other_algorithms, other_algorithms):
        monkeypatch.setattr(module, "BUDGET", 4.0)
    if sentence := availability(name):
        pytest.skip(sentence)
    fit = OTHERS[name](SPLIT)
    assert np.mean(fit.predicted == SPLIT.y_test) > 0.7
    if name not in READABLE:  # whose search is kept for the split
        again = OTHERS[name](split_data(SPLIT.dataset, 1))
        assert (fit.predicted == again.predicted).all() and fit.detail == again.detail


def test_no_machine_is_too_slow_for_a_search(monkeypatch):
    """Whoever recounts the study on a slower machine has to find the same settings."""
    seconds = itertools.count(0, 1000)
    for name in ("monotonic", "perf_counter", "thread_time", "process_time"):
        monkeypatch.setattr(time, name, lambda: float(next(seconds)))
    search = other_algorithms.search(TSKClassifierCV(0.5, random_state=1), SPLIT)
    assert CUT_SHORT not in search.notes_ and search.trials_


@pytest.mark.parametrize(("name", "library"), [("JRip", "weka"), ("PART", "weka"), ("EBM", "interpret")])
def test_what_is_not_installed_says_how_to_get_it(name, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    assert "pip install" in availability(name)
    with pytest.raises(TrainingError, match="pip install"):
        OTHERS[name](SPLIT)


def test_without_java_weka_says_so(monkeypatch):
    pytest.importorskip("interpret")  # requirements-study.txt is installed
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert "Java" in availability("JRip")


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_the_ebm_without_pairs_takes_the_rows_as_they_are():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"size": random.normal(size=200), "colour": random.choice(["red", "blue"], 200)})
    y = np.where(X["size"] + (X["colour"] == "red") > 0.5, "yes", "no")
    X.loc[::9, "size"] = np.nan
    found = main_effects(X[:150], y[:150], X[150:], y[150:])
    assert (found.name, found.conditions, found.rules) == ("EBM", None, None)
    assert found.rca > 0.8 and found.bca > 0.8
    assert main_effects(X[:150], y[:150], X[150:], y[150:]) == found
    with pytest.raises(DataError, match="one class only: 'no'"):
        main_effects(X[:150], np.full(150, "no"), X[150:], y[150:])
