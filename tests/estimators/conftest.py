"""Tables that the estimator is tested with."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tsk_core import TrainConfig
from tsk_core.tuning import readable


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
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


@pytest.fixture
def short_readable(monkeypatch):
    """Searches for readable rule bases of few sizes, which train for a few epochs, with one repeat and no second round."""
    start = TrainConfig.readable
    monkeypatch.setattr(TrainConfig, "readable", lambda **changes: start(**{"max_epochs": 30} | changes))
    monkeypatch.setattr(readable.Readable, "repeats", 1)
