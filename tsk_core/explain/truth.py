"""Whether a rule's sentence is true of a row: how far each of its conditions holds, and of how many rows all of them hold.

A condition holds where its membership is at least 0.5, a category's being scaled to 1 at the likeliest of its states: these are
the range and the categories that its text names.
"""

from collections.abc import Iterable

import numpy as np

from tsk_core.explain.antecedents import HOLDS, Antecedent, Unit, log_levels, units_of
from tsk_core.explain.reader import RuleArrays

__all__ = ["memberships", "true_of", "unit_of"]


def memberships(
    arrays: RuleArrays, r: int, antecedents: Iterable[Antecedent], Z: np.ndarray, of_columns: list[Unit] | None = None
) -> np.ndarray:
    """The membership of each row in each of these antecedents of rule r (from 0), in [0, 1]: shape (N, antecedents).

    Z: (N, D) rows in original units. of_columns: ``units_of`` of the columns, where several rules share them.
    """
    units = of_columns or units_of(arrays.columns)
    levels = np.empty((len(Z), len(antecedents := tuple(antecedents))))
    for at, antecedent in enumerate(antecedents):
        unit = unit_of(antecedent, units)
        levels[:, at] = np.minimum(log_levels(arrays, r, unit, Z[:, list(unit.columns)]), 0.0)
    return np.exp(levels)


def unit_of(antecedent: Antecedent, units: list[Unit]) -> Unit:
    """The unit that a condition is about. A feature may be two: its number, and whether it is missing. units: ``units_of``."""
    is_number = not (antecedent.low is None and antecedent.high is None)
    own = [unit for unit in units if unit.feature == antecedent.feature]
    return next((unit for unit in own if is_number != bool(unit.states)), own[0])


def true_of(levels: np.ndarray, y_index: np.ndarray | None, conclusion: int) -> tuple[tuple[int, int], ...]:
    """For the first antecedent, the first two, and so on: of how many rows they all hold, and how many of these have the class.

    levels: (N, A) from ``memberships``; y_index: (N,) class positions, None where they are not known: then the second is 0.
    With no antecedent, one pair: of all rows.
    """
    holds = np.logical_and.accumulate(levels >= HOLDS, axis=1)  # (N, A)
    if not levels.shape[1]:
        holds = np.ones((len(levels), 1), bool)
    right = np.zeros(len(levels), bool) if y_index is None else y_index == conclusion
    return tuple(zip(holds.sum(0).tolist(), (holds & right[:, None]).sum(0).tolist(), strict=True))
