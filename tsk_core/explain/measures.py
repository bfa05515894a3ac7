"""Statistics of firing levels over a set of rows, such as support, wins and confidence."""

import numpy as np

__all__ = ["confidence", "redundancy", "share_of", "support", "wins"]


def support(firing: np.ndarray) -> np.ndarray:
    """mean_n f̄_r, shape (R,). firing: (N, R), N ≥ 1."""
    return firing.mean(0)


def wins(firing: np.ndarray) -> np.ndarray:
    """Share of the rows where each rule is the strongest, shape (R,); the first of equals wins."""
    return np.bincount(firing.argmax(1), minlength=firing.shape[1]) / len(firing)


def confidence(firing: np.ndarray, y_index: np.ndarray, n_classes: int) -> np.ndarray:
    """Σ_n f̄_r 1[y = c] / Σ_n f̄_r, shape (R, C); NaN for a rule that fires on no row. y_index: (N,) of 0 … C−1."""
    onehot = np.asarray(y_index)[:, None] == np.arange(n_classes)  # (N, C)
    of_classes = firing.T @ onehot
    with np.errstate(invalid="ignore"):
        return of_classes / of_classes.sum(1, keepdims=True)  # firing.sum(0) rounds otherwise: 1 + 2e-16


def share_of(firing: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The share of each rule's firing that falls on some rows, (R,); 0 for a rule that fires on none. rows: bool (N,)."""
    total = firing.sum(0)
    return np.divide(firing[rows].sum(0), total, out=np.zeros_like(total), where=total > 0).clip(max=1.0)


def redundancy(firing: np.ndarray) -> np.ndarray:
    """Σ_n min(f̄_r, f̄_s) / Σ_n max(f̄_r, f̄_s), shape (R, R), in [0, 1], symmetric; 1 on the diagonal.

    Two rules that never fire have nothing in common: 0.
    """
    return jaccard(firing.T, of_nothing=0.0)


def jaccard(levels: np.ndarray, of_nothing: float) -> np.ndarray:
    """Σ min / Σ max of each two rows of levels ≥ 0, (T, G); 1 on the diagonal, and ``of_nothing`` where both are 0 throughout."""
    total, result = levels.sum(1), np.eye(len(levels))
    for t in range(len(levels) - 1):
        shared = np.minimum(levels[t], levels[t + 1 :]).sum(1)
        either = total[t] + total[t + 1 :] - shared  # Σ max = Σ a + Σ b − Σ min
        out = np.full_like(shared, of_nothing)
        result[t, t + 1 :] = result[t + 1 :, t] = np.divide(shared, either, out=out, where=either > 0)
    return result
