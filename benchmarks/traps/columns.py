"""Columns as people collect them: numbers, categories, dates. Each is made from a latent score of every row, so that what a
column says about the class, about the subject or about time enters it before it becomes numbers or words.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

Random = np.random.Generator
Maker = Callable[[Random, np.ndarray], list[str]]  # (random, latent score of each row, SD 1) -> cells


@dataclass(frozen=True)
class Column:
    """An honest column of a domain. kind: "number", "category" or "date".

    debatable: checks that would be neither right nor wrong about it, such as "ordinal" about days of the week.
    """

    name: str
    kind: str
    make: Maker
    debatable: tuple[str, ...] = ()


def written(values: np.ndarray, digits: int) -> list[str]:
    """Numbers with a point and this many digits after it; no "-0.0"."""
    return [f"{value:.{digits}f}" for value in np.round(values, digits) + 0.0]


def number(name: str, mean: float, sd: float, digits: int = 0, least: float = -np.inf, most: float = np.inf) -> Column:
    """A measurement, cut at both ends."""
    return Column(name, "number", lambda random, s: written(np.clip(mean + sd * s, least, most), digits))


def skewed(name: str, median: float, sigma: float, digits: int = 0) -> Column:
    """A positive measurement with a long right tail, such as an income; whole numbers of it hardly repeat."""
    return Column(name, "number", lambda random, s: written(median * np.exp(sigma * s), digits))


def count(name: str, mean: float) -> Column:
    """How often something happened; mostly 0 for a small mean."""
    return Column(name, "number", lambda random, s: written(random.poisson(mean * np.exp(0.5 * s - 0.125)), 0), ("ordinal",))


def mostly_zero(name: str, share: float, median: float, digits: int = 0) -> Column:
    """An amount that is 0 unless something happened, in ``share`` of the rows: nothing lies between 0 and the bulk."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        amount = median * np.exp(0.4 * random.normal(size=len(s)))
        return written(np.where(stats.norm.cdf(s) > 1 - share, amount, 0), digits)

    return Column(name, "number", make)


def scale(name: str, low: int, high: int) -> Column:
    """A score in whole numbers from ``low`` to ``high``. Few of them are an ordered scale, so "ordinal" is debatable."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        return written(np.clip(low + np.floor(stats.norm.cdf(s) * (high - low + 1)), low, high), 0)

    return Column(name, "number", make, ("ordinal",))


def price(name: str, median: float) -> Column:
    """Prices that end in .99; 99.99 and 999.99 are among them."""
    return Column(name, "number", lambda random, s: written(np.floor(median * np.exp(1.2 * s)) + 0.99, 2))


def words(name: str, *names: str, debatable: tuple[str, ...] = ()) -> Column:
    """Categories without an order, some more frequent than others."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        shares = random.dirichlet(np.full(len(names), 4.0))
        which = np.searchsorted(np.cumsum(shares)[:-1], stats.norm.cdf(0.8 * s + 0.6 * random.normal(size=len(s))))
        return random.permutation(np.array(names, dtype=object))[which].tolist()

    return Column(name, "category", make, debatable)


def place(name: str, number: int) -> Column:
    """Postcodes of five digits, the frequent ones far more frequent; they say nothing about the class or the subject."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        codes = random.choice(np.arange(10_115, 99_000), number, replace=False)
        shares = 1 / np.arange(1, number + 1) ** 0.7
        return written(random.choice(codes, len(s), p=shares / shares.sum()), 0)

    return Column(name, "number", make)


def dates(name: str, first: str, last: str, form: str = "%Y-%m-%d", debatable: tuple[str, ...] = ()) -> Column:
    """Dates between two days that say nothing about when a row was recorded, such as a date of birth."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        low, high = (np.datetime64(day).astype(int) for day in (first, last))
        days = random.integers(low, high, len(s)).astype("datetime64[D]").astype(object)
        return [day.strftime(form) for day in days]

    return Column(name, "date", make, debatable)


def clock(name: str) -> Column:
    """Times of day."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        minutes = np.clip(870 + 180 * s, 0, 1439).astype(int)
        return [f"{minute // 60:02d}:{minute % 60:02d}" for minute in minutes]

    return Column(name, "date", make)
