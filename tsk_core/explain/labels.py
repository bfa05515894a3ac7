"""Words for one membership function: a term such as "low", its range, and numbers and dates as text.

A feature's terms are triangles over quantiles of its training values, summing to 1 everywhere: a Ruspini partition.
A membership takes the term, or the run of adjacent terms, with the largest Jaccard similarity Σ min / Σ max. Centres are
never ranked: two rules whose centres differ little get the same term.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tsk_core.explain.exported import LOWEST, ExportedColumn, ExportedDate
from tsk_core.model.firing import HALF_HEIGHT, log_membership
from tsk_core.numbers import SIGNIFICANT, clock_text

if TYPE_CHECKING:
    from tsk_core.data.clean.dates import DateFormat

# Numbers as text, with significant digits only.


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


# Dates in rules: a column that a table wrote as dates is a number to the model, and a date to whoever reads the rule.
#
# Exported columns of such features carry how the number came about, as "date": the fields of ``DateFormat``.


Moment: TypeAlias = np.datetime64 | np.timedelta64

HOUR = 3600  # seconds
DAYS = {"years": 365.25, "days": 1.0, "hours": 1 / 24}  # of one unit of each scale
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def writer(date: ExportedDate | None, spread: float | None) -> Callable[[float], str]:
    """How a value of a column is written: a number to about a thirtieth of ``spread``, or a date as exact as that.

    spread: the standard deviation of the column, in its unit; None for the day of a date, to the minute where the column
    has times of day and spans less than two years.
    """
    if not date:
        return lambda value: number(value, spread or 0.0)
    from tsk_core.data.clean.dates import DateFormat  # pandas: only where there are dates

    form = DateFormat(**date)
    return lambda value: _date_text(form, value, spread) or number(value, spread or 0.0)


def end_writer(date: ExportedDate | None, spread: float) -> Callable[[float, bool, int], tuple[str, float]]:
    """How an end of a range is printed, and the value that a reader takes it as: (value, upper, finer) → (text, value).

    upper: whether it is the upper end. finer: so many digits more than ``writer`` writes. A date stands for all of its day, month
    or year: "2020" as a lower end is its first moment, as an upper end its last one.
    """
    if not date:
        return lambda value, _, finer: (text := number(value, spread / 10**finer), float(text))
    from tsk_core.data.clean.dates import DateFormat  # pandas: only where there are dates

    form = DateFormat(**date)

    def write(value: float, upper: bool, finer: int) -> tuple[str, float]:
        period = _period(form, value, spread / 10**finer, upper)
        if period is None:
            text = number(value, spread / 10**finer)
            return text, float(text)
        (end,) = form.numbers(np.array([period + upper]).astype("timedelta64[s]" if form.scale == "clock" else "datetime64[s]"))
        return _said(period), float(np.nextafter(end, -np.inf) if upper else end)

    return write


def finest(date: ExportedDate) -> float:
    """What ``writer`` distinguishes without a spread, in the unit of the column: a day, or a minute where it has times of day."""
    if date["scale"] == "clock":
        return 1 / 60
    return (1.0 if _by_day(date["scale"], date.get("midnights", False)) else 1 / (24 * 60)) / DAYS[date["scale"]]


def written_date(date: ExportedDate, value: float, towards: float = 0.0) -> float:
    """The value of the day or minute that ``writer`` writes without a spread, nearest to a value, or the next one up (1) or
    down (−1). A value that is no date comes back as it is.
    """
    from tsk_core.data.clean.dates import DateFormat  # pandas: only where there are dates

    form = DateFormat(**date)
    exact = form.moment(value)
    if np.isnat(exact):
        return value
    clock = form.scale == "clock"
    size = 86_400 if not clock and _by_day(form.scale, form.midnights) else 60  # seconds
    place = int(exact.astype(np.int64)) / size
    whole = math.ceil(place) if towards > 0 else math.floor(place) if towards < 0 else round(place)
    seconds = np.array([whole * size])
    return float(form.numbers(seconds.astype("timedelta64[s]" if clock else "datetime64[s]"))[0])


def _by_day(scale: str, midnights: bool) -> bool:
    return midnights or scale == "years"


def step_text(column: ExportedColumn, step: float) -> str:
    """A change of a column's value, with the unit where it is a date: "1.8", "1.8 years", "4 hours"."""
    date = column.get("date")
    if not date:
        return number(step, step)
    unit = "hours" if date["scale"] == "clock" else date["scale"]
    return f"{number(step, step)} {unit}"


def _date_text(form: "DateFormat", value: float, spread: float | None) -> str:
    """Such as "2023", "March 2023", "3 March 2023", "3 March 2023 14:30" or "14:30", by what is exact enough; "" for no date.

    Without the time of day where every date of the column is a midnight.
    """
    period = _period(form, value, spread)
    return "" if period is None else _said(period)


