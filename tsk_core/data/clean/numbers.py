"""Numbers written as text: thousands separators, decimal commas, units and currencies, bounds such as "<5"."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.gaps import AMONG_NUMBERS, LARGEST
from tsk_core.data.clean.shapes import LONGEST, sample, shape
from tsk_core.data.naming import listed, quoted

__all__ = ["NumberFormat", "ReadNumbers", "finite", "read_numbers"]

_CURRENCY = "[$€£¥₹₽₩₺₴₫¢]"
_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|US[$]"
# Matched against shapes: every digit is a 0. No two parts match the same characters, and a shape is short.
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
_MAGNITUDES = frozenset({"k", "mio", "mln", "bn", "mrd", "tsd"})  # 12k beside 500: not one scale


@dataclass(frozen=True)
class NumberFormat:
    """How a column writes its numbers. decimal: "." or ",". unit: beside the numbers, in lower case, or ""."""

    decimal: str = "."
    unit: str = ""

    def read(self, words: pd.Series) -> np.ndarray:
        """Words as float64, NaN where they are no numbers in this format; infinite values stay infinite."""
        return _parts(words).numbers(self)


@dataclass(frozen=True, eq=False)
class ReadNumbers:
    """A text column as numbers. format: how they are written. of_words: each word's number, NaN where it is none.

    share: of the filled cells that are numbers, words such as "-" not counted. said: what was looked past.
    """

    format: NumberFormat
    of_words: np.ndarray
    share: float
    said: tuple[str, ...] = ()


class _How(NamedTuple):
    """How words of one shape are taken apart. point, comma: whether they are numbers with that decimal sign."""

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
    """Words taken apart; arrays of one entry for each word. values: by decimal sign, NaN where a word is no such number."""

    values: dict[str, np.ndarray]
    unit: np.ndarray
    bound: np.ndarray
    grouped: dict[str, np.ndarray]

    def numbers(self, form: NumberFormat) -> np.ndarray:
        """The words that are numbers without a unit or with this one."""
        fits = self.unit == ""
        return np.where(fits | (self.unit == form.unit) if form.unit else fits, self.values[form.decimal], np.nan)


def read_numbers(cells: Cells) -> ReadNumbers:
    """Find out how a text column writes numbers. The result's ``share`` says whether it does at all."""
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
    """Each cell's number, float64, from that of each word; infinite ones are gaps."""
    return cells.spread(np.where(np.abs(of_words) > LARGEST, np.nan, of_words), np.nan)


def _learn(words: pd.Series, counts: np.ndarray, parts: _Parts, decimal: str) -> ReadNumbers:
    form = NumberFormat(decimal, _one_unit(parts, decimal))
    numbers = parts.numbers(form)
    bounds = parts.bound & ~np.isnan(numbers)
    # "<=50" and ">50" alone are two categories and not two numbers.
    if 2 * counts[bounds].sum() > counts[~np.isnan(numbers)].sum():
        numbers[bounds], bounds = np.nan, np.zeros_like(bounds)
    good = ~np.isnan(numbers)
    said = _said(words, counts, parts, form, good, bounds)
    gaps = np.zeros_like(good) if good.all() else ~good & words.str.lower().isin(AMONG_NUMBERS).to_numpy(bool)
    if gaps.any():
        said.append(f"{_cells(counts[gaps].sum())} saying {listed(words[gaps], 3)} made a gap")
    if (bad := ~good & ~gaps).any():
        said.append(f"{_cells(counts[bad].sum())} such as {listed(words[bad][:1])}, not a number, made a gap")
    filled = counts[~gaps].sum()
    return ReadNumbers(form, numbers, float(counts[good].sum() / filled) if filled else 0.0, tuple(said))


def _parts(words: pd.Series) -> _Parts:
    """Every word taken apart."""
    texts = words.tolist()
    point, comma = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    hows: list[_How | None] = []
    for k, word in enumerate(texts):
        how = _how(shape(word)) if len(word) <= LONGEST else None
        hows.append(how)
        if how is None:
            point[k] = comma[k] = _INFINITE.get(word.lower(), np.nan)
            continue
        number = word[how.start : how.stop]
        if how.point:
            point[k] = float(how.sign + number.translate(_POINT))
        if how.comma:
            comma[k] = float(how.sign + number.translate(_COMMA))
    unit = np.array([how.unit if how else "" for how in hows], dtype=object)
    bound = np.array([how.bound if how else False for how in hows], dtype=bool)
    grouped = {sign: np.array([how.grouped[sign] if how else False for how in hows], dtype=bool) for sign in ".,"}
    return _Parts({".": point, ",": comma}, unit, bound, grouped)


@lru_cache(maxsize=4096)
def _how(shape: str) -> _How | None:
    """How words of this shape are numbers; None where they are none."""
    found = _PARTS.fullmatch(shape)
    if not found or (found["sign"] and found["sign2"]) or (found["before"] and found["after"]):
        return None
    number = found["number"].translate(_SPACES)
    point, comma = _GROUPED.fullmatch(number), _GROUPED.fullmatch(number.translate(_SWAPPED))
    if not (point or comma):
        return None
    sign = "-" if (found["sign"] or found["sign2"]) in ("-", "−") else ""
    unit = (found["before"] or found["after"] or "").lower()
    grouped = {sign: bool(match and (match[2] or match[3])) for sign, match in ((".", point), (",", comma))}
    return _How(sign, *found.span("number"), unit, bool(found["bound"]), grouped, bool(point), bool(comma))


def _one_unit(parts: _Parts, decimal: str) -> str:
    """The unit that the numbers have, "" where there is none or more than one: kg and g do not make one scale."""
    units = set(parts.unit[~np.isnan(parts.values[decimal])])
    if len(units - {""}) != 1 or ("" in units and units & _MAGNITUDES):
        return ""
    return (units - {""}).pop()


def _said(
    words: pd.Series, counts: np.ndarray, parts: _Parts, form: NumberFormat, good: np.ndarray, bounds: np.ndarray
) -> list[str]:
    """What had to be looked past to read these words."""
    said = ["the comma is the decimal sign"] if form.decimal == "," else []
    if (good & parts.grouped[form.decimal]).any():
        said.append("thousands separators are left out")
    if form.unit:
        said.append(f"the unit {quoted(_as_written(form.unit, words[good]))} is left out")
    if bounds.any():
        said.append(f"{_cells(counts[bounds].sum())} such as {listed(words[bounds][:1])} taken at the bound")
    return said


def _as_written(unit: str, words: pd.Series) -> str:
    """The unit as the first word with it has it: units are compared in lower case, "kg" and "KG" are one."""
    for word in words:
        at = word.lower().find(unit)
        if at >= 0:
            return word[at : at + len(unit)]
    return unit


def _cells(count: int) -> str:
    return f"{count:,} cell{'s' if count > 1 else ''}"
