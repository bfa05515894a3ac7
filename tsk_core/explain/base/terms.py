"""The terms of a rule base: the memberships of number columns that the printed conditions use.

Distinguishability of a feature is 1 − the largest Jaccard similarity Σ min / Σ max of two of its terms (Setnes, Babuška, Kaymak
and van Nauta Lemke 1998), on a grid even in rank over the training values. Two terms that are equal count once.
ε-completeness: how much the best term of a feature holds for a value.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from tsk_core.explain.measures import jaccard
from tsk_core.explain.reader import RuleArrays
from tsk_core.model.firing import log_membership

__all__ = ["Terms"]

GRID = 100
HOLDS = 0.5


class Terms:
    """The terms of a rule base at several lengths. Z: (N, D) training rows. What a longer rule base shares is computed once."""

    def __init__(self, arrays: RuleArrays, Z: np.ndarray) -> None:
        self._arrays = arrays
        self._grid = cache(lambda d: np.quantile(Z[:, d], np.linspace(0, 1, GRID)))
        self._of_feature = cache(self._measured)

    def metrics(self, uses: Iterable[tuple[int, int]]) -> dict[str, float | None]:
        """Metrics of the terms that (rule, column) pairs use.

        "features": number columns with terms. "terms": mean number a feature. "distinguishability": mean over the features with
        at least two terms, None without one; "distinguishability_least": the smallest. "completeness": share of (row, feature)
        pairs where the feature's best term holds at least ½, None without terms; "epsilon": the smallest best membership.
        """
        used: dict[int, set[int]] = {}
        for r, d in uses:
            used.setdefault(d, set()).add(r)
        features = [self._of_feature(d, frozenset(rules)) for d, rules in sorted(used.items())]
        apart = [feature[1] for feature in features if feature[1] is not None]
        return {
            "features": float(len(features)),
            "terms": float(np.mean([feature[0] for feature in features])) if features else 0.0,
            "distinguishability": float(np.mean(apart)) if apart else None,
            "distinguishability_least": float(min(apart)) if apart else None,
            "completeness": float(np.mean([feature[2] for feature in features])) if features else None,
            "epsilon": float(min(feature[3] for feature in features)) if features else None,
        }

    def _measured(self, d: int, rules: frozenset[int]) -> tuple[int, float | None, float, float]:
        """Of one feature: number of terms, distinguishability, share of values that are covered, least best membership."""
        pairs = {(float(self._arrays.centers[r, d]), float(self._arrays.sigmas[r, d])) for r in rules}
        centers, sigmas = np.array(sorted(pairs)).T
        with np.errstate(over="ignore", under="ignore"):
            on_grid = np.exp(log_membership(self._grid(d), centers[:, None], sigmas[:, None]))  # (T, G)
        apart = None if len(pairs) < 2 else 1 - float((jaccard(on_grid, of_nothing=1.0) - np.eye(len(pairs))).max())
        best = on_grid.max(0)
        return len(pairs), apart, float((best >= HOLDS).mean()), float(best.min())
