"""To how many rows the printed conditions of a rule apply, by its raw firing level, and how many rows no rule covers.

A rule with D printed conditions covers a row where f^(1/D) ≥ 0.5, f being the product of their memberships: on average, the
conditions hold. Normalised firing levels sum to 1 in every row and cannot show that no rule applies.
"""

import numpy as np

from tsk_core.explain.antecedents import HOLDS, LONGEST

__all__ = ["Coverage"]


class Coverage:
    """Which of N rows the rules cover with at most 1, 2, … up to 12 conditions each, and with all; rules are added one by one.

    longest: the most conditions that any of them has.
    """

    def __init__(self, n_rows: int, longest: int) -> None:
        self._covered = np.zeros((max(1, min(longest, LONGEST + 1)), n_rows), bool)

    def add(self, levels: np.ndarray) -> tuple[float, ...]:
        """Add a rule with the memberships ``levels`` (N, A) of its conditions; returns the share of rows that it covers with the
        first, the first two, … of them. A rule without conditions covers every row, and its tuple is empty.
        """
        if not levels.shape[1]:
            self._covered[:] = True
            return ()
        with np.errstate(divide="ignore"):
            log = np.cumsum(np.log(levels), axis=1)
        covers = log >= np.log(HOLDS) * np.arange(1, levels.shape[1] + 1)  # (N, A): the mean of the logs is that of HOLDS
        for at in range(len(self._covered)):
            last = covers.shape[1] - 1
            self._covered[at] |= covers[:, last if at == LONGEST else min(at, last)]
        return tuple(covers.mean(0).tolist())

    @property
    def uncovered(self) -> tuple[int, ...]:
        """How many rows no rule covers, with at most 1, 2, … conditions each."""
        return tuple((~self._covered).sum(1).tolist())

    def rows(self) -> np.ndarray:
        """The positions of the rows that no rule covers with all its conditions, rising."""
        return np.flatnonzero(~self._covered[-1])
