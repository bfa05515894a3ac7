"""A run's test rows: those of two runs compared row by row, and what a cost does to them."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.evaluate.comparing import Paired, paired_differences
from tsk_core.evaluate.cost_threshold import Decision, Effect, effect_of
from tsk_core.evaluate.intervals import kept_units
from tsk_core.runs.folder import RunFolder

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.explain import Summariser

FEWEST = 6  # rows or groups on which the runs differ; a sign test on fewer never reaches 5%, and the bootstrap errs there


class PairedRuns(NamedTuple):
    """rows: the test rows of both. differing: those that only one of the runs classifies correctly. units, differing_units: of
    the groups or blocks that rows belong to, the same; where they belong to none, of rows.

    scores: "rca" and "bca" of the later run less those of the earlier one, with paired 95% intervals.
    """

    rows: int
    differing: int
    units: int
    differing_units: int
    scores: dict[str, Paired]

    @property
    def is_few(self) -> bool:
        """Whether so few rows or groups differ that no difference could be shown."""
        return self.differing_units < FEWEST

    def verdict(self, score: str) -> int:
        """1: the later run is better by more than chance. −1: it is worse. 0: nobody can tell from these rows."""
        paired = self.scores.get(score)
        if paired is None or self.is_few:
            return 0
        return int(paired.low > 0) - int(paired.high < 0)


def paired_runs(before: RunFolder, now: RunFolder) -> PairedRuns | None:
    """The later run against the earlier one, both on one dataset; None where their test rows differ or there are none.

    RunError where a run did not keep its predictions (yet).
    """
    if not np.array_equal(before.split().test, now.split().test):
        return None
    old, new = before.predictions(), now.predictions()
    if not len(new.true) or not np.array_equal(old.true, new.true):
        return None
    units = kept_units(new.units)
    differs = (old.predicted == old.true) != (new.predicted == new.true)
    counts = len(new.true), int(differs.sum()), units.count, len(np.unique(new.units[differs]))
    return PairedRuns(*counts, paired_differences(new.true, new.predicted, old.predicted, units, seed=0))


# What a decision with costs does to the test rows of a run, from the predictions that the run kept.


def decision_effect(run: RunFolder, decision: Decision, seed: int, predicted_from: float = 0.5) -> Effect | None:
    """None for a run without test rows, and for one that kept no probabilities of them. seed: of the resamples, the training's.
    predicted_from: as for ``effect_of``.

    RunError where a run did not keep its predictions (yet); SettingError where the decision is not between its classes.
    """
    kept = run.predictions()
    if not len(kept.true) or not kept.probabilities.shape[1]:
        return None
    true, predicted = kept.true.astype(int), kept.predicted.astype(int)
    classes, units = run.metrics()["classes"], kept_units(kept.units)
    return effect_of(decision, classes, true, predicted, kept.probabilities, units, seed, predicted_from)


# A run's table as its training saw it, for those who look at a run without its classifier, or before it has one.


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
