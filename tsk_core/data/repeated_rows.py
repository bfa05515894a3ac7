"""Rows that are equal, and what a person chose to do with them: keep all, keep them together, or drop all but one."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from tsk_core.data.finding import Finding
from tsk_core.data.naming import quoted
from tsk_core.data.splitting import SplitColumn, equal_rows_column
from tsk_core.numbers import counted

__all__ = ["REPEATED_ROWS", "SettledRows", "equal_rows", "settle_repeated"]

REPEATED_ROWS = "repeated rows"  # the check of these findings


@dataclass(frozen=True, eq=False)
class SettledRows:
    """kept: bool (N,), whether each row stays in the table. split_column: of the rows that stay. findings: what was done."""

    kept: np.ndarray
    split_column: SplitColumn | None
    findings: tuple[Finding, ...] = ()


def equal_rows(frame: pd.DataFrame) -> np.ndarray:
    """Codes from 0, equal for rows of a table, (N, columns), whose cells are all equal, missing ones included. int64 (N,)"""
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in frame.columns:
        of_column = pd.factorize(frame[name], use_na_sentinel=False)[0].astype(np.int64)
        codes = pd.factorize(codes * (of_column.max(initial=0) + 1) + of_column)[0].astype(np.int64)
    return codes


def settle_repeated(frame: pd.DataFrame, target: str, choice: str, split_column: SplitColumn | None) -> SettledRows:
    """What becomes of the equal rows of a cleaned table. choice: as ``Choices.repeated``.

    "together" is for random splits; with a split column nothing changes, and a finding says so.
    """
    everything = SettledRows(np.ones(len(frame), dtype=bool), split_column)
    if choice == "keep":
        return everything
    codes = equal_rows(frame.drop(columns=target) if choice == "together" else frame)
    kept = ~pd.Series(codes).duplicated().to_numpy()
    repeated = int((~kept).sum())
    if not repeated:
        return everything
    rows = counted(repeated, "row equals an earlier one", "rows equal an earlier one")
    if choice == "drop":
        column = split_column and replace(split_column, values=split_column.values[kept])
        return SettledRows(kept, column, (_finding(f"{rows} in features and class.", "Dropped, as you chose.", "repaired"),))
    fact = f"{rows} in all features."
    if split_column:
        done = f"Not kept together, since column {quoted(split_column.column)} decides the split."
        return replace(everything, findings=(_finding(fact, done, "note"),))
    done = "Equal rows are on one side of the split, as you chose."
    return replace(everything, split_column=equal_rows_column(codes), findings=(_finding(fact, done, "note"),))


def _finding(fact: str, done: str, kind: str) -> Finding:
    return Finding(fact, done, kind=kind, choice="repeated", check=REPEATED_ROWS)
