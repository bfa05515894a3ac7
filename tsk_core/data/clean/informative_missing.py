"""Columns whose missing values are associated with the class."""

from collections.abc import Mapping

import numpy as np

from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import listed

__all__ = ["informative_missing"]

_LEAST = 5  # missing cells, and filled cells
_P_VALUE = 0.01  # largest p-value


def informative_missing(missing: Mapping[str, np.ndarray], y: np.ndarray, train: np.ndarray) -> list[Finding]:
    """One finding that names the columns whose missing values depend on the class (chi-square test on training rows), or none.

    missing: column -> bool (N,); y: class names (N,); train: row numbers.
    """
    tested = {column: where[train] for column, where in missing.items()}
    tested = {column: where for column, where in tested.items() if _LEAST <= where.sum() <= len(where) - _LEAST}
    if not tested:
        return []
    from sklearn.feature_selection import chi2  # imported here: the import is slow

    where = np.column_stack(list(tested.values()))
    classes = np.asarray(y, dtype=str)[train]
    # Missing and filled cells are tested separately, and the smaller p-value counts: chi2 tests one column of counts at a time.
    p_values = np.minimum(chi2(where, classes)[1], chi2(~where, classes)[1])
    informative = [column for column, p in zip(tested, p_values, strict=True) if p < _P_VALUE]
    if not informative:
        return []
    fact = f"Missing values of {listed(informative)} depend on the class."
    several = len(informative) > 1
    remedy = Remedy("Mark them in columns of their own" if several else "Mark them in a column", {"flags": tuple(informative)})
    advice = f"Add a column that marks them{', one for each' if several else ''}."
    return [Finding(fact, "", advice, "offer", tuple(informative), "flags", remedy=remedy)]
