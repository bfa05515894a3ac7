"""Presets trained for real, each once: what tests of their effects and of the page compare with."""

import itertools
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from tsk_core.data import load_dataset
from tsk_core.epoch import Epoch
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.model import blocks
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.train import EVERY_EPOCH, prepare_stack, train
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


def ran(name, **changed):
    """A preset as the page trains it, or with settings changed."""
    return _ran(name, **changed)[0]


def rules_of(name):
    """The rules that this training ends with, exported, and its raw training rows."""
    return _ran(name)[1:]


def ran_over(name, seeds, **changed):
    """The same with these seeds, side by side."""
    return _ran_over(name, tuple(seeds), **changed)


def ran_anew(name):
    """The same, not from the cache and not for it: while a test changes how training works."""
    return _ran.__wrapped__(name)[0]


def _settings(name, changed):
    preset = BY_NAME[name]
    return load_dataset(preset.data), replace(preset.config, **changed), preset.test_size


@cache
def _ran(name, **changed):
    dataset, config, test_size = _settings(name, changed)
    split = dataset.split(test_size=test_size, seed=config.random_state)
    X, y = dataset.X, np.asarray(dataset.y)
    classifier, rows = TSKClassifier(**config.to_dict()), X.iloc[split.train]
    with torch_threads(1), denormals_as_zero():
        epochs = list(classifier.fit_iter(rows, y[split.train], X.iloc[split.test], y[split.test]))
    return Ran(epochs, classifier.firing_levels(rows).sum(1)), classifier.to_dict(), rows


@cache
def _ran_over(name, seeds, **changed):
    dataset, config, test_size = _settings(name, changed)
    splits = [dataset.split(test_size=test_size, seed=seed) for seed in seeds]
    configs = [replace(config, random_state=seed) for seed in seeds]
    specs, table, _, _ = prepare_stack(dataset, splits, configs, EVERY_EPOCH, measure_test=True)
    epochs, outcomes = [[] for _ in seeds], {}
    with torch_threads(1), denormals_as_zero():
        for k, epoch, outcomes[k] in itertools.chain.from_iterable(train(specs, table)):
            epochs[k].append(epoch)
        levels = [
            np.concatenate([b[0].numpy() for _, b, _ in blocks(outcomes[k].rules, table.x[s.rows])]) for k, s in enumerate(specs)
        ]
    return [Ran(own, firing.sum(1)) for own, firing in zip(epochs, levels, strict=True)]
