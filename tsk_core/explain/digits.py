"""Numbers as text, with significant digits only."""

import math

import numpy as np

from tsk_core.numbers import SIGNIFICANT

__all__ = ["number", "rounded_to_sum", "significant"]


def number(value: float, spread: float) -> str:
    """``value`` rounded to about a thirtieth of ``spread``, the column's standard deviation: 4.9 where it is 1.8."""
    if not (spread > 0 and math.isfinite(spread)):
        return f"{value:g}"
    place = round(math.log10(spread / 30))  # the last digit shown stands for 10**place
    size = math.floor(math.log10(abs(value))) if value else place
    if size > 9 or place < -6:
        return f"{value:.{min(max(size - place, 0), 15)}e}"
    text = f"{round(value, -place):.{max(-place, 0)}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def significant(mean: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """How many significant digits distinguish values of each column to about 1e-6 of its spread: int (D,), 6 to 17.

    mean, spread: (D,), spread being standard deviations above 0. A column far from zero, such as a Unix time, needs more than
    ``SIGNIFICANT``.
    """
    with np.errstate(over="ignore"):
        ratio = np.clip(np.abs(mean) / spread, 1, 1e11)
    return SIGNIFICANT + np.floor(np.log10(ratio)).astype(int)


def rounded_to_sum(values: np.ndarray, digits: int = 2) -> list[float]:
    """The values rounded so that they add up to the rounded sum: the last digits go to the largest remainders."""
    unit = 10.0**digits
    scaled = np.asarray(values, float) * unit
    down, total = np.floor(scaled), round(float(scaled.sum()))
    missing = int(total - down.sum())
    order = np.argsort(down - scaled, kind="stable")
    down[order[:missing]] += 1
    return [float(v) / unit for v in down]
