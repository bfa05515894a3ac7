"""Dates and times written as text, and their conversion to numbers: decimal years, days, or hours."""

import datetime
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.date_formats import BestFormat, DayOrder, best_format, moments_of_dates
from tsk_core.data.clean.missing import MISSING_AMONG_NUMBERS
from tsk_core.data.digit_patterns import sample
from tsk_core.data.moment_text import ZONES, looks_like_date, moment_span
from tsk_core.data.naming import listed
from tsk_core.numbers import counted

__all__ = ["SCALES", "DateFormat", "DayOrder", "ReadDates", "common_day_order", "look_like_dates", "read_dates"]

SCALES = ("years", "days", "hours", "clock")
_SHARE = 0.9  # least share of filled cells that must be dates
_NOT = np.iinfo(np.int64).min  # NaT
_HALVES = {"上午": "a", "下午": "p", "午前": "a", "午後": "p", "오전": "a", "오후": "p"}  # before or after noon
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>[0-9]{1,2}):?(?P<minutes>[0-9]{2})?$")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_DAY, _HOUR = np.timedelta64(1, "D"), np.timedelta64(1, "h")


@dataclass(frozen=True)
class DateFormat:
    """How a column writes moments, and how they become numbers.

    format: one of ``FORMATS``; "" for times of day. scale: "years" (2021.35), "days" or "hours" since ``origin`` (a date in
    ISO form), or "clock" (hours since midnight). midnights: whether every moment of the table is one, as of plain dates.
    """

    format: str
    scale: str
    origin: str = ""
    midnights: bool = False

    def read(self, cells: Cells) -> np.ndarray:
        """A column as float64, NaN for cells that are not moments.

        Moments in another format are read too where they fit no second one, as 2024-03-05 among 05.03.2024.
        """
        if cells.kind == "number":
            return np.full(len(cells.values), np.nan)
        return self.numbers(_moments(cells, self.format))

    def numbers(self, moments: np.ndarray) -> np.ndarray:
        """Convert datetime64 (timedelta64 for "clock") to float64; NaT becomes NaN."""
        if (self.scale == "clock") != (moments.dtype.kind == "m"):
            return np.full(len(moments), np.nan)
        if self.scale == "clock":
            return moments / _HOUR
        if self.scale == "years":
            return _decimal_years(moments)
        return (moments - np.datetime64(self.origin)) / (_DAY if self.scale == "days" else _HOUR)

    def moment(self, number: float) -> np.datetime64 | np.timedelta64:
        """The inverse of ``numbers`` for one number, to the second; NaT outside the years 1 to 9999."""
        if self.scale == "clock":
            return np.timedelta64(round(number * 3600), "s") if abs(number) < 1e9 else np.timedelta64("NaT", "s")
        if self.scale == "years" and 1 <= number < 10_000:
            year = np.datetime64(f"{math.floor(number):04d}", "Y")
            start, end = year.astype("datetime64[s]"), (year + 1).astype("datetime64[s]")
            return start + np.timedelta64(round((number % 1) * ((end - start) / np.timedelta64(1, "s"))), "s")
        seconds = number * (86_400 if self.scale == "days" else 3600)
        moment: np.datetime64 = np.datetime64("NaT", "s")
        if self.scale != "years" and abs(seconds) < 1e12:
            moment = np.datetime64(self.origin, "s") + np.timedelta64(round(seconds), "s")
        return moment if np.datetime64("0001-01-01") <= moment <= np.datetime64("9999-12-31") else np.datetime64("NaT", "s")

    @property
    def example(self) -> str:
        """A moment in this format: "31-12-2024", or "14:30" for a time of day."""
        return datetime.datetime(2024, 12, 31, 14, 30).strftime(self.format or "%H:%M")

    @property
    def unit(self) -> str:
        """The unit of the numbers: "year", "hours" of a day, or "days since 2020-01-03"."""
        return {"years": "year", "clock": "hours"}.get(self.scale, f"{self.scale} since {self.origin}")


@dataclass(frozen=True, eq=False)
class ReadDates:
    """A column of moments. moments: datetime64[us] or timedelta64, NaT if missing. assumption: of an ambiguous format.

    note: how many cells are not moments and were made missing, or "". day_first: whether the day comes before the month; None
    where neither comes first, or the month has a name. decided: whether the column itself says so.
    """

    format: DateFormat
    moments: np.ndarray
    assumption: str = ""
    note: str = ""
    day_first: bool | None = None
    decided: bool = True


def read_dates(cells: Cells, order: DayOrder | None = None) -> ReadDates | None:
    """Detect how a column writes dates or times; None if it contains none. order: of dates that fit both orders."""
    if cells.kind != "text":
        return ReadDates(_scaled("%Y-%m-%d" if cells.kind == "date" else "", cells.values), cells.values)
    words = sample(cells.words).tolist()
    if sum(moment_span(word) is not None for word in words) <= _SHARE / 2 * len(words):
        return None
    split = _split(cells.words)
    filled = cells.counts[~cells.words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool)].sum()
    dated = cells.counts[split.date != ""].sum()
    timed = cells.counts[~np.isnat(split.clock)].sum()
    if max(dated, timed) < max(1, _SHARE * filled):
        return None
    best = best_format(split.date, cells.counts, order) if dated >= _SHARE * filled else BestFormat("")
    of_words = _moments_of(split, best.form)
    moments = cells.spread(of_words, _not_a_time(best.form))
    if len(moments) - np.isnat(moments).sum() < _SHARE * filled:
        return None
    note = _unread(cells, np.isnat(of_words))
    return ReadDates(_scaled(best.form, moments), moments, best.assumption, note, best.day_first, best.decided)