def _period(form: "DateFormat", value: float, spread: float | None, upper: bool | None = None) -> Moment | None:
    """The year, month, day or minute that starts nearest to a value; None for no date.

    upper: of an end of a range, whether it is the upper one: then the one that ends nearest to it.
    """
    moment = form.moment(value)
    if np.isnat(moment):
        return None
    if isinstance(moment, np.timedelta64):
        minute = np.timedelta64(round(moment / np.timedelta64(1, "m")), "m")
        return minute if np.timedelta64(0, "m") <= minute <= np.timedelta64(24 * 60, "m") else None
    if spread is None:
        near = (moment + np.timedelta64(30, "s")).astype("datetime64[m]")
        return near.astype("datetime64[D]") if _by_day(form.scale, form.midnights) else near
    days = spread / 30 * DAYS[form.scale]
    if days < 0.5 and not form.midnights:
        return (moment + np.timedelta64(30, "s")).astype("datetime64[m]")
    side = -1 if upper else 1
    if days < 15:
        shift = 12 * HOUR * side
        if form.midnights and upper is not None:  # the days that the range has, and no other
            shift = 0 if upper else 24 * HOUR - 1
        return (moment + np.timedelta64(shift, "s")).astype("datetime64[D]")
    if days < 180:
        return (moment + np.timedelta64(15 * side, "D")).astype("datetime64[M]")
    return (moment + np.timedelta64(182 * side, "D")).astype("datetime64[Y]")


def _said(period: Moment) -> str:
    if isinstance(period, np.timedelta64):
        return clock_text(int(period / np.timedelta64(1, "m")))
    unit, date = np.datetime_data(period)[0], period.astype("datetime64[m]").item()
    if unit == "Y":
        return str(period)
    day = f"{MONTHS[date.month - 1]} {date.year}" if unit == "M" else f"{date.day} {MONTHS[date.month - 1]} {date.year}"
    return f"{day} {date:%H:%M}" if unit == "m" else day


ANY = "any value"
GRID = 200
FINEST = 16  # digits that a range may have beyond those that its spread asks for
FEW = 10  # with fewer distinct values than this, five terms are too many
WORDS = {2: ("low", "high"), 3: ("low", "medium", "high"), 5: ("very low", "low", "medium", "high", "very high")}


@dataclass(frozen=True)
class FuzzyPartition:
    """One feature's terms.

    words: K terms, lowest first; none for a constant feature. peaks: (K,) strictly increasing, where each term is 1.
    grid: (200,) training quantiles from smallest to largest, where similarity is measured.
    low, high, spread: smallest, largest and standard deviation of the training values.
    """

    words: tuple[str, ...]
    peaks: np.ndarray
    grid: np.ndarray
    low: float
    high: float
    spread: float

    def terms(self, values: np.ndarray) -> np.ndarray:
        """Membership of each value in each term, shape (K, len(values)); the outer terms stay 1 beyond their peaks."""
        eye = np.eye(len(self.words))
        return np.array([np.interp(values, self.peaks, row) for row in eye]).reshape(len(self.words), len(values))

    @cached_property
    def runs(self) -> tuple[list[tuple[int, int]], np.ndarray]:
        """All runs of adjacent terms as (first, last), and the membership of each on the grid, shape (runs, 200).

        The terms sum to 1, so a run's membership is their sum, without a dip between neighbours.
        """
        runs = [(first, last) for first in range(len(self.words)) for last in range(first, len(self.words))]
        terms = self.terms(self.grid)
        return runs, np.array([terms[first : last + 1].sum(0) for first, last in runs])


def fuzzy_partition(values: np.ndarray) -> FuzzyPartition:
    """The reference partition of one column's training values, shape (N,), N ≥ 1, finite.

    Five terms peak in the middle of each fifth of the values (the 10th, 30th, … percentile); three terms where the
    feature has fewer than 10 distinct values or its fifths coincide; two where it has two values; none where it has one.
    """
    values = np.asarray(values, float)
    distinct = np.unique(values)
    words, peaks = _peaks(values, distinct)
    # Points evenly spaced in rank: evenly spaced values would leave one point for most rows of a skewed feature.
    grid = np.quantile(values, np.linspace(0, 1, GRID))
    spread = float(values.std()) if len(distinct) > 1 else 0.0
    return FuzzyPartition(words, peaks, grid, float(distinct[0]), float(distinct[-1]), spread)


def words_of(Z: np.ndarray) -> Callable[[int], FuzzyPartition]:
    """The partition of each column of the training rows Z, (N, D), computed on first use."""
    return cache(lambda d: fuzzy_partition(Z[:, d]))


