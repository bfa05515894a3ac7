"""Splitting: which rows are for training and which for the test; by class, by groups, by time, or by a column."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.naming import listed, quoted
from tsk_core.errors import DataError, SettingError
from tsk_core.numbers import clock_text, counted, rounded_text

# Whole groups dealt out to the parts of a table, a test set or folds: classes in proportion as far as whole groups allow.
#
# A class with two groups or more has one on each side of a split; a class with a single one is trained on.


_MANY = 1000  # groups; above this, balancing each gains nothing
_DRAWS = 5  # of which the one with the best balance is taken: more would let the seed decide less


def groups_to_test(groups: np.ndarray, codes: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """Whole groups that hold about the share of the rows, bool (N,). groups: (N,), at least two. codes: the class of each row."""
    if _are_many(groups):
        return _test_of_many(groups, codes, test_size, rng)
    return _balanced(groups, codes, [1 - test_size, test_size], rng) == 1


def fold_of_groups(groups: np.ndarray, codes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each row, (N,), from 0; arguments as for ``groups_to_test``, with at least as many groups as folds."""
    if _are_many(groups):
        return _order(groups, codes, rng)[0] % n_folds
    return _balanced(groups, codes, [1 / n_folds] * n_folds, rng)


def _are_many(groups: np.ndarray) -> bool:
    n_groups = len(np.unique(groups))
    return n_groups > _MANY or 2 * n_groups > len(groups)


def _balanced(groups: np.ndarray, codes: np.ndarray, shares: Sequence[float], rng: np.random.Generator) -> np.ndarray:
    """The part of each row, (N,): of a few random deals the one whose parts come closest to their share of each class."""
    index = np.unique(groups, return_inverse=True)[1]
    n_groups, n_classes = index.max() + 1, codes.max() + 1
    counts = np.bincount(index * n_classes + codes, minlength=n_groups * n_classes).reshape(n_groups, n_classes)
    wanted = np.outer(shares, counts.sum(0))
    deals = [_dealt(counts, wanted, rng) for _ in range(_DRAWS)]
    best: np.ndarray = min(deals, key=lambda part: _imbalance(part, counts, wanted))
    return best[index]


