"""Small tables and stand-ins for the clock, for tests of tuning."""

import numpy as np
import torch

from tsk_core.train import Table
from tsk_core.tuning.tuner import Tuner


def make_table(rows=200, columns=3, seed=0, weight=None):
    """Two classes with a curved border."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    y = (x[:, 0] ** 2 + x[:, 1] > 0.5).astype(int)
    return Table(torch.tensor(x), torch.tensor(y), 2, weight=weight)


def with_labels(table, y):
    """The same rows with other classes."""
    return Table(table.x, torch.as_tensor(y), table.n_classes)


def halves(rows):
    """Row numbers in two folds."""
    return [(rows[::2], rows[1::2]), (rows[1::2], rows[::2])]


def in_order(count):
    """So many folds, of rows that follow each other; the same for each repeat."""

    def folds(repeat, rows):
        parts = np.array_split(rows, count)
        return [(np.setdiff1d(rows, part), part) for part in parts]

    return folds


def two_folds(repeat, rows):
    """Others for each repeat."""
    return halves(np.random.default_rng(repeat).permutation(rows))


class Ticking:
    """A clock on which each question whether to stop takes a second, or so many: one epoch of one stack."""

    def __init__(self, end=None, each=1):
        self.now, self.end, self.each = 0.0, end, each

    def clock(self):
        return self.now

    def stopped(self):
        self.now += self.each
        return self.end is not None and self.now > self.end


def tuned(table, strategy, folds_of=two_folds, ticking=None, *, budget=1e6, **more):
    """A tuning that has ended, and what it yielded."""
    ticking = ticking or Ticking()
    tuner = Tuner(table, strategy, folds_of, budget=budget, clock=ticking.clock, stopped=ticking.stopped, **more)
    return tuner, list(tuner.run())
