"""Codes for missing values: cells such as "-99" or "k. A." that a person declared to be missing values."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.cell_text import number_span, value_of
from tsk_core.data.choices import EVERY
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import read_dates
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import listed, quoted, with_counts
from tsk_core.numbers import counted, minus

CHECK = "missing code"


def without_codes(cells: Cells, codes: tuple[str, ...]) -> Cells:
    """The same column with the cells that are one of the codes missing; ``coded`` of the result counts them.

    Numbers are equal by value, "-99" as "−99,0" or "-99 kg", and dates of a column of dates by moment; other cells by their
    letters in any case. A code that can be read in two ways, such as "9,999", equals only the same text.
    """
    if not codes:
        return cells
    which = _in_text(cells.words, codes) if cells.kind == "text" else _in_values(cells, codes)
    found = which >= 0
    counts = np.bincount(which[found], cells.counts[found] if cells.kind == "text" else None, minlength=len(codes))
    coded = dict(zip(codes, counts.astype(int).tolist(), strict=True))
    if not found.any():
        return replace(cells, coded=coded)
    if cells.kind == "text":
        places = np.append(np.where(found, -1, np.cumsum(~found) - 1), -1)  # code -1 takes the last entry
        return replace(cells, codes=places[cells.codes], words=cells.words[~found].reset_index(drop=True), coded=coded)
    values = cells.values.astype(np.float64) if cells.kind == "number" else cells.values.copy()
    values[found] = np.nan if cells.kind == "number" else values.dtype.type("NaT")
    return replace(cells, values=values, coded=coded)


def _in_values(cells: Cells, codes: tuple[str, ...]) -> np.ndarray:
    """The code that each number, date or duration is, as its position, -1 for none, int64 (N,)."""
    which = np.full(len(cells.values), -1)
    for k, code in enumerate(codes):
        value = _number(code) if cells.kind == "number" else _moment(code, cells.values.dtype)
        if value is not None:
            which[cells.values == value] = k
    return which


def _in_text(words: pd.Series, codes: tuple[str, ...]) -> np.ndarray:
    """The code that each distinct word is, as its position, -1 for none, int64."""
    which, folded = np.full(len(words), -1), words.str.casefold().to_numpy(object)
    numbers: dict[float | None, int] = {number: k for k, code in enumerate(codes) if (number := _number(code)) is not None}
    if numbers:
        which = np.array([numbers.get(_number(word), -1) for word in words.tolist()], dtype=np.int64)
    for k, code in enumerate(codes):
        which[folded == code.strip().casefold()] = k
    return which


def _number(text: str) -> float | None:
    """The number in a text, without its unit; None for other text, for a bound, and for two numbers by its decimal sign."""
    span = number_span(text.strip())
    if span is None or span.bound or span.about:
        return None
    values = {value_of(text.strip(), span, sign) for sign in span.decimals}
    return values.pop() if len(values) == 1 else None


def _moment(code: str, dtype: np.dtype) -> np.datetime64 | np.timedelta64 | None:
    """The moment that a code is in a column of this type, or None."""
    read = read_dates(Cells.of(pd.Series([code], name="", dtype="str")))
    return read.moments[0] if read and read.moments.dtype.kind == dtype.kind else None


def printed_code(code: str) -> str:
    """A code for a sentence: a number with a minus sign, other text in quotes."""
    return quoted(code) if _number(code) is None else minus(code.strip())


def code_findings(codes: Mapping[str, tuple[str, ...]], coded: Mapping[str, Mapping[str, int]]) -> list[Finding]:
    """What the codes made missing, and a warning for those that no cell has.

    codes: as in ``Choices``. coded: column -> code -> number of cells, for all columns of the table.
    """
    found: dict[str, dict[str, int]] = {}
    for column, counts in coded.items():
        for code, count in counts.items():
            if count:
                found.setdefault(code, {})[column] = count
    findings = [_made_missing(code, columns) for code, columns in found.items()]
    for column, cells in codes.items():
        unused = [code for code in cells if not (code in found if column == EVERY else coded[column][code])]
        if unused:
            listed = " or ".join(map(printed_code, unused))
            fact = f"No cell of the table is {listed}." if column == EVERY else f"No cell of column {quoted(column)} is {listed}."
            advice = "Write a code for missing values as it appears in the cells."
            named = () if column == EVERY else (column,)
            findings.append(Finding(fact, "The code is kept for new rows.", advice, "warning", named, "codes", CHECK))
    return findings


def _made_missing(code: str, columns: Mapping[str, int]) -> Finding:
    total = sum(columns.values())
    fact = f"{counted(total, 'cell is', 'cells are')} {printed_code(code)}"
    fact = f"Column {quoted(next(iter(columns)))}: {fact}." if len(columns) == 1 else f"{fact}: {with_counts(columns)}."
    return Finding(fact, "Counted as missing, as you chose.", columns=tuple(columns), choice="codes", check=CHECK)


# NA that may be no missing value but a code: North America among EU and AS, Namibia among countries, sodium among K and Ca.


NA = "NA as a code"  # the check
_WORDS = ("NA", "Na", "na")
_ALIKE = {"NA": re.compile("[A-Z]{2}"), "na": re.compile("[a-z]{2}"), "Na": re.compile("[A-Z][a-z]?")}
_SHARE, _LEAST = 0.6, 2  # of the other words, and how many of them, are codes of the same form
_REGIONS = frozenset({"EMEA", "APAC", "LATAM", "MENA", "ANZ", "DACH", "AMER", "CALA"})  # beside which NA is North America
_NO_CODES = frozenset({"no", "si", "sí", "ja", "ne", "da", "ok", "nd"})  # answers, beside which NA is none


class NAWord(NamedTuple):
    """A word of a column that counts as missing. cells: with it. others: the codes like it, none where it is likely no code."""

    text: str
    cells: int
    others: list[str]


def na_word(column: pd.Series, kept: Collection[str] = ()) -> NAWord | None:
    """The word NA of a column of text, as most of its cells write it; None for none. kept: words that are no missing values."""
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
        return None
    counts = column.value_counts()
    words = pd.Series(counts.to_numpy(), index=[str(word).strip() for word in counts.index]).groupby(level=0).sum()
    found = words[words.index.isin(_WORDS) & ~words.index.isin(list(kept))]
    if found.empty:
        return None
    text = str(found.idxmax())
    return NAWord(text, int(found[text]), _codes_like(text, [word for word in words.index if word not in _WORDS]))


def na_finding(column: str, word: NAWord, done: str, what: str) -> Finding:
    """What NA cells became, and the button that keeps them. done: what became of them. what: "class" or "category"."""
    like = f", like the codes {listed(word.others, 3)}" if word.others else ""
    fact = f"Column {quoted(column)}: {counted(word.cells, 'cell is', 'cells are')} {word.text}{like}."
    advice = f"Keep {word.text} as a {what} if it is a code, and does not say that nothing is known."
    remedy = Remedy(f"Keep {word.text} as a {what}", {"not_missing": {column: (word.text,)}})
    return Finding(fact, done, advice, "warning", (column,), "not_missing", NA, remedy)


def _codes_like(text: str, others: list[str]) -> list[str]:
    """The other words if they are codes of two letters like this one, or regions of the world."""
    alike = [word for word in others if _ALIKE[text].fullmatch(word)]
    if len(alike) >= max(_LEAST, _SHARE * len(others)) and not any(word.casefold() in _NO_CODES for word in alike):
        return alike
    return others if text == "NA" and any(word in _REGIONS for word in others) else []
