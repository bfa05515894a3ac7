"""Scores and intervals by their textbook formulas, with numpy and scipy alone."""

import numpy as np
from scipy import stats


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
