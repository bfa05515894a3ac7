"""What a row can be changed in, how far it is from another class, and which training rows are like it."""

import math
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.errors import DataError
from tsk_core.explain.exported import LOWEST, ExportedColumn, ExportedDate, ExportedRules, RuleArrays, check_rows, read_rules
from tsk_core.explain.labels import finest, number, writer, written_date

SWITCH = 2.0  # standard deviations that another category counts: as much as 0 and 1 are apart in an evenly split column
FINEST = 500  # parts of a standard deviation that a change distinguishes, at least


@dataclass(frozen=True)
class RowFeature:
    """One feature of the table.

    columns: its positions in the encoded row. categories: the names of these columns; empty for a number. low, high: the range of
    a number. whole: whether it takes whole numbers only. scale: its standard deviation. step: changes are multiples of it, a
    power of ten, 1 for whole numbers; dates change by whole days, or minutes. locked: whether it has to stay as it is. date: of
    a column that was read from dates, as exported. levels: of ordered categories, lowest first; its numbers are their ranks.

    The source of ``SWITCH``: Gelman (2008), who compares inputs by two standard deviations for that reason.
    """

    name: str
    columns: tuple[int, ...]
    categories: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    scale: float = 1.0
    step: float = 0.001
    locked: bool = False
    date: ExportedDate | None = None
    levels: tuple[str, ...] = ()

    def states(self, x: np.ndarray) -> np.ndarray:
        """The other categories that the feature of row x can have, as 0/1 values of its columns: (states, columns)."""
        own = x[list(self.columns)]
        every = np.eye(len(self.columns))
        return every[(every != own).any(1)]

    def snapped(self, value: float, towards: float = 0.0) -> float:
        """The multiple of ``step`` at the value: the nearest one, or the next one up (1) or down (−1); within the range."""
        if self.date:
            return self._date_at(value, towards)
        place = value / self.step
        chosen = round(place) if not towards else math.ceil(place - 1e-9) if towards > 0 else math.floor(place + 1e-9)
        digits = max(0, round(-math.log10(self.step)))
        return float(min(max(round(chosen * self.step, digits), self.low), self.high))

    def _date_at(self, value: float, towards: float) -> float:
        """The same of a date, which is a value that its text stands for."""
        assert self.date, "it has one"
        at = written_date(self.date, value, towards)
        if at > self.high:
            return written_date(self.date, self.high, -1)
        return written_date(self.date, self.low, 1) if at < self.low else at

    def written(self, x: np.ndarray) -> str:
        """The value in the row, as text."""
        if self.categories:
            chosen = [name for name, value in zip(self.categories, x[list(self.columns)], strict=True) if value > 0.5]
            return chosen[0] if chosen else "none of the known categories"
        value = float(x[self.columns[0]])
        if self.levels:
            return self.levels[round(value)]
        if self.date:
            return writer(self.date, None)(value)
        if self.whole and value == round(value) and abs(value) < 1e15:
            return str(round(value))
        snapped = round(value, max(0, round(-math.log10(self.step)))) if self.step < 1 else value
        return f"{snapped:.12g}" if abs(snapped - value) <= 1e-9 * (1 + abs(value)) else number(value, self.scale / 30)


