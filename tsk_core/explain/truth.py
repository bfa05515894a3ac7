"""Whether a rule's conditions hold for a row: how far, by their memberships, and whether they do as printed.

A text names the range and the categories where a membership is at least 0.5, a category's being scaled to 1 at the likeliest of
its states. Ranges are rounded in print: ``literally`` takes the text at its word.
"""

from collections.abc import Iterable

import numpy as np

from tsk_core.explain.antecedents import Antecedent, Unit, listed, log_levels, units_of
from tsk_core.explain.categories import names_others
from tsk_core.explain.reader import RuleArrays

__all__ = ["literally", "memberships", "unit_of"]


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


def literally(
    arrays: RuleArrays, r: int, antecedents: Iterable[Antecedent], Z: np.ndarray, of_columns: list[Unit] | None = None
) -> np.ndarray:
    """Whether each row satisfies each of these conditions of rule r (from 0), bool (N, antecedents); arguments as above.

    A number does from ``low`` to ``high``, both included, a category where it is one of those listed. A category that the model
    does not know is none of them, and satisfies a condition that names those left out ("not red"). Missing values are those that
    replace them.
    """
    units = of_columns or units_of(arrays.columns)
    holds = np.ones((len(Z), len(antecedents := tuple(antecedents))), bool)
    for at, antecedent in enumerate(antecedents):
        unit = unit_of(antecedent, units)
        values = Z[:, list(unit.columns)]
        if unit.states:
            holds[:, at] = _is_named(arrays, r, unit, values)
            continue
        if antecedent.low is not None:
            holds[:, at] &= values[:, 0] >= antecedent.low
        if antecedent.high is not None:
            holds[:, at] &= values[:, 0] <= antecedent.high
    return holds


def _is_named(arrays: RuleArrays, r: int, unit: Unit, values: np.ndarray) -> np.ndarray:
    """Whether each row has a state that the condition names, (N,) bool. values: (N, columns of the unit)."""
    named = listed(arrays, r, unit)
    by_others = not unit.ordered and names_others(unit.states, named)
    counted = ~named if by_others else named
    of_columns = len(unit.columns) > 1  # a column of 0 and 1 for each state
    has = (values[:, counted] == 1).any(1) if of_columns else np.isin(values[:, 0], unit.values[counted, 0])
    return ~has if by_others else has


def unit_of(antecedent: Antecedent, units: list[Unit]) -> Unit:
    """The unit that a condition is about. A feature may be two: its number, and whether it is missing. units: ``units_of``."""
    is_number = not (antecedent.low is None and antecedent.high is None)
    own = [unit for unit in units if unit.feature == antecedent.feature]
    return next((unit for unit in own if is_number != bool(unit.states)), own[0])
