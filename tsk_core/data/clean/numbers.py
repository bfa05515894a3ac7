"""Numbers written as text: thousands separators, decimal commas, units and currencies, bounds such as "<5", labels."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from tsk_core.data.cell_text import LONGEST, OTHER_SIGN, is_currency, is_whole, number_span, sample, singular, value_of
from tsk_core.data.clean.cells import LARGEST, MISSING_AMONG_NUMBERS, MISSING_PHRASES, Cells
from tsk_core.data.naming import listed, quoted
from tsk_core.numbers import counted

# Numbers with a label, such as "5 - very much" at the end of a scale whose other cells are bare numbers.


_NUMBER = r"(?P<number>[+\-−]?[0-9]{1,6}(?:[.,][0-9]{1,2})?)"
_LABEL = r"(?P<label>[^\W\d_].*?)"
# "5 - very much", "5: very much", "5 = very much", "5. very much", "(5) very much", "5 (very much)", "5 very much"
_BEFORE = re.compile(rf"(?:\({_NUMBER}\)|{_NUMBER.replace('number', 'bare')}(?:\s*[-–—:=.)]|\s))\s*\(?{_LABEL}\)?")
_BEHIND = re.compile(rf"{_LABEL}\s*(?:\({_NUMBER}\)|=\s*{_NUMBER.replace('number', 'bare')})")  # "very much (5)"
_ENDS = 2  # of a scale
_MISSING = MISSING_PHRASES | (MISSING_AMONG_NUMBERS - {"none", "nil"})  # "0 - none" is 0


def labelled_numbers(words: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """The number of each word that is a number and a label, float64, NaN for others; and where its label says "missing", bool."""
    found = [_found(word) for word in words.tolist()]
    return np.array([number for number, _ in found], dtype=np.float64), np.array([missing for _, missing in found], dtype=bool)


def are_labelled(numbers: np.ndarray, labelled: np.ndarray, counts: np.ndarray) -> bool:
    """Whether labels stand beside some numbers of a column: of its two ends, of every other number, or of fewer cells than have
    bare numbers.

    numbers, labelled: of each word, NaN for words without; no word has both. counts: cells of each word.
    """
    bare, with_label = ~np.isnan(numbers), ~np.isnan(labelled)
    if not bare.any() or not with_label.any() or bare.sum() + with_label.sum() < 3:
        return False
    few = with_label.sum() <= max(_ENDS, bare.sum() + 1)
    return bool(few or counts[with_label].sum() <= counts[bare].sum())


def _found(word: str) -> tuple[float, bool]:
    match = (_BEFORE.fullmatch(word) or _BEHIND.fullmatch(word)) if len(word) <= LONGEST else None
    if match is None:
        return np.nan, False
    if match["label"].lower().strip() in _MISSING:
        return np.nan, True
    return float((match["number"] or match["bare"]).replace("−", "-").replace(",", ".")), False


_INFINITE = {f"{sign}{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in ("inf", "infinity")}
_MAGNITUDES = frozenset({"k", "mio", "mln", "bn", "mrd", "tsd"})  # 12k beside 500: two scales, and so is 12k beside 5M
_LARGE = frozenset({"m", "b"})  # a million and a billion, or metres and bytes
_FAMILIES = (  # units of one quantity, as people write them
    frozenset({"t", "kg", "g", "mg", "µg", "lb", "lbs", "oz"}),
    frozenset({"km", "m", "cm", "mm", "in", "ft", "mi"}),
    frozenset({"l", "dl", "cl", "ml"}),
    frozenset({"h", "min", "s", "ms"}),
    frozenset({"mmol/l", "mg/dl", "g/l", "g/dl"}),
    frozenset({"°c", "°f"}),
    frozenset({"kb", "mb", "gb", "tb"}),
)
_CODE = "[0-9]+E[0-9]{1,2}"
_GRADES = 6  # the last grade of schools that write 2-
NUMBER_SHARE = 0.9  # least share of numbers among filled cells, for a text column to count as numbers
MIXED = 0.1  # least share of percentages, and of shares, among numbers, for them to count as both
_SIGN_NAMES = {".": "point", ",": "comma"}


@dataclass(frozen=True)
class NumberFormat:
    """How a column writes its numbers. decimal: "." or ",". unit: beside the numbers, in lower case, or "".

    labelled: whether some have a label, such as "5 - very much".
    """

    decimal: str = "."
    unit: str = ""
    labelled: bool = False

    def read(self, words: pd.Series) -> np.ndarray:
        """Words of new rows as float64, NaN for words that are not numbers with this unit; infinite values stay infinite.

        A number that fits one decimal sign alone is read with it. One that fits both ("1,234") is read with the sign of
        this format, unless the other words fit the other sign alone.
        """
        readings = _readings(words)
        own, other = readings.fits_only(self.decimal), readings.fits_only(OTHER_SIGN[self.decimal])
        decimal = OTHER_SIGN[self.decimal] if other.any() and not own.any() else self.decimal
        numbers = readings.numbers(replace(self, decimal=decimal))
        return np.where(readings.is_number, numbers, labelled_numbers(words)[0]) if self.labelled else numbers

    @property
    def example(self) -> str:
        """A number in this format: "12,5 kg"."""
        return f"12{self.decimal}5 {self.unit}".rstrip()


@dataclass(frozen=True, eq=False)
class ReadNumbers:
    """A text column as numbers. format: how they are written. of_words: the number of each word, or NaN.

    share: of the filled cells that are numbers; words such as "-" are not counted. notes: what was ignored or changed.
    scales: a word for each unit of numbers that cannot be compared, such as "78 kg" and "54000 g"; else empty.
    code: a word such as "5E1", where those with an exponent are likelier codes than numbers; else "".
    """

    format: NumberFormat
    of_words: np.ndarray
    share: float
    notes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True, eq=False)
class _Readings:
    """Words as numbers; arrays with one entry for each word.

    values: by decimal sign, NaN for words that are not numbers with it. grouped: by decimal sign, whether the number then has
    thousands separators. unit, bound, about, last: as in ``NumberSpan``.
    """

    values: dict[str, np.ndarray]
    grouped: dict[str, np.ndarray]
    unit: np.ndarray
    bound: np.ndarray
    about: np.ndarray
    last: np.ndarray

    @property
    def is_number(self) -> np.ndarray:
        """Which words are numbers with one decimal sign at least, bool."""
        return ~(np.isnan(self.values["."]) & np.isnan(self.values[","]))

    def has(self, unit: str) -> np.ndarray:
        """Which words are numbers with this unit, or without one for "", bool."""
        return (self.unit == unit) & self.is_number

    def units(self, counts: np.ndarray) -> dict[str, int]:
        """The units of the numbers, "" where one has none, the most frequent first, each with the position of its first word.

        counts: cells of each word, (words,). A column may have as many units as words, so each is not looked for by itself.
        """
        at = np.flatnonzero(self.is_number)
        names, first, codes = np.unique(self.unit[at].astype(str), return_index=True, return_inverse=True)
        cells = np.bincount(codes, counts[at], minlength=len(names))
        return {str(names[k]): int(at[first[k]]) for k in np.lexsort((first, -cells))}

    def fits_only(self, decimal: str) -> np.ndarray:
        """Which words are numbers with this decimal sign and not with the other, bool."""
        return ~np.isnan(self.values[decimal]) & np.isnan(self.values[OTHER_SIGN[decimal]])

    def numbers(self, form: NumberFormat) -> np.ndarray:
        """The numbers of words without a unit or with the unit of ``form``; NaN for other words.

        Words that are numbers with the other decimal sign alone are read with that.
        """
        own, other = self.values[form.decimal], self.values[OTHER_SIGN[form.decimal]]
        with_unit = (self.unit == "") | (self.unit == singular(form.unit))
        return np.where(with_unit, np.where(np.isnan(own), other, own), np.nan)


def read_numbers(cells: Cells) -> ReadNumbers:
    """Detect how a text column writes numbers; ``share`` of the result is 0 if it contains none."""
    words = cells.words
    if all(np.isnan(values).all() for values in _readings(sample(words)).values.values()):
        return ReadNumbers(NumberFormat(), np.full(len(words), np.nan), 0.0)
    readings = _readings(words)
    points, commas = (cells.counts[readings.fits_only(sign)].sum() for sign in ".,")
    decimal = "," if commas > points else "."
    units = readings.units(cells.counts)
    mixed = {"", "%"} <= units.keys() and _are_shares_and_percentages(readings, cells.counts)
    form = NumberFormat(decimal, "" if mixed else _one_unit(units))
    scales = _scales(units, words, readings, cells.counts) if mixed or _are_apart(units) else ()
    return replace(_learn(words, cells.counts, readings, form), scales=scales, code=_code(words))


def finite(cells: Cells, of_words: np.ndarray) -> np.ndarray:
    """The number of each cell, float64, from that of each word; infinite numbers become missing."""
    return cells.spread(np.where(np.abs(of_words) > LARGEST, np.nan, of_words), np.nan)


def _learn(words: pd.Series, counts: np.ndarray, readings: _Readings, form: NumberFormat) -> ReadNumbers:
    numbers = readings.numbers(form)
    bounds = readings.bound & ~np.isnan(numbers)
    if _are_two_sides(numbers, bounds, counts):
        numbers[bounds], bounds = np.nan, np.zeros_like(bounds)
    in_parentheses = words.str.startswith("(").to_numpy(bool)
    if in_parentheses[~np.isnan(numbers)].all():  # "(1)" and "(2)" alone are answers and not negative numbers
        numbers = np.full_like(numbers, np.nan)
    if _are_ids(words[~np.isnan(numbers)], numbers[~np.isnan(numbers)]) or _are_grades(numbers, readings.last):
        numbers = np.full_like(numbers, np.nan)
    missing = np.zeros(len(words), dtype=bool)
    if np.isnan(numbers).any():
        missing = words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool)
        labelled, refused = labelled_numbers(words.mask(readings.is_number, ""))
        if are_labelled(numbers, labelled, counts):
            form = replace(form, labelled=True)
            numbers, missing = np.where(np.isnan(labelled), numbers, labelled), missing | refused
    good = ~np.isnan(numbers)
    notes = _notes(words, counts, readings, form, good)
    missing = missing & ~good
    if missing.any():
        notes.append(f"{counted(counts[missing].sum(), 'cell')} with {listed(words[missing], 3)} counted as missing")
    elsewhere = ~good & ~missing & readings.is_number & (readings.unit != form.unit)
    for which, what in ((elsewhere, " in another unit"), (~good & ~missing & ~elsewhere, "")):
        if (count := counts[which].sum()) > 0:
            what = what or (" that are not numbers" if count > 1 else " that is not a number")
            notes.append(f"{counted(count, 'cell')}{what}, such as {listed(words[which][:1])}, counted as missing")
    filled = counts[~missing].sum()
    return ReadNumbers(form, numbers, float(counts[good].sum() / filled) if filled else 0.0, tuple(notes))


def _are_ids(words: pd.Series, numbers: np.ndarray) -> bool:
    """Whether these are digits alone and some no float64 holds: ids or codes, of which the last digits count."""
    return bool((np.abs(numbers) > 2.0**53).any()) and all(map(is_whole, words))


def _are_two_sides(numbers: np.ndarray, bounds: np.ndarray, counts: np.ndarray) -> bool:
    """Whether bounds are two categories, as "<=50" and ">50" alone, and not numbers: most cells are bounds, hardly another is a
    number, and a bound occurs in two ways.
    """
    exact = ~np.isnan(numbers) & ~bounds
    if 2 * counts[bounds].sum() <= counts[bounds | exact].sum() or len(np.unique(numbers[exact])) > 1:
        return False
    return bounds.sum() < 3 or len(np.unique(numbers[bounds])) < bounds.sum()


def _are_grades(numbers: np.ndarray, last: np.ndarray) -> bool:
    """Whether signs behind numbers grade them, as 1-, 2+ and 3, and make none negative."""
    below = (last == "-") & ~np.isnan(numbers)
    if not below.any():
        return False
    sizes = np.abs(numbers[~np.isnan(numbers)])
    return bool((last == "+").any() or ((sizes % 1 == 0) & (sizes <= _GRADES)).all())


def _code(words: pd.Series) -> str:
    """The first word such as "5E1", which is likelier a code where no number of the column has decimals or a signed exponent."""
    texts = words[words.str.contains("E", regex=False)]
    texts = texts[texts.str.contains("[0-9]E[+-]?[0-9]")]
    if not len(texts) or not texts.str.fullmatch(_CODE).all() or words.str.contains("[0-9][.,]|[.,][0-9]|[0-9]e").any():
        return ""
    return str(texts.iloc[0])


def _readings(words: pd.Series) -> _Readings:
    """Read every word with each decimal sign."""
    texts = words.tolist()
    spans = [number_span(word) for word in texts]
    values = {sign: np.full(len(texts), np.nan) for sign in ".,"}
    for k, (word, span) in enumerate(zip(texts, spans, strict=True)):
        for sign in span.decimals if span else ".,":
            values[sign][k] = value_of(word, span, sign) if span else _INFINITE.get(word.lower(), np.nan)
    return _Readings(
        values,
        {sign: np.array([span is not None and sign in span.grouped for span in spans], dtype=bool) for sign in ".,"},
        np.array([span.unit if span else "" for span in spans], dtype=object),
        np.array([span is not None and span.bound for span in spans], dtype=bool),
        np.array([span is not None and span.about for span in spans], dtype=bool),
        np.array([span.last if span else "" for span in spans], dtype=object),
    )


def _one_unit(units: Collection[str]) -> str:
    """The unit of the numbers, "" for none or more than one: kg and g are two scales, and so are 12k and 500."""
    with_unit = [unit for unit in units if unit]
    return with_unit[0] if len(with_unit) == 1 and not ("" in units and with_unit[0] in _MAGNITUDES) else ""


def _are_apart(units: Collection[str]) -> bool:
    """Whether numbers with these units are known to have more than one scale."""
    found = {*units}
    return (
        any(len(family & found) > 1 for family in _FAMILIES)
        or sum(map(is_currency, units)) > 1
        or (bool(_MAGNITUDES & found) and ("" in units or len((_MAGNITUDES | _LARGE) & found) > 1))
    )


def _are_shares_and_percentages(readings: _Readings, counts: np.ndarray) -> bool:
    """Whether 0.5 stands beside 50%: a tenth of the numbers at least are percentages, a tenth lie between 0 and 1 without the
    sign, and none of these is above 1.
    """
    plain, percentages = readings.has(""), readings.has("%")
    values = np.fmax(np.abs(readings.values["."]), np.abs(readings.values[","]))
    least = MIXED * counts[plain | percentages].sum()
    between = plain & (values > 0) & (values < 1)
    return bool(
        min(counts[percentages].sum(), counts[between].sum()) >= max(1, least) and not (values[plain] > 1).any()
        and (values[percentages] > 1).any()
    )  # fmt: skip


def _scales(units: Mapping[str, int], words: pd.Series, readings: _Readings, counts: np.ndarray) -> tuple[str, ...]:
    """A word for each unit, where most cells are numbers; else none."""
    missing = words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool)
    if 2 * counts[readings.is_number].sum() <= counts[~missing].sum():
        return ()
    return tuple(words.iloc[at] for at in units.values())


def _notes(words: pd.Series, counts: np.ndarray, readings: _Readings, form: NumberFormat, good: np.ndarray) -> list[str]:
    """What was ignored or changed in order to read these words as numbers."""
    other = OTHER_SIGN[form.decimal]
    with_other = good & readings.fits_only(other)
    notes = ["the comma is the decimal sign"] if form.decimal == "," else []
    if (good & np.where(with_other, readings.grouped[other], readings.grouped[form.decimal])).any():
        notes.append("thousands separators ignored")
    if form.unit:
        with_unit, filled = counts[good & (readings.unit == form.unit)].sum(), counts[good].sum()
        part = "" if with_unit == filled else f" (in {with_unit:,} of {filled:,} cells)"
        notes.append(f"the unit {quoted(_as_written(form.unit, words[good]))}{part} ignored")
    if words[good].str.match("0[0-9]").any():
        notes.append("leading zeros ignored")
    in_parentheses = words.str.contains("(", regex=False).to_numpy(bool)
    for which, how in (
        (with_other, f"with a decimal {_SIGN_NAMES[other]}"),
        (good & readings.bound, "as the bound"),
        (good & readings.about, "as exact"),
        (good & readings.is_number & (in_parentheses | (readings.last == "-")), "as negative"),
        (good & ~readings.is_number, "without the label"),
    ):
        if which.any():
            notes.append(f"{counted(counts[which].sum(), 'cell')} such as {listed(words[which][:1])} read {how}")
    return notes


def _as_written(unit: str, words: pd.Series) -> str:
    """The unit as the first word writes it; units are compared in lower case, so "kg" and "KG" are one."""
    for word in words:
        at = word.lower().find(unit)
        if at >= 0:
            plural = word[at + len(unit) :][:1] in ("s", "S")
            return word[at : at + len(unit) + plural]
    return unit
