"""The THEN part of a rule: its scores at a typical case, and the columns with the largest effects on them.

y_r^c = a_r^c + Σ_d b_rd^c (x_d − t_rd), after subtracting the mean over classes, which changes no predicted class.
The typical case t_r is the rule's centre, clipped into the range of the training rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.explain.digits import number
from tsk_core.explain.reader import RuleArrays

__all__ = ["Consequent", "Mover", "column_text", "consequents"]


@dataclass(frozen=True)
class Mover:
    """The effect of one column on the score of one class in one rule.

    column: its text. target: the class whose score changes most. slope: score per unit of the column, minus the mean over
    classes. step: one standard deviation of the column; for a 0/1 column, 1. effect: slope times standard deviation, which
    movers are ranked by. text: such as "petal length +1.8 gives virginica +2.31".
    """

    column: str
    target: Any
    slope: float
    step: float
    effect: float
    text: str


@dataclass(frozen=True)
class Consequent:
    """The THEN part of one rule.

    typical: (D,) the typical case. outside: number columns whose centre lies outside the range of the training rows, so that the
    typical case is at its edge. scores: (C,) at the typical case, summing to 0. movers: largest effect first.
    """

    typical: np.ndarray
    outside: tuple[str, ...]
    scores: np.ndarray
    movers: tuple[Mover, ...]


def consequents(arrays: RuleArrays, Z: np.ndarray, max_movers: int = 3) -> list[Consequent]:
    """One ``Consequent`` per rule. Z: (N, D) training rows in original units."""
    low, high, spread = Z.min(0), Z.max(0), Z.std(0)
    spread[low == high] = 0.0  # rounding can give a constant column a spread above 0
    centered = arrays.consequents - arrays.consequents.mean(1, keepdims=True)  # (R, C, D + 1)
    where = np.where(arrays.present, arrays.centers, Z.mean(0))  # a dropped antecedent has no centre
    typical = np.clip(where, low, high)  # (R, D)
    numbers = np.array([column["kind"] == "number" for column in arrays.columns], bool)
    result = []
    for r in range(arrays.n_rules):
        outside = np.flatnonzero(arrays.present[r] & numbers & (where[r] != typical[r]))
        result.append(
            Consequent(
                typical=typical[r],
                outside=tuple(column_text(arrays.columns[d]) for d in outside),
                scores=centered[r, :, 0] + centered[r, :, 1:] @ typical[r],
                movers=_movers(arrays, centered[r, :, 1:], spread, max_movers),
            )
        )
    return result


def column_text(column: dict[str, Any]) -> str:
    """An encoded column as text: "petal length", "colour = red", "colour = another value", "age is missing"."""
    if column["kind"] == "number":
        return str(column["feature"])
    if column["kind"] == "missing":
        return f"{column['feature']} is missing"
    return f"{column['feature']} = {'another value' if column['kind'] == 'other' else column['category']}"


def _movers(arrays: RuleArrays, slopes: np.ndarray, spread: np.ndarray, most: int) -> tuple[Mover, ...]:
    """slopes: (C, D), minus their mean over classes; spread: (D,)."""
    effects = np.abs(slopes) * spread  # (C, D)
    strongest = effects.max(0)
    found = []
    for d in sorted(np.flatnonzero(strongest > 0), key=lambda d: (-strongest[d], d))[:most]:
        near = effects[:, d] >= strongest[d] * (1 - 1e-9)  # two classes change equally: name the one that gains
        c = int(np.argmax(np.where(near, slopes[:, d], -np.inf)))
        found.append(_mover(arrays, d, c, float(slopes[c, d]), float(spread[d])))
    return tuple(found)


def _mover(arrays: RuleArrays, d: int, c: int, slope: float, spread: float) -> Mover:
    column, target = arrays.columns[d], arrays.classes[c]
    step = spread if column["kind"] == "number" else 1.0
    more = f" +{number(spread, spread)}" if column["kind"] == "number" else ""
    text = f"{column_text(column)}{more} gives {target} {slope * step:+.2f}"
    return Mover(column_text(column), target, slope, step, slope * spread, text)
