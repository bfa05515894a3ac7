"""Numbers written as text: thousands separators, decimal commas, units and currencies, bounds such as "<5"."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.digit_patterns import LONGEST, digit_pattern, sample
from tsk_core.data.clean.missing import LARGEST, MISSING_AMONG_NUMBERS
from tsk_core.data.naming import listed, quoted

__all__ = ["NumberFormat", "ReadNumbers", "finite", "read_numbers"]

_CURRENCY = "[$€£¥₹₽₩₺₴₫¢]"
_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|US[$]"
# Matched against digit patterns: every digit is a 0. No two parts match the same characters, and patterns are short.
_PARTS = re.compile(
    rf"(?P<bound>[<>≤≥]=?)?\s*(?P<sign>[+\-−]?)\s*(?P<before>{_CURRENCY}|{_CODES})?\s*(?P<sign2>[+\-−]?)"
    r"(?P<number>(?=[.,]?0)[0.,'’ \xa0\u2009\u202f]*[0.,](?:[eE][+-]?0+)?)\s*"
    rf"(?P<after>[%‰°]|{_CURRENCY}|°?[^\W\d_]{{1,8}}(?:/[^\W\d_]{{1,3}})?[²³]?)?"
)
_GROUPED = re.compile(r"(0+|0{1,3}(,000)+|0{1,3}('000)+)?(\.0*)?([eE][+-]?0+)?")
_SPACES = str.maketrans("’ \xa0\u2009\u202f", "'" * 5)
_SWAPPED = str.maketrans(",.", ".,")
_POINT = str.maketrans("", "", ",'’ \xa0\u2009\u202f")
_COMMA = str.maketrans(",", ".", ".'’ \xa0\u2009\u202f")
_INFINITE = {f"{sign}{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in ("inf", "infinity")}
_MAGNITUDES = frozenset({"k", "mio", "mln", "bn", "mrd", "tsd"})  # 12k beside 500: two scales


@dataclass(frozen=True)
class NumberFormat:
    """How a column writes its numbers. decimal: "." or ",". unit: beside the numbers, in lower case, or ""."""

    decimal: str = "."
    unit: str = ""

    def read(self, words: pd.Series) -> np.ndarray:
        """Words as float64, NaN for words that are not numbers in this format; infinite values stay infinite."""
        return _parts(words).numbers(self)


@dataclass(frozen=True, eq=False)
class ReadNumbers:
    """A text column as numbers. format: how they are written. of_words: the number of each word, or NaN.

    share: of the filled cells that are numbers; words such as "-" are not counted. notes: what was ignored or changed.
    """

    format: NumberFormat
    of_words: np.ndarray
    share: float
    notes: tuple[str, ...] = ()


class _NumberSpan(NamedTuple):
    """How to read the number in words of one digit pattern. point, comma: whether it is one with that decimal sign."""

    sign: str
    start: int
    stop: int
    unit: str
    bound: bool
    grouped: dict[str, bool]
    point: bool
    comma: bool


@dataclass(frozen=True, eq=False)
class _Parts:
    """Words split into parts; arrays with one entry for each word. values: by decimal sign, NaN for other words."""

    values: dict[str, np.ndarray]
    unit: np.ndarray
    bound: np.ndarray
    grouped: dict[str, np.ndarray]

    def numbers(self, form: NumberFormat) -> np.ndarray:
        """The numbers of words without a unit or with the unit of ``form``; NaN for other words."""
        fits = self.unit == ""
        return np.where(fits | (self.unit == form.unit) if form.unit else fits, self.values[form.decimal], np.nan)


def read_numbers(cells: Cells) -> ReadNumbers:
    """Detect how a text column writes numbers; ``share`` of the result is 0 if it contains none."""
    words = cells.words
    if all(np.isnan(values).all() for values in _parts(sample(words)).values.values()):
        return ReadNumbers(NumberFormat(), np.full(len(words), np.nan), 0.0)
    parts = _parts(words)
    read = _learn(words, cells.counts, parts, ".")
    if read.share < 1 and not np.isnan(parts.values[","]).all():
        commas = _learn(words, cells.counts, parts, ",")
        read = commas if commas.share > read.share else read
    return read


def finite(cells: Cells, of_words: np.ndarray) -> np.ndarray:
    """The number of each cell, float64, from that of each word; infinite numbers become missing."""
    return cells.spread(np.where(np.abs(of_words) > LARGEST, np.nan, of_words), np.nan)


def _learn(words: pd.Series, counts: np.ndarray, parts: _Parts, decimal: str) -> ReadNumbers:
    form = NumberFormat(decimal, _one_unit(parts, decimal))
    numbers = parts.numbers(form)
    bounds = parts.bound & ~np.isnan(numbers)
    # "<=50" and ">50" alone are two categories and not two numbers.
    if 2 * counts[bounds].sum() > counts[~np.isnan(numbers)].sum():
        numbers[bounds], bounds = np.nan, np.zeros_like(bounds)
    good = ~np.isnan(numbers)
    notes = _notes(words, counts, parts, form, good, bounds)
    missing = np.zeros_like(good) if good.all() else ~good & words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool)
    if missing.any():
        notes.append(f"{_cells(counts[missing].sum())} with {listed(words[missing], 3)} made missing")
    if (bad := ~good & ~missing).any():
        notes.append(
            f"{_cells(counts[bad].sum())} that {_are(counts[bad].sum())}, such as {listed(words[bad][:1])}, made missing"
        )
    filled = counts[~missing].sum()
    return ReadNumbers(form, numbers, float(counts[good].sum() / filled) if filled else 0.0, tuple(notes))


def _parts(words: pd.Series) -> _Parts:
    """Split every word into its parts."""
    texts = words.tolist()
    point, comma = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    spans: list[_NumberSpan | None] = []
    for k, word in enumerate(texts):
        span = _span(digit_pattern(word)) if len(word) <= LONGEST else None
        spans.append(span)
        if span is None:
            point[k] = comma[k] = _INFINITE.get(word.lower(), np.nan)
            continue
        number = word[span.start : span.stop]
        if span.point:
            point[k] = float(span.sign + number.translate(_POINT))
        if span.comma:
            comma[k] = float(span.sign + number.translate(_COMMA))
    unit = np.array([span.unit if span else "" for span in spans], dtype=object)
    bound = np.array([span.bound if span else False for span in spans], dtype=bool)
    grouped = {sign: np.array([span.grouped[sign] if span else False for span in spans], dtype=bool) for sign in ".,"}
    return _Parts({".": point, ",": comma}, unit, bound, grouped)


@lru_cache(maxsize=4096)
def _span(pattern: str) -> _NumberSpan | None:
    """Where the number stands in words of this pattern; None if they are not numbers."""
    found = _PARTS.fullmatch(pattern)
    if not found or (found["sign"] and found["sign2"]) or (found["before"] and found["after"]):
        return None
    number = found["number"].translate(_SPACES)
    point, comma = _GROUPED.fullmatch(number), _GROUPED.fullmatch(number.translate(_SWAPPED))
    if not (point or comma):
        return None
    sign = "-" if (found["sign"] or found["sign2"]) in ("-", "−") else ""
    unit = (found["before"] or found["after"] or "").lower()
    grouped = {sign: bool(match and (match[2] or match[3])) for sign, match in ((".", point), (",", comma))}
    return _NumberSpan(sign, *found.span("number"), unit, bool(found["bound"]), grouped, bool(point), bool(comma))


def _one_unit(parts: _Parts, decimal: str) -> str:
    """The unit of the numbers, "" for none or more than one: kg and g are two scales."""
    units = set(parts.unit[~np.isnan(parts.values[decimal])])
    if len(units - {""}) != 1 or ("" in units and units & _MAGNITUDES):
        return ""
    return (units - {""}).pop()


def _notes(
    words: pd.Series, counts: np.ndarray, parts: _Parts, form: NumberFormat, good: np.ndarray, bounds: np.ndarray
) -> list[str]:
    """What was ignored or changed in order to read these words as numbers."""
    notes = ["the comma is the decimal sign"] if form.decimal == "," else []
    if (good & parts.grouped[form.decimal]).any():
        notes.append("thousands separators ignored")
    if form.unit:
        notes.append(f"the unit {quoted(_as_written(form.unit, words[good]))} ignored")
    if bounds.any():
        notes.append(f"{_cells(counts[bounds].sum())} such as {listed(words[bounds][:1])} read as the bound")
    return notes


def _as_written(unit: str, words: pd.Series) -> str:
    """The unit as the first word writes it; units are compared in lower case, so "kg" and "KG" are one."""
    for word in words:
        at = word.lower().find(unit)
        if at >= 0:
            return word[at : at + len(unit)]
    return unit


def _are(count: int) -> str:
    return "are not numbers" if count > 1 else "is not a number"


def _cells(count: int) -> str:
    return f"{count:,} cell{'s' if count > 1 else ''}"
