"""Rows that a model has to guess at: most of their values are missing, or some are unlike any that training had.

A classifier gives every row a class and a probability, and the farther a row lies from the training rows, the larger the scores
that its rules extrapolate to, and so the probability.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from tsk_core.data.clean.unreadable import UnreadableCells
from tsk_core.data.encoding import Encoder
from tsk_core.data.inputs import Rows
from tsk_core.data.naming import printed, printed_column, quoted

__all__ = ["row_warnings", "with_unreadable"]

FAR = 3.0  # standard deviations of the training rows that a number lies beyond their range
NAMED = 3  # values of a row


def row_warnings(encoder: Encoder, X: Rows, left_out: frozenset[str] = frozenset()) -> np.ndarray:
    """What makes each row unlike the training rows, as text, object array (N,); "" for most rows.

    X: the features, (N, F). left_out: features that say whether another one is missing, so that they never are.

    Said are more than half of a row's values missing, numbers more than three standard deviations outside the range of the
    training rows, and categories that training did not have.
    """
    frame = encoder.aligned(X)
    reasons: list[list[str]] = [[] for _ in range(len(frame))]
    counted = [name for name in encoder.features if name not in left_out]
    missing = sum((frame[name].isna().to_numpy(bool).astype(int) for name in counted), np.zeros(len(frame), int))
    for n in np.flatnonzero(2 * missing > len(counted)):
        reasons[n].append(f"{missing[n]} of {len(counted)} values are missing")
    for name, block in encoder.blocks():
        if encoder.columns[block.start].kind == "number":
            _far(reasons, encoder, frame[name], name, block.start)
        else:
            _unseen(reasons, frame[name], name, {column.category for column in encoder.columns[block]})
    return np.array([_joined(of_row) for of_row in reasons], dtype=object)


def with_unreadable(warnings: np.ndarray, unreadable: Iterable[UnreadableCells]) -> np.ndarray:
    """The texts of ``row_warnings``, (N,), each after what the row has of these cells."""
    warnings = warnings.copy()
    for cells in unreadable:
        for n, text in zip(cells.rows, cells.texts, strict=True):
            warnings[n] = "; ".join(filter(None, (f"{cells.column} = {quoted(text)} cannot be read", warnings[n])))
    return warnings


def _far(reasons: list[list[str]], encoder: Encoder, column: pd.Series, name: str, d: int) -> None:
    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    low, high, margin = encoder.low_[d], encoder.high_[d], FAR * encoder.scale_[d]
    for n in np.flatnonzero((values < low - margin) | (values > high + margin)):
        reasons[n].append(f"{name} = {values[n]:.10g} is far outside the training rows ({low:.6g} to {high:.6g})")


def _unseen(reasons: list[list[str]], column: pd.Series, name: str, known: set[str | None]) -> None:
    words = pd.Series(printed_column(column), dtype=object)
    unseen = ~column.isna().to_numpy(bool) & ~words.isin(known).to_numpy(bool)
    for n in np.flatnonzero(unseen):
        reasons[n].append(f"{name} = {quoted(printed(words[n]))} did not occur in training")


def _joined(reasons: list[str]) -> str:
    more = f"; and {len(reasons) - NAMED} more" if len(reasons) > NAMED else ""
    return "; ".join(reasons[:NAMED]) + more
