"""Numbers that stand apart at an end of their column, as codes for missing values do."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tsk_core.data.naming import printed

__all__ = ["Apart", "codes_apart", "far_ends", "is_far", "is_usual_code", "zeros_apart"]

# Nines (9, −99, 99.9), 77 and 88 of surveys, 0, −1, and the limits of integers.
_USUAL = re.compile(r"-?9+(?:\.9+)?|-?(?:77+|88+)|0|-1|-999\.25|-?32768|-?2147483648|32767|65535|2147483647")
_BESIDE = re.compile(r"-?9*[78]|-[2-6]")  # a code only nearer to the others than a usual one: 97, 98, 99
_LEAST, _LEAST_SHORT = 2, 3  # cells with a code, and with one of a single digit
_CONTINUOUS = 10  # different numbers besides 0, for 0 to be a code
_MOST_ZEROS = 1 / 3  # of the cells; where more are 0, that is likelier a number, as of damage where nothing happened
_OF_MIDDLE = 1 / 3  # least empty stretch beside a code, in interquartile ranges of the others
_SHOWN = 100  # numbers of which the last digit is looked at
_MANY_TIMES = 3  # cells with a far value that other columns have, too
_OFTEN = 5  # times as many cells with it as with any number of the nearer half
_EVEN, _FAR = 3, 5  # different numbers of an even scale, and of how many of its lengths a far value is away
_SIGN = -7  # a code from here down needs no stretch where all other numbers are at least 0


class Apart(NamedTuple):
    """A number that is likely a code. low, high: the range of the numbers that are none."""

    value: float
    low: float
    high: float


class _End(NamedTuple):
    """The different numbers of a column and how often each occurs, from one end; ``stop``: where the codes of the other begin."""

    distinct: np.ndarray
    counts: np.ndarray
    run: int
    stop: int


def codes_apart(values: np.ndarray, usual: Callable[[float], bool]) -> list[Apart]:
    """The likely codes among numbers (N,), NaN for missing values.

    One is usual as a code, the smallest or largest number (or beside such a code), and occurs several times. The stretch to the
    other numbers is at least a third of their interquartile range, and twice any between neighbours in their nearer half.
    usual: which numbers are usual as codes.
    """
    if not len(values) or not (usual(np.fmin.reduce(values)) or usual(np.fmax.reduce(values))):
        return []
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    low = _run(distinct, counts, usual)
    high = _run(distinct[::-1], counts[::-1], usual)
    if low + high + 2 > len(distinct):
        return []
    ends = _End(distinct, counts, low, len(distinct) - high), _End(distinct[::-1], counts[::-1], high, len(distinct) - low)
    taken = [_codes_at(end) for end in ends]
    first, last = distinct[taken[0]], distinct[len(distinct) - 1 - taken[1]]
    places = (*range(taken[0]), *range(len(distinct) - taken[1], len(distinct)))
    found = [float(distinct[place]) for place in places if counts[place] >= _least(distinct[place])]
    return [Apart(value, float(first), float(last)) for value in found]


def is_usual_code(value: float) -> bool:
    """Whether people use a number as a code."""
    return _USUAL.fullmatch(printed(value)) is not None


def _is_beside(value: float) -> bool:
    return _BESIDE.fullmatch(printed(value)) is not None


def _run(distinct: np.ndarray, counts: np.ndarray, usual: Callable[[float], bool]) -> int:
    """How many numbers in a row may be codes, from the first."""
    if not usual(distinct[0]) or counts[0] < _least(distinct[0]):
        return 0
    few = len(distinct) <= _CONTINUOUS
    others = (k for k, value in enumerate(distinct) if not (usual(value) or _is_beside(value)) or (value == 0 and few))
    return next(others, len(distinct))


def _least(value: float) -> int:
    return _LEAST_SHORT if abs(value) < 10 else _LEAST


def _codes_at(end: _End) -> int:
    """How many of the first numbers are codes."""
    return next((k for k in range(end.run, 0, -1) if _is_code(end, k)), 0)


def _is_code(end: _End, k: int) -> bool:
    """Whether the k-th number, and so all before it, stands apart from those after it."""
    code, count = end.distinct[k - 1], end.counts[k - 1]
    others, counts = end.distinct[k : end.stop], end.counts[k : end.stop]
    if count < _least(code) or (code > 0 and _is_thin(count, counts, code, others)):
        return False
    if code == 0 and count > _MOST_ZEROS * (count + counts.sum()):
        return False
    if code <= _SIGN and min(others[0], others[-1]) >= 0:
        return True
    gap, cells = abs(others[0] - code), np.cumsum(counts)
    quarter, half, three = np.searchsorted(cells, cells[-1] * np.array([0.25, 0.5, 0.75]))
    middle = abs(others[three] - others[quarter]) or abs(others[-1] - others[0])
    apart = gap >= 2 * np.abs(np.diff(others[: half + 2])).max()
    if code == -1 and others[0] >= 0 and len(others) >= _CONTINUOUS:
        return bool(apart or count >= 2 * counts[: half + 1].max())
    return bool(apart and gap >= middle * _OF_MIDDLE)


def _is_thin(count: int, counts: np.ndarray, code: float, others: np.ndarray) -> bool:
    """Whether a positive code may be the last number of a tail, or one of prices such as 49, 99 and 199."""
    if abs(code) < 10 and count <= counts[0] < counts.mean() / 2:
        return True
    return bool(np.mean([printed(value).endswith("9") for value in others[:_SHOWN].tolist()]) > 0.5)


def far_ends(values: np.ndarray) -> list[float]:
    """The smallest and the largest number, each but 0 if it occurs several times. values: (N,), NaN for missing values."""
    if not len(values) or np.isnan(low := np.fmin.reduce(values)) or low == (high := np.fmax.reduce(values)):
        return []
    return [float(end) for end in (low, high) if end != 0 and (values == end).sum() >= _MANY_TIMES]


def is_far(values: np.ndarray, code: float) -> bool:
    """Whether a number at an end of numbers (N,) is so far from the others that it is a code if other columns have it there, too.

    The others differ as measurements do, and it stands apart as ``codes_apart`` asks of usual codes, or a third of their
    interquartile range away and far more often than any of the nearer half; or they are an even scale, such as 1 to 5, and it is
    several of their lengths away.
    """
    others, counts = np.unique(values[~np.isnan(values) & (values != code)], return_counts=True)
    if len(others) < _EVEN or others[0] < code < others[-1]:
        return False
    if code > others[-1]:
        others, counts = others[::-1], counts[::-1]
    gap = abs(others[0] - code)
    if len(others) <= _CONTINUOUS:
        steps = np.abs(np.diff(others))
        return bool(steps.max() == steps.min() and gap >= _FAR * abs(others[-1] - others[0]))
    if any(found.value == code for found in codes_apart(values, lambda value: value == code)):
        return True
    cells = np.cumsum(counts)
    quarter, half, three = np.searchsorted(cells, cells[-1] * np.array([0.25, 0.5, 0.75]))
    often = (values == code).sum() >= _OFTEN * counts[: half + 1].max()
    return bool(often and gap >= _OF_MIDDLE * abs(others[three] - others[quarter]) > 0)


def zeros_apart(values: np.ndarray) -> Apart | None:
    """The zero of numbers (N,) without negative ones, where the empty stretch above it is twice any in their lowest twentieth.

    That is too little to tell a code; see ``codes.py`` for what else is needed.
    """
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(distinct) <= _CONTINUOUS or distinct[0] != 0 or not _LEAST_SHORT <= counts[0] <= counts[1:].sum():
        return None
    others, cells = distinct[1:], np.cumsum(counts[1:])
    lowest = others[: np.searchsorted(cells, max(cells[-1] / 20, 5)) + 1]
    if others[0] < 2 * np.diff(lowest).max(initial=0):
        return None
    return Apart(0.0, float(others[0]), float(others[-1]))
