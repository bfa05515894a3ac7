"""What a user's program sets as torch's defaults changes no result."""

from contextlib import contextmanager

import numpy as np
import pytest
import torch

from tests.tables import make_table
from tsk_core import TrainConfig, TSKClassifier, fit_many

CLASSIFIERS = {
    "recommended": TrainConfig(n_rules=4, max_epochs=6, drop_rule=0.2, class_weight="balanced"),
    "paper": TrainConfig.paper(
        n_rules=4, max_epochs=6, early_stopping=True, patience=2, batch_norm="rbn", optimizer="powerball-adabelief"
    ),
    "readable": TrainConfig.readable(n_rules=4, max_epochs=12),
    "layer": TrainConfig(n_rules=4, max_epochs=6, layer_norm="relu", firing="log"),
}


@contextmanager
def defaults(dtype):
    """Torch's defaults in this block: a dtype, or the device "meta"."""
    before = torch.get_default_dtype()
    try:
        if dtype == "meta":
            with torch.device("meta"):
                yield
        else:
            torch.set_default_dtype(dtype)
            yield
    finally:
        torch.set_default_dtype(before)


def results(config):
    dataset = make_table()
    fitted = TSKClassifier(**config.to_dict() | {"random_state": 0}).fit(dataset.X, dataset.y)
    many = fit_many([TSKClassifier(**config.to_dict() | {"random_state": seed}) for seed in (0, 1)], dataset.X, dataset.y)
    losses = [epoch.loss for epoch in fitted.history_]
    return [fitted.predict_proba(dataset.X), fitted.firing_levels(dataset.X), many[1].predict_proba(dataset.X), losses]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, "meta"], ids=str)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_seed_gives_the_same_numbers(name, dtype):
    expected = results(CLASSIFIERS[name])
    with defaults(dtype):
        found = results(CLASSIFIERS[name])
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)
