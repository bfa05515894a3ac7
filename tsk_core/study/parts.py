"""The splits of the study: 70% of the rows train, 30% test; z-normalised with the statistics of the training rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data.encoding import Encoder

__all__ = ["TEST_SIZE", "Fit", "SplitData", "split_data"]

TEST_SIZE = 0.3


@dataclass(frozen=True, eq=False)
class SplitData:
    """One split of one dataset. seed: its number, also that of whatever is drawn at random on it.

    X_train, X_test: (N, D) float64, categories one-hot, z-normalised. y_train, y_test: (N,) class indices.
    frame_train, frame_test: the same rows as they are in the table (DataFrames, the target left out).
    """

    dataset: Any
    seed: int
    train: np.ndarray
    test: np.ndarray

    @cached_property
    def _encoded(self) -> tuple[np.ndarray, np.ndarray]:
        encoder = Encoder().fit(self.dataset.X).with_statistics_of(self.frame_train)
        return tuple(encoder.normalise(encoder.transform(X)) for X in (self.frame_train, self.frame_test))

    @cached_property
    def _y(self) -> np.ndarray:
        return np.unique(np.asarray(self.dataset.y), return_inverse=True)[1]

    X_train = property(lambda self: self._encoded[0])
    X_test = property(lambda self: self._encoded[1])
    y_train = property(lambda self: self._y[self.train])
    y_test = property(lambda self: self._y[self.test])
    frame_train = property(lambda self: self.dataset.X.iloc[self.train])
    frame_test = property(lambda self: self.dataset.X.iloc[self.test])


class Fit(NamedTuple):
    """What an algorithm made of a split. predicted: class indices of the test rows, (n,). detail: what was chosen on the way."""

    predicted: np.ndarray
    detail: dict[str, Any]


def split_data(dataset: Any, seed: int) -> SplitData:
    """The split with this number: that of a run of the app with this seed."""
    split = dataset.split(test_size=TEST_SIZE, seed=seed)
    return SplitData(dataset, seed, split.train, split.test)
