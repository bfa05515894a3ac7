"""Splitting: which rows train and which rows test; by class, by groups, by time, or as a column says."""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.naming import listed, quoted
from tsk_core.errors import DataError, SettingError

__all__ = [
    "Partition",
    "Split",
    "partition_by_group",
    "partition_by_time",
    "partition_by_words",
    "says_train_or_test",
    "split_partition",
    "split_rows",
]

_TRAIN = frozenset({"train", "training", "trainset", "train set", "learn", "learning"})
_TEST = frozenset({"test", "testing", "testset", "test set", "holdout", "hold-out", "eval", "evaluation"})
_VALIDATION = frozenset({"validation", "val", "valid", "dev"})
_FOLDS = 20  # pieces of which the test is put together, where groups are kept whole
_MANY_GROUPS = 1000  # above this, balancing each group costs much and gains nothing


class Split(NamedTuple):
    """Two disjoint, sorted int64 index arrays that cover all rows; ``notes`` are sentences for people."""

    train: np.ndarray
    test: np.ndarray
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Partition:
    """A column that decides which rows are tested.

    kind: "group" (values: int64, equal in rows that stay together), "time" (values: float64 or datetime64, NaN or NaT where not
    known) or "split" (values: bool, True where the row is tested). values has shape (N,). said: how it was understood.
    """

    kind: str
    column: str
    values: np.ndarray
    said: str = ""


def partition_by_group(column: str, codes: np.ndarray) -> Partition:
    """Rows with equal codes stay together; a row with code -1 is a group of its own. DataError for fewer than 2 groups."""
    codes = codes.astype(np.int64)
    alone = codes < 0
    codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
    n_groups = len(np.unique(codes))
    if n_groups < 2:
        raise DataError("it has fewer than 2 groups, so none can be held out")
    gaps = f" {alone.sum():,} rows without a group count as one group each." if alone.any() else ""
    return Partition("group", column, codes, f"Its {n_groups:,} groups are kept whole: none is on both sides.{gaps}")


def partition_by_time(column: str, values: np.ndarray) -> Partition:
    """The latest rows are tested; rows without a time train. DataError where all times are the same."""
    known = values[~pd.isna(values)]
    if not len(known) or known.min() == known.max():
        raise DataError("it has fewer than 2 different times, so none is later")
    gaps = len(values) - len(known)
    said = f" {gaps:,} row{'s' if gaps > 1 else ''} without a time stay{'' if gaps > 1 else 's'} in training." if gaps else ""
    return Partition("time", column, values, f"The latest rows are tested.{said}")


def partition_by_words(column: str, codes: np.ndarray, words: pd.Series, counts: np.ndarray) -> Partition:
    """The column says which rows are tested: words such as "train" and "test", or any two values, the rarer of which tests.

    Rows without a word train. Raises DataError where it cannot be understood, or where one side would be empty.
    """
    sides = words.str.casefold()
    spoken = sides.isin(_TRAIN | _TEST | _VALIDATION).all()
    if not spoken and len(words) != 2:
        raise DataError(f"its values, such as {listed(words, 3)}, are not two, nor words such as 'train' and 'test'")
    if spoken:
        tested = sides.isin(_TEST if sides.isin(_TEST).any() else _VALIDATION).to_numpy(bool)
    else:
        tested = np.arange(2) == np.argmin(counts)
    if tested.all() or not tested.any():
        raise DataError(f"all its rows are of {listed(words, 3)}, so one side of the split is empty")
    smaller = "" if spoken else ", the smaller part,"
    said = f"Rows of {listed(words[tested])}{smaller} are tested, rows of {listed(words[~tested])} train."
    if spoken and (sides.isin(_VALIDATION).to_numpy(bool) & ~tested).any():
        said = said[:-1] + ", the validation rows too."
    if (gaps := int((codes < 0).sum())) > 0:
        said += f" {gaps:,} row{'s' if gaps > 1 else ''} without a word train{'' if gaps > 1 else 's'}."
    return Partition("split", column, np.append(tested, False)[codes], said)


def says_train_or_test(words: pd.Series) -> bool:
    """Whether a column has no other words than "train", "test" and the like, and both of these."""
    sides = words.str.casefold()
    return len(words) <= 5 and bool(
        sides.isin(_TRAIN | _TEST | _VALIDATION).all() and sides.isin(_TRAIN).any() and not sides.isin(_TRAIN).all()
    )


def split_partition(partition: Partition, y: np.ndarray, test_size: float = 0.3, seed: int = 0) -> Split:
    """Hold out rows as the partition says; arguments and errors as for ``split_rows``.

    group: about the share, classes in proportion as far as whole groups allow. time: about the share, the latest rows, rows of
    the same time on the same side. split: as the column says; ``test_size`` and ``seed`` are not used.
    """
    _check_share(test_size)
    if partition.kind == "group":
        tested, note = (
            _by_group(partition.values, y, test_size, seed),
            f"No value of {quoted(partition.column)} is on both sides.",
        )
    elif partition.kind == "time":
        tested, note = _by_time(partition, test_size)
    else:
        tested, note = partition.values, partition.said
    if tested.all() or not tested.any():
        side = "tested" if tested.all() else "trained on"
        raise DataError(f"By column {quoted(partition.column)} all rows would be {side}; choose another column to split by.")
    return Split(np.flatnonzero(~tested), np.flatnonzero(tested), (note, *_untrained(y, tested)))


