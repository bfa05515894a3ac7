"""canonical_hash: whether two tables contain the same data in different forms.

Mirrors of one dataset differ in the order of rows and columns, in names, and in the format of numbers. The hash ignores
these differences; it changes with a changed cell, a lost row, or a row in another class.
"""

import hashlib
from collections.abc import Iterable
from itertools import groupby

import numpy as np
import pandas as pd

__all__ = ["canonical_hash"]

_DIGITS = 6  # significant digits to which mirrors agree


def canonical_hash(frame: pd.DataFrame, target: str = "class") -> str:
    """SHA-256, in hexadecimal, of a table's content: the same whatever the order and names of columns, rows and classes.

    frame: N rows, the target column included. Numbers count to 6 significant digits, text without case, missing as empty.
    Each feature is identified by its sorted cells, each class by its sorted rows. Two features with equal sorted cells are
    not distinguished, so a swap of their cells within a row goes undetected.
    """
    cells = [_printed(frame[name]) for name in frame.columns if name != target]  # D arrays (N,)
    digests = [_digest(sorted(column)) for column in cells]
    order = sorted(range(len(cells)), key=digests.__getitem__)
    groups = [[cells[d] for d in group] for _, group in groupby(order, key=digests.__getitem__)]
    columns = [column for group in groups for column in np.sort(np.array(group), axis=0)]
    rows = np.array(["\x1f".join(row) for row in zip(*columns, strict=True)], dtype=object)
    classes = pd.Series(rows).groupby(frame[target].astype(str).to_numpy(), sort=False)
    return _digest([*(digests[d] for d in order), *sorted(_digest(sorted(group)) for _, group in classes)])


def _printed(column: pd.Series) -> np.ndarray:
    """The cells of a column as text in one canonical form, (N,)."""
    values = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(dtype=float)
    missing = column.isna().to_numpy()
    if (np.isnan(values) == missing).all():
        text = np.char.mod(f"%.{_DIGITS}g", values + 0.0)  # −0 is 0
    else:
        text = column.astype(str).str.strip().str.casefold().to_numpy(dtype=str)
    return np.where(missing, "", text)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()
