"""Which training rows early stopping holds out: whole groups, the latest rows, or rows drawn at random."""

import numpy as np

from tsk_core.data.splitting import LEAST_TRAINED, SplitColumn, held_out_rows, split_by_column
from tsk_core.errors import DataError

__all__ = ["hold_out"]


def hold_out(
    rows: np.ndarray,
    share: float,
    rng: np.random.Generator,
    y: np.ndarray,
    groups: np.ndarray | None = None,
    time: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Part training rows into (rows to train on, rows held out), about ``share`` of them held out.

    rows: numbers of rows. y, groups, time: of all rows of the table. Each group is on one side only; of a table with ``time`` the
    latest rows are held out, whatever ``rng``. A row that is there several times is on one side.
    Raises DataError where that leaves a side without enough rows.
    """
    distinct = len(np.unique(rows))
    if distinct <= LEAST_TRAINED:
        needed = LEAST_TRAINED + 1
        raise DataError(f"Early stopping needs at least {needed} training rows, got {distinct}; switch it off or add rows.")
    if time is not None:
        trained, held_out = _parted(SplitColumn("time", "time", time[rows]), y, rows, share, rng)
    elif groups is not None or distinct < len(rows):
        together = rows if groups is None else groups[rows]
        trained, held_out = _parted(SplitColumn("group", "group", together), y, rows, share, rng)
    else:
        size = held_out_rows(len(rows), share)
        shuffled = rng.permutation(rows)
        trained, held_out = shuffled[size:], shuffled[:size]
    if len(trained) < LEAST_TRAINED:
        raise DataError(f"Early stopping would train on {len(trained)} row; switch it off or lower validation_fraction.")
    return trained, held_out


def _parted(
    split_column: SplitColumn, y: np.ndarray, rows: np.ndarray, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Hold out rows as the split holds out its test rows."""
    known, kind = split_column.values[~np.isnan(split_column.values)], split_column.kind
    if not len(known) or known.min() == known.max():
        raise DataError(f"Early stopping holds out rows by {kind}, but all training rows have the same {kind}; switch it off.")
    parts = split_by_column(split_column, y[rows], share, int(rng.integers(2**31)))
    return rows[parts.train], rows[parts.test]
