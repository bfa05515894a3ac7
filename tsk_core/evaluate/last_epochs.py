"""Whether a score jitters from epoch to epoch, and its mean over the last epochs, which hangs less on the very last one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["LastEpochs", "last_epochs", "window"]

SHARE, FEWEST, MOST = 0.2, 5, 30  # of the epochs that are averaged
JITTER = 0.015  # from here on a score is said to jitter; one of 45 test rows that errs once in five epochs makes 0.011


class LastEpochs(NamedTuple):
    """A score in the last ``epochs`` epochs: its mean, lowest and highest value, in [0, 1].

    jitter: how far the score moves from epoch to epoch on average, beyond its net change. A rise without setbacks has none,
    however few test rows make its steps.
    """

    epochs: int
    mean: float
    low: float
    high: float
    jitter: float

    @property
    def jitters(self) -> bool:
        """Whether the score of a single epoch is to some extent luck."""
        return self.jitter >= JITTER


def window(epochs: int) -> int:
    """How many of so many epochs are averaged: a fifth, at least 5 and at most 30."""
    return min(epochs, MOST, max(FEWEST, int(SHARE * epochs)))


def last_epochs(scores: Sequence[float]) -> LastEpochs | None:
    """Of a training's scores, (T,) in the order of its epochs; None without any."""
    if not len(scores):
        return None
    last = np.asarray(scores[-window(len(scores)) :], float)
    moves = np.diff(last)
    jitter = (np.abs(moves).sum() - abs(moves.sum())) / max(len(moves), 1)
    return LastEpochs(len(last), float(last.mean()), float(last.min()), float(last.max()), float(jitter))
