"""The THEN part of a rule: its scores at its centre, and the features with the largest effects on them.

y_r^c = a_r^c + Σ_d b_rd^c (x_d − t_rd), after subtracting the mean over classes, which changes no predicted class.
The typical case t_r is a row that can be: the rule's centre, clipped into the range of the training rows, and one of the
categories that the rule's condition names, the one that has most of its firing.
"""

from dataclasses import dataclass

import numpy as np

from tsk_core.explain.antecedents import Unit, listed, log_levels, units_of
from tsk_core.explain.exported import ExportedColumn, Label, RuleArrays
from tsk_core.explain.labels import step_text


@dataclass(frozen=True)
class FeatureEffect:
    """The effect of one feature on the score of one class in one rule.

    column: its text, with the category that it changes to. target: the class whose score changes most. slope: score per unit of
    the column, minus the mean over classes; of a category, the change of the score from the typical category to this one.
    step: one standard deviation of the column; for a category, 1. effect: the standard deviation of what the feature adds to
    the score over the training rows, with the sign of the slope; effects are ranked by it.
    text: such as "raising petal length by 1.8 adds 2.31 to virginica's score".
    """

    column: str
    target: Label
    slope: float
    step: float
    effect: float
    text: str


@dataclass(frozen=True)
class Consequent:
    """The THEN part of one rule.

    typical: (D,) the typical case. outside: number columns whose centre lies outside the range of the training rows, so that the
    typical case is at its edge. scores: (C,) at the typical case, summing to 0. effects: largest effect first.
    """

    typical: np.ndarray
    outside: tuple[str, ...]
    scores: np.ndarray
    effects: tuple[FeatureEffect, ...]


def consequents(
    arrays: RuleArrays,
    Z: np.ndarray,
    firing: np.ndarray | None = None,
    rows: np.ndarray | slice = slice(None),
    max_effects: int = 3,
) -> list[Consequent]:
    """One ``Consequent`` per rule.

    Z: (N, D) training rows in original units. firing: (n, R) of those at ``rows``; None where every row counts equally.
    """
    low, high, mean, spread = Z.min(0), Z.max(0), Z.mean(0), Z.std(0)
    spread[low == high] = 0.0  # rounding can give a constant column a spread above 0
    centered = arrays.consequents - arrays.consequents.mean(1, keepdims=True)  # (R, C, D + 1)
    slopes = centered[:, :, 1:]
    where = np.where(arrays.present, arrays.centers, mean)  # a dropped antecedent has no centre
    typical = np.clip(where, low, high)  # (R, D)
    units = units_of(arrays.columns)
    weights = np.ones((len(Z[rows]), arrays.n_rules)) if firing is None else firing
    states = {unit: _States(Z[rows][:, list(unit.columns)], unit, weights) for unit in units if unit.states}
    effects = _effects(slopes, units, Z, spread)
    strongest = effects.max(2)  # (R, U)
    numbers = np.array([column["kind"] == "number" and "levels" not in column for column in arrays.columns], bool)
    result = []
    for r in range(arrays.n_rules):
        chosen = {unit: state.typical(arrays, r) for unit, state in states.items()}
        for unit, at in chosen.items():
            typical[r, list(unit.columns)] = unit.values[at]
        outside = np.flatnonzero(arrays.present[r] & numbers & (where[r] != typical[r]))
        largest = []
        for u in sorted(np.flatnonzero(strongest[r] > 0), key=lambda u: (-strongest[r, u], u))[:max_effects]:
            unit, own = units[u], slopes[r][:, list(units[u].columns)]  # (C, columns)
            if not unit.states:
                largest.append(_number_effect(arrays, unit, own[:, 0], float(spread[unit.columns[0]])))
            elif (to := states[unit].alternative(own, chosen[unit])) is not None:
                largest.append(_category_effect(arrays, unit, own, chosen[unit], to, effects[r, u]))
        result.append(
            Consequent(
                typical=typical[r],
                outside=tuple(column_text(arrays.columns[d]) for d in outside),
                scores=centered[r, :, 0] + slopes[r] @ typical[r],
                effects=tuple(largest),
            )
        )
    return result


