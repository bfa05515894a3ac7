"""Dates in rules: a column that a table wrote as dates is a number to the model, and a date to whoever reads the rule.

Exported columns of such features carry how the number came about, as "date": the fields of ``DateFormat``.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tsk_core.explain.digits import number
from tsk_core.explain.exported import ExportedColumn, ExportedDate
from tsk_core.numbers import clock_text

if TYPE_CHECKING:
    from tsk_core.data.clean.dates import DateFormat

__all__ = ["end_writer", "finest", "step_text", "writer", "written_date"]

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
