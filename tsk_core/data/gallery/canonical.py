"""canonical_hash: whether two tables hold the same data, however each was written down.

Mirrors of one dataset differ in the order of rows and columns, in names, and in how a number is printed. None of that
counts here; a changed cell, a lost row, or a row in another class does.
"""

import hashlib
from collections.abc import Iterable
from itertools import groupby

import numpy as np
import pandas as pd

__all__ = ["canonical_hash"]

_DIGITS = 6  # significant ones; mirrors agree to that many


def canonical_hash(frame: pd.DataFrame, target: str = "class") -> str:
    """SHA-256, in hexadecimal, of a table's content: the same whatever the order and names of columns, rows and classes.

    frame: N rows, the target column included. Numbers count to 6 significant digits, text without case, gaps as empty.
    Each feature is known by its sorted cells, each class by its sorted rows. Two features with the same sorted cells are
    told apart only by the rows they stand in, which leaves one thing unseen: a swap of their cells within a row.
    """
    cells = [_printed(frame[name]) for name in frame.columns if name != target]  # D arrays (N,)
    known_by = [_digest(sorted(column)) for column in cells]
    order = sorted(range(len(cells)), key=known_by.__getitem__)
    alike = [[cells[d] for d in group] for _, group in groupby(order, key=known_by.__getitem__)]
    columns = [column for group in alike for column in np.sort(np.array(group), axis=0)]
    rows = np.array(["\x1f".join(row) for row in zip(*columns, strict=True)], dtype=object)
    classes = pd.Series(rows).groupby(frame[target].astype(str).to_numpy(), sort=False)
    return _digest([*(known_by[d] for d in order), *sorted(_digest(sorted(group)) for _, group in classes)])


def _printed(column: pd.Series) -> np.ndarray:
    """A column's cells as text in one spelling, (N,)."""
    values = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(dtype=float)
    missing = column.isna().to_numpy()
    if (np.isnan(values) == missing).all():
        text = np.char.mod(f"%.{_DIGITS}g", values + 0.0)  # −0 is 0
    else:
        text = column.astype(str).str.strip().str.casefold().to_numpy(dtype=str)
    return np.where(missing, "", text)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()
