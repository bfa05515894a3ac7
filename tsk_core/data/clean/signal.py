"""Gaps that tell something: columns whose missing cells go with some classes more than with others."""

from collections.abc import Mapping

import numpy as np

from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed

__all__ = ["telling_gaps"]

_LEAST = 5  # gaps, and filled cells
_CHANCE = 0.01  # of a difference this large where there is none


def telling_gaps(missing: Mapping[str, np.ndarray], y: np.ndarray, train: np.ndarray) -> list[Finding]:
    """One offer naming the columns whose gaps go with the class (chi-square test on the training rows), or none.

    missing: column -> bool (N,); y: class names (N,); train: row numbers.
    """
    gaps = {column: where[train] for column, where in missing.items()}
    gaps = {column: where for column, where in gaps.items() if _LEAST <= where.sum() <= len(where) - _LEAST}
    if not gaps:
        return []
    from sklearn.feature_selection import chi2  # only here: it takes long to import

    where = np.column_stack(list(gaps.values()))
    classes = np.asarray(y, dtype=str)[train]
    # Gaps and filled cells are tested apart, and the clearer is taken: together they would be one table of two columns.
    chance = np.minimum(chi2(where, classes)[1], chi2(~where, classes)[1])
    telling = [column for column, p in zip(gaps, chance, strict=True) if p < _CHANCE]
    if not telling:
        return []
    found = f"Whether {listed(telling)} {'is' if len(telling) == 1 else 'are'} missing goes with the class."
    could = f"Add a column that says where {'it is' if len(telling) == 1 else 'each is'} missing."
    return [Finding(found, "", could, "offer", tuple(telling), "flags")]
