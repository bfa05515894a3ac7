"""Two runs on the same test rows, compared row by row."""

from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.comparing import Paired, paired_differences
from tsk_core.evaluate.units import kept_units
from tsk_core.runs.folder import RunFolder

__all__ = ["PairedRuns", "paired_runs"]

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
