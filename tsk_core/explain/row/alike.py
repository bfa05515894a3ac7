"""The training rows most like a row: by what they are, and by which rules fire for them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tsk_core.errors import DataError
from tsk_core.explain.row.features import SWITCH, RowFeature

__all__ = ["Alike", "distances", "nearest_rows"]


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
