"""Hedges: "very high", "somewhat high" for a membership that is exactly the square, the square root of the one called "high".

The square of a Gaussian is a Gaussian of the same centre with σ/√2, its square root one with σ√2 (Zadeh 1972). Trained
memberships are nearly never that exactly; those of a rule base that was written by hand, or tied together, can be.
"""

import math
from collections.abc import Iterable

import numpy as np

__all__ = ["hedged"]

HEDGES = {1 / math.sqrt(2): "very", math.sqrt(2): "somewhat"}  # σ over that of the word's own membership
PLAIN = ("low", "medium", "high")  # words that take a hedge
EXACT = 1e-6  # largest relative deviation


def hedged(centers: np.ndarray, sigmas: np.ndarray, names: list[str], taken: Iterable[str]) -> list[str]:
    """The names of memberships of one feature, those with a hedge that are exactly another one's.

    centers, sigmas: (n,), positive widths; names: the word of each. taken: words of the feature that no hedged name may equal, or
    one word would mean two ranges. Of memberships with the same centre, the first is the one that others are compared with.
    """
    result, known = list(names), set(taken)
    for i, name in enumerate(names):
        if result[i] != name or name not in PLAIN:
            continue
        for j in range(len(names)):
            same = abs(centers[j] - centers[i]) <= EXACT * sigmas[i]
            for ratio, hedge in HEDGES.items():
                new = f"{hedge} {name}"
                exact = math.isclose(sigmas[j], sigmas[i] * ratio, rel_tol=EXACT)
                if j != i and same and exact and result[j] == names[j] and new not in known:
                    result[j] = new
    return result
