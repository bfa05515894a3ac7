"""The splits of the study: 70% of the rows train, 30% test; z-normalised with the statistics of the training rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.data.encoding import Encoder

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset

TEST_SIZE = 0.3


@dataclass(frozen=True, eq=False)
class SplitData:
    """One split of one dataset. seed: its number, also that of whatever is drawn at random on it.

    X_train, X_test: (N, D) float64, categories one-hot, z-normalised. y_train, y_test: (N,) class indices.
    frame_train, frame_test: the same rows as they are in the table (DataFrames, the target left out).
    """

    dataset: "Dataset"
    seed: int
    train: np.ndarray
    test: np.ndarray

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder().fit(self.dataset.X).with_statistics_of(self.frame_train)

    @cached_property
    def _encoded(self) -> tuple[np.ndarray, np.ndarray]:
        train, test = (self._encoder.normalise(self._encoder.transform(X)) for X in (self.frame_train, self.frame_test))
        return train, test

    @property
    def feature_of(self) -> list[int]:
        """The feature of each encoded column, (D,), counted from 0."""
        return self._encoder.feature_of

    @cached_property
    def _y(self) -> np.ndarray:
        return np.unique(np.asarray(self.dataset.y), return_inverse=True)[1]

    @property
    def X_train(self) -> np.ndarray:  # noqa: D102, N802 - this and the others: see the class
        return self._encoded[0]

    @property
    def X_test(self) -> np.ndarray:  # noqa: D102, N802
        return self._encoded[1]

    @property
    def y_train(self) -> np.ndarray:  # noqa: D102
        return self._y[self.train]

    @property
    def y_test(self) -> np.ndarray:  # noqa: D102
        return self._y[self.test]

    @property
    def frame_train(self) -> "pd.DataFrame":  # noqa: D102
        return self.dataset.X.iloc[self.train]

    @property
    def frame_test(self) -> "pd.DataFrame":  # noqa: D102
        return self.dataset.X.iloc[self.test]


class Fit(NamedTuple):
    """What an algorithm made of a split. predicted: class indices of the test rows, (n,). detail: what was chosen on the way."""

    predicted: np.ndarray
    detail: Mapping[str, Any]


def split_data(dataset: "Dataset", seed: int) -> SplitData:
    """The split with this number: that of a run of the app with this seed."""
    split = dataset.split(test_size=TEST_SIZE, seed=seed)
    return SplitData(dataset, seed, split.train, split.test)