def _by_group(groups: np.ndarray, y: np.ndarray, test_size: float, seed: int) -> np.ndarray:
    """Whole groups whose rows come nearest to the share, bool (N,)."""
    from sklearn.model_selection import GroupShuffleSplit, StratifiedGroupKFold  # only here: it takes long to import

    n_groups = len(np.unique(groups))
    if n_groups < 2:
        raise DataError("All rows are of one group, so none can be held out; choose another column to split by.")
    tested = np.zeros(len(y), dtype=bool)
    if n_groups > _MANY_GROUPS:
        _, test = next(GroupShuffleSplit(1, test_size=test_size, random_state=seed).split(y, groups=groups))
        tested[test] = True
        return tested
    codes = np.unique(np.asarray(y, dtype=str), return_inverse=True)[1]
    n_folds = int(min(_FOLDS, n_groups, np.bincount(codes).max()))
    if n_folds < 2:  # every class has a single row
        return groups == groups[np.random.default_rng(seed).integers(len(groups))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class has fewer rows than there are folds
        folds = [test for _, test in StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed).split(y, codes, groups)]
    return _nearest(folds, tested, test_size * len(y))


def _nearest(folds: list[np.ndarray], tested: np.ndarray, wanted: float) -> np.ndarray:
    """Fold after fold as long as that brings the number of tested rows nearer to ``wanted``; one at least, never all."""
    folds = [fold for fold in folds if len(fold)]
    left = len(folds) - 1
    for fold in folds:
        have = tested.sum()
        if left and abs(have + len(fold) - wanted) < abs(have - wanted):
            tested[fold] = True
            left -= 1
    if not tested.any():
        tested[min(folds, key=len)] = True
    return tested


def _by_time(partition: Partition, test_size: float) -> tuple[np.ndarray, str]:
    """The latest rows, cut between two different times where that is nearest to the share."""
    values = partition.values
    known = ~pd.isna(values)
    times, counts = np.unique(values[known], return_counts=True)
    if len(times) < 2:
        raise DataError(
            f"Column {quoted(partition.column)} has a single time, so no row is later; choose another column to split by."
        )
    later = np.cumsum(counts[::-1])[::-1][1:]  # rows from each time but the first on
    cut = times[1:][np.argmin(np.abs(later - test_size * len(values)))]
    said = str(cut.astype("datetime64[s]")).replace("T00:00:00", "").replace("T", " ") if times.dtype.kind == "M" else f"{cut:g}"
    return known & (values >= cut), f"The test rows are the latest: {quoted(partition.column)} from {said} on."


def _untrained(y: np.ndarray, tested: np.ndarray) -> tuple[str, ...]:
    """A note where classes have no row on one side."""
    y = np.asarray(y, dtype=str)
    train, test = set(y[~tested]), set(y[tested])
    notes = []
    if only := sorted(test - train):
        notes.append(f"Only test rows have the class {listed(only)}: it cannot be learned." if len(only) == 1 else
                     f"Only test rows have the classes {listed(only)}: they cannot be learned.")  # fmt: skip
    if only := sorted(train - test):
        notes.append(f"No test row has the class {listed(only)}: the test says nothing about it." if len(only) == 1 else
                     f"No test row has the classes {listed(only)}: the test says nothing about them.")  # fmt: skip
    return tuple(notes)


def split_rows(y: np.ndarray, test_size: float = 0.3, seed: int = 0) -> Split:
    """Hold out ``round(test_size * N)`` rows, each class in proportion.

    y: class names, shape (N,). test_size: share in (0, 1).
    A class always keeps a row for training, so a class with a single row is never tested (``notes`` says so).
    Raises SettingError for a share outside (0, 1); DataError when no row can be spared for the test.
    """
    _check_share(test_size)
    classes, codes, counts = np.unique(np.asarray(y, dtype=str), return_inverse=True, return_counts=True)
    rng = np.random.default_rng(seed)
    share = _test_counts(counts, test_size, rng)
    if not share.sum():
        raise DataError("Every class has a single row, so none can be held out for the test; add rows.")
    held = [rng.permutation(np.flatnonzero(codes == k))[:n] for k, n in enumerate(share)]
    test = np.sort(np.concatenate(held))
    train = np.setdiff1d(np.arange(len(codes)), test)
    single = classes[counts == 1]
    notes = (
        ()
        if not len(single)
        else (
            f"Class {listed(single)} has a single row, which stays in training: the test says nothing about it."
            if len(single) == 1
            else f"Classes {listed(single)} have a single row each, which stays in training: the test says nothing about them.",
        )
    )
    return Split(train, test, notes)


def _check_share(test_size: float) -> None:
    if not 0 < test_size < 1:
        raise SettingError(f"test_size is {test_size}; it must be between 0 and 1.")


def _test_counts(counts: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """Test rows of each class, by largest remainder; at most all rows of a class but one."""
    room = counts - 1
    exact = counts * test_size
    taken = np.minimum(np.floor(exact).astype(int), room)
    wanted = min(max(1, round(counts.sum() * test_size)), room.sum())
    while taken.sum() < wanted:
        # Ties are drawn, or the alphabet's first classes would always be tested more.
        behind = np.where(taken < room, exact - taken, -np.inf)
        taken[rng.choice(np.flatnonzero(behind == behind.max()))] += 1
    return taken
