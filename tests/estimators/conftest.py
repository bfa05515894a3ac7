"""Tables that the estimator is tested with, and classifiers of them that no test changes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tsk_core import TrainConfig, TSKClassifier
from tsk_core.tuning import portfolio, readable


@pytest.fixture(scope="session")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="session")
def mixed():
    """Numbers, text categories, whole-number categories and gaps; the class depends on all of them."""
    rng = np.random.default_rng(0)
    size = rng.normal(50, 10, 300)
    colour = rng.choice(["red", "green", "blue"], 300)
    wheels = rng.choice([2, 3, 4], 300)
    y = np.where((size > 50) ^ (colour == "red"), "yes", "no")
    table = pd.DataFrame({"size": size, "colour": colour, "wheels": wheels.astype(str)})
    table.loc[::17, "size"] = np.nan
    table.loc[::23, "colour"] = None
    return table, y


@pytest.fixture(scope="session")
def of_iris(iris):
    return TSKClassifier(n_rules=4, max_epochs=20, random_state=0).fit(*iris)


@pytest.fixture(scope="session")
def of_mixed(mixed):
    return TSKClassifier(n_rules=4, max_epochs=20, random_state=0).fit(*mixed)


@pytest.fixture
def short_search(monkeypatch):
    """Searches of three candidates that train for a few epochs, with one repeat and no refinement."""
    for strategy in (portfolio.MostAccurate, readable.Readable):
        monkeypatch.setattr(strategy, "repeats", 1)
        monkeypatch.setattr(strategy, "rounds", 0)
    monkeypatch.setattr(portfolio, "RUNGS", (15,))
    monkeypatch.setattr(portfolio, "PORTFOLIO", portfolio.PORTFOLIO[:3])
    monkeypatch.setattr(readable, "SIZES", readable.SIZES[:3])


@pytest.fixture
def short_readable(monkeypatch):
    """Searches for readable rule bases that train for a few epochs, with one repeat."""
    start = TrainConfig.readable
    monkeypatch.setattr(TrainConfig, "readable", staticmethod(lambda **changes: start(**{"max_epochs": 30} | changes)))
    monkeypatch.setattr(readable.Readable, "repeats", 1)
