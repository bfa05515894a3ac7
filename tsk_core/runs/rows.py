"""A run's table as its training saw it, for those who look at a run without its classifier, or before it has one."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.config import TrainConfig

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.explain import Summariser

__all__ = ["RunRows"]


class RunRows:
    """Split, classes and encoding, learnt again from the same training rows. DataError where the table cannot be trained on."""

    def __init__(self, dataset: "Dataset", test_size: float, config: TrainConfig) -> None:
        from tsk_core.data.encoding import Encoder  # pandas: not before a table is there

        self._X, self._y, self._n_rules = dataset.X, np.asarray(dataset.y), config.n_rules
        self._positions = dataset.positions
        self.split = dataset.split(test_size, config.seed)
        self._encoder = Encoder().fit(self._X.iloc[self.split.train])
        self._classes = np.unique(self._y[self.split.train])

    @cached_property
    def to_show(self) -> dict[str, object]:
        """``explain.rows_to_show``: a few rows for a browser to draw."""
        from tsk_core.explain import rows_to_show

        return rows_to_show(self._encoder, self._classes, self._X, self._y, self.split, positions=self._positions)

    @cached_property
    def summariser(self) -> "Summariser":
        """Summarises the rules of any epoch, quickly."""
        from tsk_core.explain import Summariser

        train, test = ((self._X.iloc[rows], self._y[rows]) for rows in (self.split.train, self.split.test))
        return Summariser(self._encoder.transform, self._classes, train, test, self._n_rules, quick=True)
