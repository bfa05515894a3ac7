"""Folds of cross-validation, the rows that early stopping holds out, and what is done about rows that are equal."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.findings import Finding
from tsk_core.data.naming import quoted
from tsk_core.data.splitting import LEAST_TRAINED, SplitColumn, equal_rows_column, fold_of_groups, held_out_rows, split_by_column
from tsk_core.errors import DataError
from tsk_core.numbers import counted


class Fold(NamedTuple):
    """Two disjoint, sorted arrays of row numbers."""

    train: np.ndarray
    test: np.ndarray


class Folds(NamedTuple):
    """folds: for each training. title: what they are. notes: sentences about them."""

    folds: list[Fold]
    title: str
    notes: tuple[str, ...] = ()


def make_folds(y: np.ndarray, split_column: SplitColumn | None, repeats: int, n_folds: int, seed: int) -> Folds:
    """``repeats`` × ``n_folds`` folds; in each repeat, every row is tested once. y: class names, shape (N,).

    Without a split column, each fold has every class in proportion, and folds differ by at most one row. group: no group is both
    trained on and tested in a fold. time: forward chaining, see ``_by_time``. split: folds of the training rows alone.
    Raises DataError where a fold would have fewer than two training rows, or no test rows.
    """
    rows, notes = np.arange(len(y)), []
    if split_column and split_column.kind == "time":
        chained, note = _by_time(split_column, repeats * n_folds)
        title = f"Forward-chaining cross-validation ({counted(len(chained), 'split')})"
        return _checked(Folds(chained, title, (note, *_notes(chained, y))))
    if split_column and split_column.kind == "split":
        rows, column = np.flatnonzero(~split_column.values), quoted(split_column.column)
        notes.append(f"The folds are made of the {len(rows):,} training rows only, since column {column} decides the split.")
    codes, repeated = np.unique(np.asarray(y, dtype=str)[rows], return_inverse=True)[1], []
    for repeat in range(repeats):
        rng = np.random.default_rng([seed, repeat])
        if split_column and split_column.kind == "group":
            fold_of = _by_group(split_column.values, codes, n_folds, rng)
        else:
            fold_of = _by_class(codes, n_folds, rng)
        repeated += [Fold(rows[fold_of != k], rows[fold_of == k]) for k in range(n_folds)]
    return _checked(Folds(repeated, f"{repeats} × {n_folds} cross-validation", (*notes, *_notes(repeated, y))))


def folds(
    y: np.ndarray, n_folds: int, seed: int, *, groups: np.ndarray | None = None, time: np.ndarray | None = None
) -> list[Fold]:
    """One repeat of at most ``n_folds`` folds for labels y, (N,); fewer where there are fewer groups or times.

    groups: (N,) int64, as in ``Table``. time: (N,) numbers or dates, NaN or NaT where not known: forward chaining, as above.
    """
    if time is not None:
        chained, _ = _by_time(SplitColumn("time", "time", time), n_folds)
        return _checked(Folds(chained, "")).folds
    codes, rng = np.unique(y, return_inverse=True)[1], np.random.default_rng(seed)
    n_folds = n_folds if groups is None else min(n_folds, len(np.unique(groups)))
    fold_of = _by_class(codes, n_folds, rng) if groups is None else _by_group(groups, codes, n_folds, rng)
    return _checked(Folds([Fold(np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in range(n_folds)], "")).folds


def _by_class(codes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each row, (N,): the rows, shuffled and then sorted by class, are dealt out in order."""
    shuffled = rng.permutation(codes.max() + 1)[codes]  # classes too, so that no fold always gets the odd rows of a class
    fold_of = np.empty(len(codes), dtype=int)
    fold_of[np.lexsort((rng.random(len(codes)), shuffled))] = np.arange(len(codes)) % n_folds
    return fold_of


def _by_group(groups: np.ndarray, codes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each row, (N,): whole groups, their classes in proportion as far as groups allow."""
    names = np.unique(groups)
    if len(names) < n_folds:
        raise DataError(f"Cross-validation needs at least {n_folds} groups, one for each fold; the table has {len(names)}.")
    return fold_of_groups(groups, codes, n_folds, rng)


def _by_time(split_column: SplitColumn, wanted: int) -> tuple[list[Fold], str]:
    """Forward chaining: the later half of the rows in up to ``wanted`` blocks, each tested after training on all rows before it.

    Rows of the same time stay together; rows without a time are always trained on and never tested. Also a note.
    """
    known = ~pd.isna(split_column.values)
    times, counts = np.unique(split_column.values[known], return_counts=True)
    if len(times) < 2:
        raise DataError(
            f"Cross-validation in the order of time needs at least 2 different times, and {quoted(split_column.column)} has"
            f" {len(times)}; split by another column, or at random."
        )
    before = np.cumsum(counts)[:-1]  # rows earlier than each time but the first
    ideal = known.sum() * (0.5 + np.arange(wanted) / (2 * wanted))
    starts = np.unique([1 + np.abs(before - rows).argmin() for rows in ideal])
    at = np.full(len(known), -1)
    at[known] = np.searchsorted(times, split_column.values[known])
    ends = [*starts[1:], len(times)]
    chained = [
        Fold(np.flatnonzero(at < start), np.flatnonzero((at >= start) & (at < end)))
        for start, end in zip(starts, ends, strict=True)
    ]
    note = f"Each split tests later rows than it trains on, by column {quoted(split_column.column)}."
    if len(chained) < wanted:
        note += f" The column has enough different times for only {len(chained)} of the {wanted} splits asked for."
    return chained, note


def _notes(folds: list[Fold], y: np.ndarray) -> list[str]:
    """Notes where some folds lack a class."""
    classes = [(set(y[fold.train]), set(y[fold.test])) for fold in folds]
    untested, untrained = (
        sum(not inside <= outside for inside, outside in pairs) for pairs in (classes, [pair[::-1] for pair in classes])
    )
    notes = []
    if untested:
        notes.append(f"In {untested} of {len(folds)} folds a class has no test rows, and BCA leaves it out.")
    if untrained:
        notes.append(f"In {untrained} of {len(folds)} folds a class has no training rows, so its test rows are misclassified.")
    return notes


def _checked(folds: Folds) -> Folds:
    """The folds. DataError where one of them cannot be trained or tested."""
    if any(len(fold.train) < LEAST_TRAINED or not len(fold.test) for fold in folds.folds):
        raise DataError("The table has too few rows for cross-validation: each fold needs 2 training rows and 1 test row.")
    return folds


# Which training rows early stopping holds out: whole groups, the latest rows, or rows drawn at random.


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


# Rows that are equal, and what a person chose to do with them: keep all, keep them together, or drop all but one.


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