def _dealt(counts: np.ndarray, wanted: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The part of each group: in random order, each goes where it brings the classes closest to what is wanted.

    counts: (groups, C) rows. wanted: (parts, C). Groups with more rows than the smallest part wants come first, or a part could
    get one of them as its last. No part stays empty, and none without a class of which there are groups enough.
    """
    sizes, n_parts = counts.sum(1), len(wanted)
    part, lacking = np.full(len(counts), -1), wanted.astype(float)
    has = np.zeros(wanted.shape, bool)  # whether a part has a group of a class
    left = (counts > 0).sum(0)  # groups of each class that are not dealt yet
    shuffled = rng.permutation(len(counts))
    order = shuffled[np.argsort(sizes[shuffled] <= wanted.sum(1).min(), kind="stable")]
    for n_left, group in zip(range(len(order), 0, -1), order, strict=True):
        own, empty = counts[group] > 0, ~has.any(1)
        last = own & (left <= (~has).sum(0))  # classes that have no more groups than parts lack one
        closer = (np.abs(lacking) - np.abs(lacking - counts[group])).sum(1)
        needs = empty & (n_left <= empty.sum()), (last & ~has).sum(1), closer, rng.random(n_parts)
        most = int(np.lexsort(needs[::-1])[-1])
        part[group] = most
        lacking[most] -= counts[group]
        left -= own
        has[most] |= own
    return part


def _imbalance(part: np.ndarray, counts: np.ndarray, wanted: np.ndarray) -> float:
    """Rows that would have to move for each part to have its share of each class. counts: (groups, C). wanted: (parts, C)."""
    have = np.zeros(wanted.shape)
    np.add.at(have, part, counts)
    return float(np.abs(have - wanted).sum())


def _order(groups: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """An order in which groups may be dealt out, so that each hand has classes and sizes of groups in proportion.

    Returns the place of each row's group in that order, (N,), and the class that most rows of a group have by place, (groups,).
    """
    index = np.unique(groups, return_inverse=True)[1]
    sizes, n_classes = np.bincount(index), codes.max() + 1
    classes = np.bincount(index * n_classes + codes, minlength=len(sizes) * n_classes).reshape(-1, n_classes).argmax(1)
    classes = rng.permutation(n_classes)[classes]  # so that no hand always gets the odd groups of a class
    order = np.lexsort((rng.random(len(sizes)), -sizes, classes))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[index], classes[order]


def _test_of_many(groups: np.ndarray, codes: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """About the share of the groups of each class and size, evenly spaced in the order of dealing; every class keeps a group."""
    place, classes = _order(groups, codes, rng)
    steps = np.floor(np.arange(len(classes) + 1) * test_size + rng.random())
    tested = np.diff(steps) > 0
    for label in np.unique(classes):
        of_class = np.flatnonzero(classes == label)
        if tested[of_class].all():
            tested[rng.choice(of_class)] = False
    if not tested.any():
        several = np.flatnonzero(np.bincount(classes)[classes] > 1)
        tested[rng.choice(several if len(several) else len(classes))] = True
    return tested[place]


# Some of many rows: drawn at random, or block after block, so that arrays of them fit into memory.


def drawn_rows(rows: np.ndarray, most: int, random: int | np.random.Generator) -> np.ndarray:
    """The rows as they are, or ``most`` of more, drawn at random and in the order drawn. random: a generator, or its seed."""
    return rows if len(rows) <= most else np.random.default_rng(random).choice(rows, most, replace=False)


def drawn_rows_per_class(codes: np.ndarray, counts: Iterable[int], random: np.random.Generator) -> np.ndarray:
    """Row numbers, rising: so many of each class, drawn at random; all of a class that has fewer. codes: (N,). counts: (C,)."""
    return np.sort(np.concatenate([random.permutation(np.flatnonzero(codes == k))[:n] for k, n in enumerate(counts)]))


def row_blocks(n_rows: int, numbers_per_row: int, most: int) -> Iterator[slice]:
    """Slices of all rows, one after another, each of at most ``most`` numbers, or of one row."""
    size = max(1, most // numbers_per_row)
    return (slice(start, start + size) for start in range(0, n_rows, size))


_TRAIN = frozenset({"train", "training", "trainset", "train set", "learn", "learning"})
_TEST = frozenset({"test", "testing", "testset", "test set", "holdout", "hold-out", "eval", "evaluation"})
_VALIDATION = frozenset({"validation", "val", "valid", "dev"})
LEAST_TRAINED = 2  # rows: batch statistics need two
EQUAL_ROWS = "equal rows"  # instead of a column, where groups are rows equal in all features


def held_out_rows(rows: int, share: float) -> int:
    """How many of more than ``LEAST_TRAINED`` training rows are held out for validation: at least one."""
    return min(max(1, round(share * rows)), rows - LEAST_TRAINED)


class Split(NamedTuple):
    """Two disjoint, sorted int64 index arrays that cover all rows; ``notes`` are sentences about it."""

    train: np.ndarray
    test: np.ndarray
    notes: tuple[str, ...] = ()


class ValidatedSplit(NamedTuple):
    """Disjoint, sorted int64 index arrays. validation: rows that are measured at each epoch and not trained on."""

    train: np.ndarray
    test: np.ndarray
    validation: np.ndarray


@dataclass(frozen=True, eq=False)
class SplitColumn:
    """A column that decides which rows are tested.

    kind: "group" (values: int64, equal in rows that stay together), "time" (values: float64 or datetime64, NaN or NaT if
    unknown) or "split" (values: bool, True for test rows). values has shape (N,). note: how the column is used.
    """

    kind: str
    column: str
    values: np.ndarray
    note: str = ""


def group_column(column: str, codes: np.ndarray) -> SplitColumn:
    """Rows with equal codes stay together; a row with code -1 is a group of its own. DataError for fewer than 2 groups."""
    codes = codes.astype(np.int64)
    alone = codes < 0
    codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
    n_groups = len(np.unique(codes))
    if n_groups < 2:
        raise DataError("it has fewer than 2 groups, so none can be held out")
    missing = f" {alone.sum():,} rows without a group count as one group each." if alone.any() else ""
    return SplitColumn(
        "group", column, codes, f"Its {n_groups:,} groups are kept whole: none is in both training and test.{missing}"
    )


def equal_rows_column(codes: np.ndarray) -> SplitColumn:
    """Rows with equal codes, which are equal in all features, stay together."""
    return SplitColumn("group", EQUAL_ROWS, codes, "Equal rows are kept together: none is in both training and test.")


def time_column(column: str, values: np.ndarray) -> SplitColumn:
    """The latest rows are tested; rows without a time are training rows. DataError if all times are equal."""
    known = values[~pd.isna(values)]
    if not len(known) or known.min() == known.max():
        raise DataError("it has fewer than 2 different times, so none is later")
    missing = len(values) - len(known)
    stay = counted(missing, "row without a time stays", "rows without a time stay")
    note = f" {stay} in training." if missing else ""
    return SplitColumn("time", column, values, f"The latest rows are tested.{note}")


def train_test_column(column: str, codes: np.ndarray, words: pd.Series, counts: np.ndarray) -> SplitColumn:
    """Test rows by words such as "train" and "test", or by the rarer of any two values.

    Rows without a word are training rows. Raises DataError for other columns, or if training or test would be empty.
    """
    sides = words.str.casefold()
    known = sides.isin(_TRAIN | _TEST | _VALIDATION).all()
    if not known and len(words) != 2:
        raise DataError(f"its values, such as {listed(words, 3)}, are neither exactly two nor words such as 'train' and 'test'")
    if known:
        tested = sides.isin(_TEST if sides.isin(_TEST).any() else _VALIDATION).to_numpy(bool)
    else:
        tested = np.arange(2) == np.argmin(counts)
    if tested.all() or not tested.any():
        raise DataError(f"all its rows have {listed(words, 3)}, so training or test is empty")
    smaller = "" if known else ", the smaller part,"
    note = f"Rows with {listed(words[tested])}{smaller} are test rows; rows with {listed(words[~tested])} are training rows."
    if known and (sides.isin(_VALIDATION).to_numpy(bool) & ~tested).any():
        note = note[:-1] + ", including the validation rows."
    if (missing := int((codes < 0).sum())) > 0:
        note += (
            f" {missing:,} rows without a value are training rows."
            if missing > 1
            else " 1 row without a value is a training row."
        )
    return SplitColumn("split", column, np.append(tested, False)[codes], note)


def names_train_or_test(words: pd.Series) -> bool:
    """Whether all words of a column are "train", "test" and the like, with both sides present."""
    sides = words.str.casefold()
    return len(words) <= 5 and bool(
        sides.isin(_TRAIN | _TEST | _VALIDATION).all() and sides.isin(_TRAIN).any() and not sides.isin(_TRAIN).all()
    )


def split_by_column(split_column: SplitColumn, y: np.ndarray, test_size: float = 0.3, seed: int = 0) -> Split:
    """Hold out rows by the split_column; arguments and errors as for ``split_rows``.

    group: about the share, classes in proportion as far as whole groups allow. time: about the share, the latest rows; rows of
    the same time stay together. split: by the column; ``test_size`` and ``seed`` are not used.
    """
    _check_share(test_size)
    if split_column.kind == "group":
        tested = _by_group(split_column.values, y, test_size, seed)
        if split_column.column == EQUAL_ROWS:
            note = split_column.note
        else:
            note = f"No value of {quoted(split_column.column)} is in both training and test."
    elif split_column.kind == "time":
        tested, note = _by_time(split_column, test_size)
    else:
        tested, note = split_column.values, split_column.note
    if tested.all() or not tested.any():
        side = "test" if tested.all() else "training"
        raise DataError(
            f"By column {quoted(split_column.column)}, all rows would be {side} rows; choose another column to split by."
        )
    return Split(np.flatnonzero(~tested), np.flatnonzero(tested), (note, *_untrained(y, tested)))


def _by_group(groups: np.ndarray, y: np.ndarray, test_size: float, seed: int) -> np.ndarray:
    """Whole groups with about the share of the rows, bool (N,)."""
    if len(np.unique(groups)) < 2:
        raise DataError("All rows belong to one group, so none can be held out; choose another column to split by.")
    codes = np.unique(np.asarray(y, dtype=str), return_inverse=True)[1]
    return groups_to_test(groups, codes, test_size, np.random.default_rng(seed))


def _by_time(split_column: SplitColumn, test_size: float) -> tuple[np.ndarray, str]:
    """The latest rows, cut between the two different times that come closest to the share."""
    values = split_column.values
    known = ~pd.isna(values)
    times, counts = np.unique(values[known], return_counts=True)
    if len(times) < 2:
        raise DataError(
            f"Column {quoted(split_column.column)} has a single time, so no row is later; choose another column to split by."
        )
    later = np.cumsum(counts[::-1])[::-1][1:]  # rows from each time but the first on
    cut = times[1:][np.argmin(np.abs(later - test_size * len(values)))]
    return known & (values >= cut), f"The test rows are the latest: {quoted(split_column.column)} from {_moment(cut)} on."


def _moment(cut: Any) -> str:
    """A value of a time column: a day, with its time where it has one, a time of day, or a number."""
    if isinstance(cut, np.datetime64):
        return str(cut.astype("datetime64[s]")).replace("T00:00:00", "").replace("T", " ")
    if isinstance(cut, np.timedelta64):
        minutes, seconds = divmod(int(cut.astype("timedelta64[s]").astype(int)), 60)
        return clock_text(minutes) + (f":{seconds:02d}" if seconds else "")
    return rounded_text(float(cut), 15)


def _untrained(y: np.ndarray, tested: np.ndarray) -> tuple[str, ...]:
    """Notes about classes without a training or test row."""
    y = np.asarray(y, dtype=str)
    train, test = set(y[~tested]), set(y[tested])
    notes = []
    if only := sorted(test - train):
        notes.append(f"Only test rows have the class {listed(only)}: it cannot be learned." if len(only) == 1 else
                     f"Only test rows have the classes {listed(only)}: they cannot be learned.")  # fmt: skip
    if only := sorted(train - test):
        notes.append(f"No test row has the class {listed(only)}: it is not tested." if len(only) == 1 else
                     f"No test row has the classes {listed(only)}: they are not tested.")  # fmt: skip
    return tuple(notes)


def has_one_split(split_column: SplitColumn | None) -> bool:
    """Whether the same rows are tested whatever the seed."""
    return split_column is not None and split_column.kind != "group"


def test_per_train(split_column: SplitColumn | None, train: np.ndarray, test: np.ndarray) -> float:
    """n_test/n_train, by which intervals over splits are corrected: of groups where whole groups are tested, else of rows.

    train, test: row numbers.
    """
    if split_column is not None and split_column.kind == "group":
        train, test = (np.unique(split_column.values[rows]) for rows in (train, test))
    return len(test) / len(train)


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
    test = drawn_rows_per_class(codes, share, rng)
    train = np.setdiff1d(np.arange(len(codes)), test)
    single = classes[counts == 1]
    if not len(single):
        return Split(train, test)
    which, have = ("Class", "has a single row") if len(single) == 1 else ("Classes", "have a single row each")
    return Split(train, test, (f"{which} {listed(single)} {have}, which stays in training and is not tested.",))


def _check_share(test_size: float) -> None:
    if not 0 < test_size < 1:
        raise SettingError(f"test_size is {test_size}; it must be between 0 and 1.")


def _test_counts(counts: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """Test rows of each class, by largest remainder; at most all rows of a class but one."""
    available = counts - 1
    exact = counts * test_size
    tested = np.minimum(np.floor(exact).astype(int), available)
    wanted = min(max(1, round(counts.sum() * test_size)), available.sum())
    while tested.sum() < wanted:
        # Ties are drawn at random; otherwise the first classes of the alphabet would always be tested more.
        deficit = np.where(tested < available, exact - tested, -np.inf)
        tested[rng.choice(np.flatnonzero(deficit == deficit.max()))] += 1
    return tested