def common_day_order(columns: Iterable[Cells]) -> DayOrder | None:
    """The order of day and month that columns of a table decide, or the points between their numbers; None where no column
    does, or two differ.
    """
    found = [(cells, dates) for cells in columns if cells.kind == "text" and (dates := read_dates(cells))]
    ordered = [(cells, dates) for cells, dates in found if dates.day_first is not None]
    for deciding in ([one for one in ordered if one[1].decided], [one for one in ordered if one[1].day_first]):
        if deciding:
            orders = {bool(dates.day_first) for _, dates in deciding}
            return DayOrder(orders.pop(), deciding[0][0].name) if len(orders) == 1 else None
    return None


def look_like_dates(cells: Cells) -> bool:
    """Whether most words of a column, read as no moments, are written as dates are, not all with one word in place of a month."""
    words = sample(cells.words).tolist()
    like = [word for word in words if looks_like_date(word) or moment_span(word)]
    return 2 * len(like) > len(words) and len({" ".join(_WORDS.findall(word)) or word for word in like}) > 1


def _unread(cells: Cells, words: np.ndarray) -> str:
    """How many cells have these words, which are not moments."""
    if not (count := int(cells.counts[words].sum())):
        return ""
    these = counted(count, "cell that is not one", "cells that are not")
    return f"{these}, such as {listed(cells.words[words][:1])}, counted as missing"


def _scaled(form: str, moments: np.ndarray) -> DateFormat:
    """The scale for the span of a column: years; days within two years; hours within two days."""
    if moments.dtype.kind == "m":
        return DateFormat("", "clock")
    filled = moments[~pd.isna(moments)]
    if not len(filled):
        return DateFormat(form, "years")
    first, span = filled.min(), filled.max() - filled.min()
    origin, midnights = str(first.astype("datetime64[D]")), not (filled - filled.astype("datetime64[D]")).any()
    if span >= 2 * 365 * _DAY:
        return DateFormat(form, "years", midnights=midnights)
    return DateFormat(form, "days" if span >= 2 * _DAY or midnights else "hours", origin, midnights)


def _decimal_years(moments: np.ndarray) -> np.ndarray:
    year = moments.astype("datetime64[Y]")
    start, end = year.astype("datetime64[s]"), (year + 1).astype("datetime64[s]")
    return year.astype(np.float64) + 1970 + (moments - start) / (end - start)


def _moments(cells: Cells, form: str) -> np.ndarray:
    """Each cell as datetime64[us], or as timedelta64[us] if ``form`` is ""; NaT for other cells."""
    if cells.kind != "text":
        return cells.values
    return cells.spread(_moments_of(_split(cells.words), form), _not_a_time(form))


def _not_a_time(form: str) -> np.datetime64 | np.timedelta64:
    return np.datetime64("NaT", "us") if form else np.timedelta64("NaT", "us")


def _moments_of(split: "_SplitWords", form: str) -> np.ndarray:
    """Each word as a moment, or as a time of day if ``form`` is ""."""
    if not form:
        return np.where(split.date == "", split.clock, _not_a_time(""))
    clock = np.where(np.isnat(split.clock), np.timedelta64(0, "us"), split.clock)
    # A column has few distinct dates, so each is parsed once.
    codes, distinct = pd.factorize(split.date)
    return moments_of_dates(distinct, form)[codes] + clock - split.zone


@dataclass(frozen=True, eq=False)
class _SplitWords:
    """Words split into date, time of day and zone; arrays with one entry for each word.

    date: "" if absent. clock: timedelta64[us], NaT if absent.
    """

    date: np.ndarray
    clock: np.ndarray
    zone: np.ndarray  # how far ahead of UTC, timedelta64[m]


def _split(words: pd.Series) -> _SplitWords:
    """The date, time and zone of each word."""
    dates, micros, zones = [], [], []
    for word in words.tolist():
        span = moment_span(word)
        dates.append(word[slice(*span["date"])] if span else "")
        micros.append(_microseconds(word, span) if span else _NOT)
        zones.append(_zone(word[slice(*span["zone"])]) if span else 0)
    clock = np.array(micros, dtype=np.int64).astype("timedelta64[us]")
    return _SplitWords(np.array(dates, dtype=object), clock, np.array(zones, dtype="timedelta64[m]"))


def _microseconds(word: str, span: dict[str, tuple[int, int]]) -> int:
    """The time of day, _NOT if it is absent or invalid."""
    if span["hour"] == (0, 0):
        return _NOT
    hour, minute = int(word[slice(*span["hour"])]), int(word[slice(*span["minute"])])
    half = _HALVES.get(word[slice(*span["noon"])], word[slice(*span["half"])].lower())
    second = float(word[slice(*span["second"])].replace(",", ".") or 0)
    if half:
        hour = hour % 12 + 12 * (half == "p") if 1 <= hour <= 12 else 99
    if hour > 24 or minute > 59 or second >= 60:
        return _NOT
    return (hour * 60 + minute) * 60_000_000 + round(second * 1e6)


@lru_cache(maxsize=64)
def _zone(text: str) -> int:
    """Minutes ahead of UTC."""
    if offset := _OFFSET.search(text):
        return int(f"{offset['sign']}1") * (60 * int(offset["hours"]) + int(offset["minutes"] or 0))
    return 60 * ZONES.get(text, 0)
