"""The answers of a class as one picture without names: counts of options, medians with a band, shares of cells."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["BAND", "Summary", "summary"]

BAND = (10, 90)  # percentiles of the band around a median


@dataclass(frozen=True)
class Summary:
    """n: how many answers count. counts: of each option. median, low, high: of each bar or point. share: of answers by cell."""

    n: int
    counts: tuple[int, ...] = ()
    median: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    share: tuple[float, ...] = ()


def summary(kind: str, values: Sequence[Sequence[float]], size: int, low: float = 0.0, high: float = 1.0) -> Summary:
    """kind: as of ``Prediction``. size: how many numbers an answer has; of a choice, how many options there are.

    Answers that do not fit are left out; numbers outside of low to high count as the nearest end.
    """
    if kind == "choice":
        chosen = [int(value[0]) for value in values if len(value) == 1 and value[0] in range(size)]
        return Summary(len(chosen), counts=tuple(chosen.count(option) for option in range(size)))
    fitting = [value for value in values if len(value) == size]
    if not fitting:
        return Summary(0)
    table = np.clip(np.asarray(fitting, float), low, high)  # (answers, numbers)
    if kind == "region":
        return Summary(len(table), share=tuple((table >= 0.5).mean(axis=0).tolist()))
    bottom, middle, top = np.percentile(table, (BAND[0], 50, BAND[1]), axis=0).tolist()
    return Summary(len(table), median=tuple(middle), low=tuple(bottom), high=tuple(top))