def column_text(column: ExportedColumn) -> str:
    """An encoded column as text: "petal length", "colour = red", "colour = another value", "age is missing"."""
    if column["kind"] == "number":
        return str(column["feature"])
    if column["kind"] == "missing":
        return f"{column['feature']} is missing"
    return f"{column['feature']} = {'another value' if column['kind'] == 'other' else column['category']}"


class _States:
    """How much of each rule's firing falls on each state of a category or rank. values: (n, columns); weights: (n, R)."""

    def __init__(self, values: np.ndarray, unit: Unit, weights: np.ndarray) -> None:
        self._unit, self._values = unit, unit.values
        member = values if len(unit.columns) > 1 else (values == self._values.T).astype(float)  # a column of 0 and 1 is a state
        self._share = member.mean(0)  # of the rows, (states,)
        self._firing = weights.T @ member  # (R, states)

    def typical(self, arrays: RuleArrays, r: int) -> int:
        """The position of the typical state: among those that the rule's condition names, the one with most of its firing."""
        firing = np.where(listed(arrays, r, self._unit), self._firing[r], 0.0)
        return int(firing.argmax() if firing.any() else log_levels(arrays, r, self._unit, self._values).argmax())

    def alternative(self, slopes: np.ndarray, typical: int) -> int | None:
        """The state that training rows have whose scores differ most from the typical one's, rare ones counting less."""
        change = np.abs((self._values - self._values[typical]) @ slopes.T).max(1) * np.sqrt(self._share)
        change[typical] = 0.0
        return int(change.argmax()) if change.any() else None


def _effects(slopes: np.ndarray, units: list[Unit], Z: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """The standard deviation over the training rows of what each unit adds to each class's score, (R, U, C).

    slopes: (R, C, D), spread: (D,) standard deviations.
    """
    effects = np.empty((len(slopes), len(units), slopes.shape[1]))
    for u, unit in enumerate(units):
        columns = list(unit.columns)
        if not unit.states:
            effects[:, u] = np.abs(slopes[:, :, columns[0]]) * spread[columns[0]]
            continue
        centred = (Z[:, columns] - Z[:, columns].mean(0)) * (spread[columns] > 0)
        own = slopes[:, :, columns]  # (R, C, columns)
        variance = ((own @ (centred.T @ centred / len(Z))) * own).sum(2)
        effects[:, u] = np.sqrt(np.maximum(variance, 0.0))
    return effects


def _target(change: np.ndarray) -> int:
    """The class whose score changes most, (C,) changes; where two change equally, the one that gains."""
    near = np.abs(change) >= np.abs(change).max() * (1 - 1e-9)
    return int(np.argmax(np.where(near, change, -np.inf)))


def _number_effect(arrays: RuleArrays, unit: Unit, slopes: np.ndarray, spread: float) -> FeatureEffect:
    c = _target(slopes)
    slope, target = float(slopes[c]), arrays.classes[c]
    text = f"raising {unit.feature} by {step_text(arrays.columns[unit.columns[0]], spread)} {_change(slope * spread, target)}"
    return FeatureEffect(column_text(arrays.columns[unit.columns[0]]), target, slope, spread, slope * spread, text)


def _category_effect(
    arrays: RuleArrays, unit: Unit, slopes: np.ndarray, typical: int, to: int, effects: np.ndarray
) -> FeatureEffect:
    before, after = unit.states[typical], unit.states[to]
    change = slopes @ (unit.values[to] - unit.values[typical])
    c = _target(change)
    text = f"{unit.feature} = {after} instead of {before} {_change(float(change[c]), arrays.classes[c])}"
    effect = float(np.copysign(effects[c], change[c]))
    return FeatureEffect(f"{unit.feature} = {after}", arrays.classes[c], float(change[c]), 1.0, effect, text)


def _change(change: float, target: Label) -> str:
    if change < 0:
        return f"takes {-change:.2f} from {target}'s score"
    return f"adds {change:.2f} to {target}'s score"
