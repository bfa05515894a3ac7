"""Dates in rules: a column that a table wrote as dates is a number to the model, and a date to whoever reads the rule.

Exported columns of such features carry how the number came about, as "date": {"format", "scale", "origin"} (``DateFormat``).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.explain.digits import number
from tsk_core.explain.exported import ExportedColumn, ExportedDate

if TYPE_CHECKING:
    from tsk_core.data.clean import CleaningPipeline
    from tsk_core.data.clean.dates import DateFormat

__all__ = ["step_text", "with_dates", "writer"]

DAYS = {"years": 365.25, "days": 1.0, "hours": 1 / 24}  # of one unit of each scale
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def with_dates(columns: list[ExportedColumn], cleaning: "CleaningPipeline | None") -> list[ExportedColumn]:
    """Exported columns, with "date" at those that ``cleaning`` read from dates."""
    dates: dict[str, ExportedDate] = {}
    for step in cleaning.steps if cleaning else ():
        if step.date:
            dates[step.feature] = {"format": step.date.format, "scale": step.date.scale, "origin": step.date.origin}
    return [
        {**column, "date": dates[column["feature"]]} if column["kind"] == "number" and column["feature"] in dates else column
        for column in columns
    ]


def writer(date: ExportedDate | None, spread: float | None) -> Callable[[float], str]:
    """How a value of a column is written: a number to about a thirtieth of ``spread``, or a date as exact as that.

    spread: the standard deviation of the column, in its unit; None for dates to the day.
    """
    if not date:
        return lambda value: number(value, spread or 0.0)
    from tsk_core.data.clean.dates import DateFormat  # pandas: only where there are dates

    form = DateFormat(**date)
    return lambda value: _date_text(form, value, spread) or number(value, spread or 0.0)


def step_text(column: ExportedColumn, step: float) -> str:
    """A change of a column's value, with the unit where it is a date: "1.8", "1.8 years", "4 hours"."""
    date = column.get("date")
    if not date:
        return number(step, step)
    unit = "hours" if date["scale"] == "clock" else date["scale"]
    return f"{number(step, step)} {unit}"


def _date_text(form: "DateFormat", value: float, spread: float | None) -> str:
    """Such as "2023", "March 2023", "3 March 2023", "3 March 2023 14:30" or "14:30", by what is exact enough; "" for no date."""
    moment = form.moment(value)
    if np.isnat(moment):
        return ""
    if isinstance(moment, np.timedelta64):
        minutes = round(moment / np.timedelta64(1, "m"))
        return f"{minutes // 60:02d}:{minutes % 60:02d}" if 0 <= minutes <= 24 * 60 else ""
    days = 1.0 if spread is None else spread / 30 * DAYS[form.scale]
    if days < 0.5:
        minute = (moment + np.timedelta64(30, "s")).astype("datetime64[m]").item()
        return f"{minute.day} {MONTHS[minute.month - 1]} {minute.year} {minute:%H:%M}"
    day = (moment + np.timedelta64(12, "h")).astype("datetime64[D]").item()
    if days < 15:
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    month = (moment + np.timedelta64(15, "D")).astype("datetime64[M]").item()
    if days < 180:
        return f"{MONTHS[month.month - 1]} {month.year}"
    return str((moment + np.timedelta64(182, "D")).astype("datetime64[Y]"))