def label(center: float, sigma: float, words: FuzzyPartition) -> str:
    """The term, or run of adjacent terms, most like the membership: "low", "low or medium", "low to high", "not very high".

    The membership is scaled to 1 at its largest on the data, so that a centre outside the data still gets a term. "not" names
    the one term that is left out, where the membership is at least 0.5 up to the other end of the data.
    ``sigma``: positive. Returns "any value" where all terms together fit best, or the feature is constant.
    """
    if not words.words:
        return ANY
    first, last = _run(center, sigma, words)
    if last - first == len(words.words) - 2 > 0:
        if first == 0 and center - HALF_HEIGHT * sigma <= words.low:
            return f"not {words.words[-1]}"
        if first == 1 and center + HALF_HEIGHT * sigma >= words.high:
            return f"not {words.words[0]}"
    return _phrase(words.words, first, last)


def terms_of(center: float, sigma: float, words: FuzzyPartition) -> tuple[str, ...]:
    """The terms that ``label`` speaks of, lowest first: of "low to high" three; () for "any value"."""
    if not words.words:
        return ()
    first, last = _run(center, sigma, words)
    return () if last - first + 1 == len(words.words) else words.words[first : last + 1]


def _run(center: float, sigma: float, words: FuzzyPartition) -> tuple[int, int]:
    """The first and the last term of the run with the largest Jaccard similarity to the membership."""
    with np.errstate(over="ignore", under="ignore"):
        depth = np.maximum(log_membership(words.grid, np.array(center), np.array(sigma)), LOWEST)
    membership = np.exp(depth - depth.max())  # (200,)
    runs, unions = words.runs
    similarity = np.minimum(membership, unions).sum(1) / np.maximum(membership, unions).sum(1)
    return runs[int(similarity.argmax())]


Write = Callable[[float, bool, int], tuple[str, float]]  # ``dates.end_writer``


@dataclass(frozen=True)
class AlphaCut:
    """The α-cut of a membership at 0.5, where it is at least that: centre ± 1.177σ, rounded as printed.

    low, high: the ends as printed, in the column's units; None where the text leaves an end out, as it excludes no training row.
    text: "between 1.2 and 3.4", "≥ 4.9" or "≤ 2.0"; with a remark where it contains none, which ``beyond`` says.
    """

    low: float | None
    high: float | None
    text: str
    beyond: bool = False

    @classmethod
    def of(cls, center: float, sigma: float, words: FuzzyPartition, write: Write | None = None) -> "AlphaCut":
        """The cut of one Gaussian membership that excludes a training value; ``sigma`` is positive. write: of the ends, else
        as numbers.
        """
        low, high = center - HALF_HEIGHT * sigma, center + HALF_HEIGHT * sigma
        write = write or end_writer(None, words.spread)
        if center > words.high:
            text, value = write(low, False, 0)
            remark = f", beyond the data, which end at {write(words.high, False, 0)[0]}" if low > words.high else ""
            return cls(value, None, f"≥ {text}{remark}", bool(remark))
        if center < words.low:
            text, value = write(high, True, 0)
            remark = f", beyond the data, which start at {write(words.low, False, 0)[0]}" if high < words.low else ""
            return cls(None, value, f"≤ {text}{remark}", bool(remark))
        return _between(low, high, words, write)


def _between(low: float, high: float, words: FuzzyPartition, write: Write) -> AlphaCut:
    """The cut with the fewest digits that exclude a training value at either end where its exact ends do."""
    lower, upper = low > words.low, high < words.high
    ends = ("", -np.inf), ("", np.inf)
    for finer in range(FINEST):
        ends = write(low, False, finer), write(high, True, finer)
        (_, least), (_, most) = ends
        if least < most and (not lower or least > words.low) and (not upper or most < words.high):
            break
    else:
        ends = (repr(low), low), (repr(high), high)
    (low_text, least), (high_text, most) = ends
    if not lower:
        return AlphaCut(None, most, f"≤ {high_text}")
    if not upper:
        return AlphaCut(least, None, f"≥ {low_text}")
    return AlphaCut(least, most, f"between {low_text} and {high_text}" if low_text != high_text else low_text)


def _peaks(values: np.ndarray, distinct: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    if len(distinct) == 1:
        return (), np.empty(0)
    for count, source in ((5, values), (3, values), (3, distinct)):
        enough = FEW if count == 5 else 3
        peaks = np.quantile(source, (np.arange(count) + 0.5) / count)
        if len(distinct) >= enough and (np.diff(peaks) > 0).all():
            return WORDS[count], peaks
    return WORDS[2], distinct[[0, -1]]


def _phrase(words: tuple[str, ...], first: int, last: int) -> str:
    if first == last:
        return words[first]
    if last - first + 1 == len(words):
        return ANY
    return f"{words[first]} {'or' if last == first + 1 else 'to'} {words[last]}"
