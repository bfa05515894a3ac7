"""Presets trained for real, each once: what tests of their effects and of the page compare with."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from tsk_core.data import load_dataset
from tsk_core.epoch import Epoch
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from ui.presets import PRESETS

BY_NAME = {preset.name: preset for preset in PRESETS}


class Ran(NamedTuple):
    """One training: its epochs, and Σf̄ of each training row at the end."""

    epochs: list[Epoch]
    sums: np.ndarray

    @property
    def last(self):
        """The record of the last epoch."""
        return self.epochs[-1]

    @property
    def steady(self):
        """The mean test RCA of the last 30 epochs."""
        return np.mean([epoch.rca_test for epoch in self.epochs[-30:]])


@cache
def ran(name, **changed):
    """A preset as the page trains it, or with settings changed. ``ran.__wrapped__``: anew, while a test changes how it trains."""
    preset = BY_NAME[name]
    dataset, config = load_dataset(preset.data), replace(preset.config, **changed)
    split = dataset.split(test_size=preset.test_size, seed=config.random_state)
    X, y = dataset.X, np.asarray(dataset.y)
    classifier, rows = TSKClassifier(**config.to_dict()), X.iloc[split.train]
    with torch_threads(1), denormals_as_zero():
        epochs = list(classifier.fit_iter(rows, y[split.train], X.iloc[split.test], y[split.test]))
    return Ran(epochs, classifier.firing_levels(rows).sum(1))
