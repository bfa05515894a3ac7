"""Presets trained for real, each once: what tests of their effects and of the page compare with."""

from dataclasses import replace
from functools import cache

import numpy as np

from tsk_core.data import load_dataset
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from ui.presets import PRESETS

BY_NAME = {preset.name: preset for preset in PRESETS}


def ran(name, seed=None, **changed):
    """``(epochs, Σf̄ of each training row)`` of a preset as the page trains it; by another seed, or with settings changed."""
    preset = BY_NAME[name]
    config = replace(preset.config, **changed)
    return _ran(preset.data, config if seed is None else replace(config, random_state=seed), preset.test_size)


@cache
def _ran(data, config, test_size):
    dataset = load_dataset(data)
    split = dataset.split(test_size=test_size, seed=config.random_state)
    X, y = dataset.X, np.asarray(dataset.y)
    classifier = TSKClassifier(**config.to_dict())
    with torch_threads(1), denormals_as_zero():
        epochs = list(classifier.fit_iter(X.iloc[split.train], y[split.train], X.iloc[split.test], y[split.test]))
    return epochs, classifier.firing_levels(X.iloc[split.train]).sum(1)
