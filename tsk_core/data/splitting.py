"""Splitting: which rows train and which rows test; stratified by class, the same for the same seed."""

from typing import NamedTuple

import numpy as np

from tsk_core.data.naming import listed
from tsk_core.errors import DataError, SettingError

__all__ = ["Split", "split_rows"]


class Split(NamedTuple):
    """Two disjoint, sorted int64 index arrays that cover all rows; ``notes`` are sentences for people."""

    train: np.ndarray
    test: np.ndarray
    notes: tuple[str, ...] = ()


def split_rows(y: np.ndarray, test_size: float = 0.3, seed: int = 0) -> Split:
    """Hold out ``round(test_size * N)`` rows, each class in proportion.

    y: class names, shape (N,). test_size: share in (0, 1).
    A class always keeps a row for training, so a class with a single row is never tested (``notes`` says so).
    Raises SettingError for a share outside (0, 1); DataError when no row can be spared for the test.
    """
    if not 0 < test_size < 1:
        raise SettingError(f"test_size is {test_size}; it must be between 0 and 1.")
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
