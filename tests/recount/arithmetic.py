"""Scores, intervals and tests by their textbook formulas, with numpy and scipy alone."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

__all__ = ["bca", "corrected_t", "holm", "rca", "recalls", "wilson"]


def rca(true: np.ndarray, predicted: np.ndarray) -> float:
    """Share of rows whose class is predicted."""
    return sum(t == p for t, p in zip(true, predicted, strict=True)) / len(true)


def recalls(true: np.ndarray, predicted: np.ndarray) -> dict[str, tuple[int, int]]:
    """Of each class that has rows: how many are predicted as it, and how many there are."""
    return {name: (int((predicted[true == name] == name).sum()), int((true == name).sum())) for name in sorted(set(true))}


def bca(true: np.ndarray, predicted: np.ndarray) -> float:
    """Mean of the recalls."""
    return float(np.mean([right / n for right, n in recalls(true, predicted).values()]))


def wilson(right: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval, by its closed form."""
    z = stats.norm.ppf((1 + level) / 2)
    p, wide = right / n, 1 + z**2 / n
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / wide
    return float((p + z**2 / (2 * n)) / wide - half), float((p + z**2 / (2 * n)) / wide + half)


def corrected_t(differences: Sequence[float], test_per_train: float, level: float = 0.95) -> tuple[float, float, float, float]:
    """Mean, low, high and p of the corrected resampled t-test (Nadeau and Bengio)."""
    d = np.asarray(differences, float)
    error = np.sqrt(d.var(ddof=1) * (1 / len(d) + test_per_train))
    if not error:
        return float(d.mean()), float(d.mean()), float(d.mean()), 1.0 if not d.mean() else 0.0
    half = stats.t.ppf((1 + level) / 2, len(d) - 1) * error
    return (
        float(d.mean()),
        float(d.mean() - half),
        float(d.mean() + half),
        float(2 * stats.t.sf(abs(d.mean()) / error, len(d) - 1)),
    )


def holm(p_values: Sequence[float], of: int | None = None) -> list[float]:
    """Adjusted p-values: the smallest × m, the next × (m − 1), …, each at least as large as the one before, at most 1.

    of: m, where more tests were made than are given.
    """
    order, adjusted, above = np.argsort(p_values, kind="stable"), [0.0] * len(p_values), 0.0
    for rank, k in enumerate(order):
        above = max(above, min(1.0, ((of or len(p_values)) - rank) * p_values[k]))
        adjusted[k] = above
    return adjusted