def row_features(
    columns: list[ExportedColumn],
    scale: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    Z: np.ndarray | None = None,
    *,
    locked: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> list[RowFeature]:
    """The features of exported columns.

    scale, low, high: (D,) of the encoded training rows. Z: (n, D) some of them; a number is whole where all its values are,
    and without rows where its lowest, highest and typical values are. locked: features that have to stay as they are. bounds:
    feature → (lowest, highest) instead of the training range. DataError for names that are no features, and for empty ranges.
    """
    features: list[RowFeature] = []
    for d, column in enumerate(columns):
        if column["kind"] == "number":
            values = np.array([low[d], high[d], column["impute"]], float) if Z is None or not len(Z) else Z[:, d]
            levels = tuple(column.get("levels", ()))
            whole = bool(levels or (values == np.round(values)).all())
            step = 1.0 if whole else 10.0 ** math.floor(math.log10(float(scale[d]) / FINEST))
            bounds_of, spread, date = (float(low[d]), float(high[d])), float(scale[d]), column.get("date")
            step, whole = (finest(date), False) if date else (step, whole)
            features.append(RowFeature(column["feature"], (d,), (), *bounds_of, whole, spread, step, False, date, levels))
        elif features and features[-1].categories and features[-1].name == column["feature"]:
            last = features[-1]
            features[-1] = replace(last, columns=(*last.columns, d), categories=(*last.categories, str(column["category"])))
        else:
            features.append(RowFeature(column["feature"], (d,), (str(column["category"]),)))
    return _limited(features, locked, bounds or {})


def typical_row(columns: list[ExportedColumn]) -> np.ndarray:
    """What replaces missing values: each number's training median, each category's most frequent value; (D,)."""
    return np.array([float(c["impute"]) if c["kind"] == "number" else float(c["category"] == c["impute"]) for c in columns])


def _limited(features: list[RowFeature], locked: Collection[str], bounds: Mapping[str, tuple[float, float]]) -> list[RowFeature]:
    if isinstance(locked, str):
        locked = (locked,)
    known = {feature.name: feature for feature in features}
    for name in (*locked, *bounds):
        if name not in known:
            raise DataError(f"There is no feature {str(name)[:80]!r} to lock or to bound; the features are {_some(known)}.")
    for name, bound in bounds.items():
        if known[name].categories or known[name].levels:
            raise DataError(f"{name!r} is a category and has no range; lock it instead.")
        try:
            low, high = map(float, bound)
        except (TypeError, ValueError):
            raise DataError(f"The range of {name!r} is {str(bound)[:80]}; give two numbers, the lower one first.") from None
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise DataError(f"The range of {name!r} is {low} to {high}; give two numbers, the lower one first.")
    return [
        replace(
            feature,
            locked=feature.name in locked,
            low=float(bounds[feature.name][0]) if feature.name in bounds else feature.low,
            high=float(bounds[feature.name][1]) if feature.name in bounds else feature.high,
        )
        for feature in features
    ]


def _some(names: Collection[str]) -> str:
    shown = [repr(str(name)[:40]) for name in list(names)[:10]]
    return ", ".join(shown) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


# The training rows most like a row: by what they are, and by which rules fire for them.


@dataclass(frozen=True)
class Alike:
    """A training row. distance: √(Σ ((x_f − x'_f)/s_f)²) over the features, another category counting two standard deviations.
    overlap: Σ_r min(f̄_r, f̄'_r), 1 where the same rules fire. label: its class. x: (D,) encoded.
    """

    distance: float
    overlap: float
    label: str
    x: np.ndarray


def distances(x: np.ndarray, Z: np.ndarray, features: list[RowFeature]) -> np.ndarray:
    """The distance of each row of Z (n, D) from x (D,), in standard deviations: (n,)."""
    total = np.zeros(len(Z))
    for feature in features:
        columns = list(feature.columns)
        if feature.categories:
            total += SWITCH**2 * (Z[:, columns] != x[columns]).any(1)
        else:
            total += ((Z[:, columns[0]] - x[columns[0]]) / feature.scale) ** 2
    return np.sqrt(total)


def nearest_rows(
    x: np.ndarray,
    firing: np.ndarray,
    Z: np.ndarray,
    others: Callable[[np.ndarray], np.ndarray],
    labels: np.ndarray,
    features: list[RowFeature],
    most: int,
    by: str,
) -> tuple[Alike, ...]:
    """The training rows nearest to x, the nearest first, at most ``most``.

    firing: (R,) of x; others: the firing levels (k, R) of some of the training rows Z, (n, D). labels: (n,) their classes. by:
    "distance", or "firing" for the rows with the largest overlap of firing levels (the nearer one of a tie).
    """
    if by not in ("distance", "firing"):
        raise DataError(f"Rows can be near by 'distance' or by 'firing', not by {str(by)[:40]!r}.")
    distance, chosen = distances(x, Z, features), np.arange(len(Z))
    if by == "distance":
        chosen = np.argsort(distance, kind="stable")[:most]
    overlap = np.minimum(firing, others(Z[chosen])).sum(1)
    order = np.lexsort((distance[chosen], -overlap)) if by == "firing" else np.arange(len(chosen))
    return tuple(Alike(float(distance[chosen[k]]), float(overlap[k]), str(labels[chosen[k]]), Z[chosen[k]]) for k in order[:most])


# How far a row is from another class where one or two of its features change.
#
# The margin is the score of the predicted class minus the largest other score, and negative where the class changes; where a
# class is wanted, it is the largest other score minus that of the wanted class. Of equal scores the first class is predicted.
# Along one feature each rule's z changes by its own term and its score linearly, so a place costs R·C operations however many
# features there are.


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
