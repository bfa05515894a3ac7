"""How far a row is from another class where one or two of its features change.

The margin is the score of the predicted class minus the largest other score, and negative where the class changes; where a class
is wanted, it is the largest other score minus that of the wanted class. Of equal scores the first class is predicted. Along one
feature each rule's z changes by its own term and its score linearly, so a place costs R·C operations however many features there
are.
"""

from copy import copy

import numpy as np

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import LOWEST, RuleArrays, check_rows, read_rules
from tsk_core.explain.row.features import RowFeature

__all__ = ["Margins", "Shift"]

TIE = float(np.finfo(float).tiny)  # how far below 0 a margin is where equal scores change the class
FARTHEST = 1e140  # (x − centre)/σ beyond it is taken as this, so that nothing overflows

Shift = tuple[np.ndarray, np.ndarray]  # what some values of a feature add to z, (K, R), and to the rules' scores, (K, R, C)


class Margins:
    """The margins around one row of exported rules. wanted: the position of the wanted class; None for any other one."""

    def __init__(self, rules: ExportedRules, x: np.ndarray, wanted: int | None = None) -> None:
        arrays = read_rules(rules)
        self.x = check_rows(np.asarray(x, float)[None], arrays)[0]
        self.arrays, self.wanted = arrays, wanted
        self._terms = _terms(arrays, np.arange(len(self.x)), self.x)  # (R, D)
        self.z = arrays.log_weight - self._terms.sum(1)
        self.outputs = arrays.consequents[:, :, 0] + arrays.consequents[:, :, 1:] @ self.x  # (R, C)
        self.predicted = int((self._shares(self.z) @ self.outputs).argmax())

    def shift(self, feature: RowFeature, values: np.ndarray) -> Shift:
        """What these values of the feature change. values: (K,) of a number, (K, columns) of a category."""
        columns = list(feature.columns)
        values = np.asarray(values, float).reshape(-1, len(columns))
        new = _terms(self.arrays, columns, values[:, None, :])  # (K, R, columns)
        moved = values - self.x[columns]
        slopes = self.arrays.consequents[:, :, 1:][:, :, columns]
        return (self._terms[:, columns] - new).sum(2), np.einsum("kd,rcd->krc", moved, slopes)

    def along(self, first: Shift, second: Shift | None = None) -> np.ndarray:
        """The margins, (K,) of one shift or (K, L) of two."""
        z, (dz, dy) = self.z, first
        if second is None:
            share = self._shares(z + dz)  # (K, R)
            return self._margin(share @ self.outputs + np.einsum("kr,krc->kc", share, dy))
        share = self._shares(z + dz[:, None] + second[0])  # (K, L, R)
        scores = share @ self.outputs + np.einsum("klr,krc->klc", share, dy) + np.einsum("klr,lrc->klc", share, second[1])
        return self._margin(scores)

    def moved(self, feature: RowFeature, value: np.ndarray | float) -> "Margins":
        """The same around the row with this value of the feature."""
        other, columns = copy(self), list(feature.columns)
        dz, dy = self.shift(feature, np.asarray(value, float)[None])
        other.x = self.x.copy()
        other.x[columns] = value
        other.z, other.outputs, other._terms = self.z + dz[0], self.outputs + dy[0], self._terms.copy()
        other._terms[:, columns] = _terms(self.arrays, columns, other.x[columns])
        return other

    def at(self, x: np.ndarray) -> float:
        """The margin of another row, (D,): computed anew, and so without the rounding of a difference."""
        return float(self._margin(self.scores_at(x)))

    def scores_at(self, x: np.ndarray) -> np.ndarray:
        """The scores of another row, (C,), as ``_shares`` of the rules' scores."""
        z = self.arrays.log_weight - _terms(self.arrays, np.arange(len(x)), x).sum(1)
        outputs = self.arrays.consequents[:, :, 0] + self.arrays.consequents[:, :, 1:] @ x
        return self._shares(z) @ outputs

    def _shares(self, z: np.ndarray) -> np.ndarray:
        """What the rules' scores are multiplied by, (…, R): firing levels that sum to 1, or f̃ of layer normalisation. Under kind
        "paper" one factor multiplies all scores, which flips no class.
        """
        if self.arrays.layer is not None:
            return self.arrays.score_weights(self.arrays.firing(z))
        z = self.arrays.levels(np.maximum(z, LOWEST))
        share = np.exp(z - z.max(-1, keepdims=True))
        return share / share.sum(-1, keepdims=True)

    def _margin(self, scores: np.ndarray) -> np.ndarray:
        own = self.predicted if self.wanted is None else self.wanted
        score, other = scores[..., own], np.delete(scores, own, -1).max(-1)
        first = scores[..., :own].max(-1, initial=-np.inf) < other  # of the classes with the largest other score, none is before
        margin, flips = (score - other, ~first) if self.wanted is None else (other - score, first)
        return np.where((score == other) & flips, -TIE, margin)


def _terms(arrays: RuleArrays, columns: np.ndarray | list[int], values: np.ndarray) -> np.ndarray:
    """(x − centre)²/(2σ²), 0 where the antecedent was dropped; (…, R, columns)."""
    sigmas = arrays.sigmas[:, columns]
    centers = np.where(np.isfinite(sigmas), arrays.centers[:, columns], 0.0)
    with np.errstate(over="ignore", under="ignore"):
        distance = np.minimum(np.abs(values - centers) / sigmas, FARTHEST)
    return distance * distance / 2
