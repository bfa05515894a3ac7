"""Dates and times written as text, and their conversion to numbers: decimal years, days, or hours."""

import datetime
import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from tsk_core.data.cell_text import SAMPLE, ZONES, digit_pattern, looks_like_date, moment_span, sample
from tsk_core.data.clean.cells import MISSING_AMONG_NUMBERS, Cells
from tsk_core.data.naming import listed, quoted
from tsk_core.numbers import counted

# The names of months in some forty languages of Latin, Greek and Cyrillic letters, as the Unicode CLDR has them.


_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# For each month, the beginnings that tell its names apart from those of the other months, without accents.
_BEGINNINGS = (
    "ean ene gen ian ion jaa jan led oca sau sij sty tam urt xan ιαν сту січ янв яну јан",
    "chw fea feb fev hel lut ots shk sub uno vas vee vel φεβ лют феб фев",
    "bre kov maa mac mae mar maw mrt mrz ozu μαρ бер мар сак",
    "abr aib api apr avr bal dub ebr huh kwi nis pri tra απρ апр кві кра",
    "bea geg kve mag mai maj may mei svi tou μαι маи мая мај тра",
    "bir cerven cervn cvn cze eka giu haz iun juin jun juun kes lipa lipn meh meit qer xun ιουν июн чер чэр юни јун",
    "cervenc cervene cvc gor hei iui iul juil jul juul kor lie lip lug srpa srpnj tem uzt xul ιουλ июл лип ліп юли јул",
    "abu ago agu aou aug avg aws elo gus kol lun ogo rugp sie srp αυγ авг жні сер",
    "eyl ira med mfo rugs ruj sep set sht syy sze wrz zar σεπ вер сен сеп",
    "dfo eki hyd lok oct okt ott out paz rij spa tet urr οκτ жов кас окт",
    "aza kas lap lis marr nen noi nov sam stu tac νοε лис ліс нов ное ноя",
    "abe ara dec des det dez dhj dic dis gru jou nol pro rha δεκ гру дек дец сне",
)
_MONTHS = {begin: month for month, begins in zip(_ENGLISH, _BEGINNINGS, strict=True) for begin in begins.split()}


@lru_cache(maxsize=1024)
def english_month(name: str) -> str:
    """The English name of a month, three small letters, from its name or abbreviation in another language; "" for other words.

    In Croatian only months that have no namesake elsewhere: listopad is November in Czech and Polish.
    """
    plain = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return next((_MONTHS[letters[:k]] for k in range(len(letters), 2, -1) if letters[:k] in _MONTHS), "")


# The formats of dates without their time of day: which one a column has, and each date as a moment.


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
_BETWEEN, _MONTH_OF = re.compile(r"[-/., 年月년월]+"), re.compile(r"[^\W\d_]+")
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
    return pd.Series([_MONTH_OF.sub(_english, _BETWEEN.sub("-", date)) for date in plain], dtype="str")


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
