"""The formats of dates without their time of day: which one a column has, and each date as a moment."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from tsk_core.data.clean.month_names import english_month
from tsk_core.data.digit_patterns import SAMPLE, digit_pattern, sample
from tsk_core.data.naming import listed, quoted

__all__ = ["FORMATS", "BestFormat", "DayOrder", "best_format", "moments_of_dates"]

# Each date format, with "-" as separator and months of three letters, and the digit pattern of such dates.
_PATTERNS = {
    "%Y-%m-%d": r"0{4}-00?-00?", "%d-%m-%Y": r"00?-00?-0{4}", "%m-%d-%Y": r"00?-00?-0{4}", "%d-%b-%Y": r"00?-[^\W\d_]{3}-0{4}",
    "%b-%d-%Y": r"[^\W\d_]{3}-00?-0{4}", "%d-%m-%y": r"00?-00?-00", "%m-%d-%y": r"00?-00?-00", "%y-%m-%d": r"00-00?-00?",
    "%d-%b-%y": r"00?-[^\W\d_]{3}-00", "%Y-%m": r"0{4}-00?", "%b-%Y": r"[^\W\d_]{3}-0{4}",
    "%Y-%b-%d": r"0{4}-[^\W\d_]{3}-00?", "%b-%y": r"[^\W\d_]{3}-00", "%m-%Y": r"00?-0{4}",
}  # fmt: skip
FORMATS = (*_PATTERNS, "")  # "" is a time of day
_YEAR_FIRST = "%y-%m-%d"
# Formats that one date may fit alike; every date fits those of one family only.
_FAMILIES = (
    ("%Y-%m-%d",), ("%d-%m-%Y", "%m-%d-%Y"), ("%d-%m-%y", "%m-%d-%y", "%y-%m-%d"), ("%d-%b-%Y",), ("%b-%d-%Y",),
    ("%d-%b-%y",), ("%Y-%m",), ("%b-%Y",), ("%Y-%b-%d",), ("%b-%y",), ("%m-%Y",),
)  # fmt: skip
_BETWEEN, _MONTHS = re.compile(r"[-/., 年月년월]+"), re.compile(r"[^\W\d_]+")
_AROUND = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|[ºª°日일]|\.$)| (?:of|de|del) (?=.)| d[’'](?=.)")  # "5th of", "1er", "5 de"


@dataclass(frozen=True)
class DayOrder:
    """Whether the day comes before the month in a table. column: which decides that."""

    day_first: bool
    column: str


@dataclass(frozen=True)
class BestFormat:
    """The format of a column's dates. assumption: in words, "" if the format is unambiguous.

    day_first, decided: as in ``ReadDates``.
    """

    form: str
    assumption: str = ""
    day_first: bool | None = None
    decided: bool = True


def moments_of_dates(dates: np.ndarray, form: str) -> np.ndarray:
    """Distinct dates as datetime64[us]: in this format, or in the only other one that they fit; NaT for others."""
    normal = _normal(dates)
    moments = _parsed(normal, form)
    unread = np.isnat(moments) & (dates != "")
    if not unread.any():
        return moments
    families = np.array([_family(digit_pattern(date)) for date in normal])
    for number in set(families[unread]) - {None}:
        family = _FAMILIES[number]
        if ("%d" in family[0]) == ("%d" in form):  # a month is not a day
            alike = families == number
            moments[alike] = _alike(normal[alike], dates[alike], family, form)
    return moments


@lru_cache(maxsize=4096)
def _family(pattern: str) -> int | None:
    """The index of the family that dates of this digit pattern belong to."""
    families = enumerate(_FAMILIES)
    return next((k for k, family in families if any(re.fullmatch(_PATTERNS[form], pattern) for form in family)), None)


def _alike(normal: pd.Series, dates: np.ndarray, family: tuple[str, ...], form: str) -> np.ndarray:
    """Dates of one family in ``form``, or in the only format that reads all of them; NaT if several do, or none."""
    read = {other: _parsed(normal, other) for other in family}
    readable = ~np.all([np.isnat(moments) for moments in read.values()], axis=0)
    fitting = [other for other in family if not np.isnat(read[other][readable]).any()]
    day_first = all("." in date for date in dates)  # 05.03.2024: with points, the day comes first
    if form in family and (form in fitting or len(fitting) != 1 or (day_first and form.startswith("%d"))):
        return read[form]
    if len(fitting) > 1 and day_first:
        fitting = [other for other in fitting if other.startswith("%d")]
    return read[fitting[0]] if len(fitting) == 1 else np.full(len(normal), np.datetime64("NaT", "us"))


def _normal(dates: np.ndarray) -> pd.Series:
    """Dates with "-" as separator and English months of three letters."""
    plain = (_AROUND.sub(" ", date).strip() for date in dates)
    return pd.Series([_MONTHS.sub(_english, _BETWEEN.sub("-", date)) for date in plain], dtype="str")


def _english(month: re.Match[str]) -> str:
    return english_month(month[0]) or month[0][:3].lower()


def _parsed(normal: pd.Series, form: str) -> np.ndarray:
    """Dates in normal form as datetime64[us], NaT if they do not have this format."""
    moments = pd.to_datetime(normal, format=form, errors="coerce").to_numpy().astype("datetime64[us]")
    moments[moments < np.datetime64("0001-01-01")] = np.datetime64("NaT")  # there is no year 0
    return moments


def best_format(dates: np.ndarray, counts: np.ndarray, order: DayOrder | None = None) -> BestFormat:
    """The format that parses most cells. order: of dates that fit both orders of day and month; None takes the one usual for
    their separator.
    """
    codes, distinct = pd.factorize(dates)
    weights, normal = np.bincount(codes, counts), _normal(distinct)
    patterns = [digit_pattern(date) for date in sample(normal) if date]
    possible = [form for form in _PATTERNS if 2 * sum(bool(re.fullmatch(_PATTERNS[form], p)) for p in patterns) >= len(patterns)]
    read = {form: _parsed(normal, form) for form in possible or FORMATS[:1]}
    cells = {form: weights[~np.isnat(read[form])].sum() for form in read}
    best = _likeliest(cells, distinct, order)
    if (
        _YEAR_FIRST in read
        and cells[_YEAR_FIRST] == cells[best.form]
        and best.form != _YEAR_FIRST
        and not any("." in date for date in distinct)
    ):
        return _with_year(best, read, distinct)
    return best


def _likeliest(cells: dict[str, float], dates: np.ndarray, order: DayOrder | None) -> BestFormat:
    """The format that parses most cells; if both orders of day and month do, that of the table, or usual for the separator."""
    best = max(cells, key=lambda form: cells[form])
    equal = [form for form in cells if cells[form] == cells[best]]
    day, month = (next((form for form in equal if form.startswith(start)), None) for start in ("%d-%m", "%m-%d"))
    if not (day and month):
        return BestFormat(best, day_first=best.startswith("%d") if best[:5] in ("%d-%m", "%m-%d") else None)
    day_first = order.day_first if order else not any("/" in date for date in dates[:SAMPLE])
    as_in = f"column {quoted(order.column)}" if order else listed(dates[dates != ""][:1])
    assumption = (
        f"Days and months cannot be told apart, so the {'day' if day_first else 'month'} is assumed to come first, as in {as_in}"
    )
    return BestFormat(day if day_first else month, assumption, day_first, decided=False)


def _with_year(best: BestFormat, read: dict[str, np.ndarray], dates: np.ndarray) -> BestFormat:
    """Of dates such as 21-08-20, which may begin with the year: the reading that brings them closest together."""
    spans = {
        one: float(np.ptp(moments[~np.isnat(moments)].astype(np.int64)))
        for one, moments in read.items()
        if one in (best.form, _YEAR_FIRST)
    }
    example = listed(dates[dates != ""][:1])
    if 2 * spans[_YEAR_FIRST] <= spans[best.form]:
        says = f"The year is assumed to come first, as in {example}, since the dates then lie closest together"
        return BestFormat(_YEAR_FIRST, says)
    if spans[_YEAR_FIRST] < 2 * spans[best.form] and not best.assumption:
        return replace(best, assumption=f"The year is assumed to come last, as in {example}, though it may come first instead")
    return best
