"""Numbers and moments as people write them: where they stand in a cell, and how they are read."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 60  # characters; a longer cell is neither a number nor a date
SAMPLE = 200  # words; enough to rule out numbers or dates
_DIGITS = str.maketrans("123456789", "0" * 9)


def digit_pattern(word: str) -> str:
    """The word with every digit as a 0: "1,234.5 kg" -> "0,000.0 kg"; positions do not change."""
    return word.translate(_DIGITS)


def sample(words: "pd.Series") -> "pd.Series":
    """About ``SAMPLE`` of the words, spread evenly over the column."""
    return words.iloc[:: max(1, len(words) // SAMPLE)]


# Dates and times as people write them, such as "5. März 2024, 14:30": where the date, the time of day and the zone stand.


ZONES = {  # hours ahead of UTC, of those that mail programs know and of Europe
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "BST": 1, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "AEST": 10,
    "AEDT": 11,
}  # fmt: skip
# Matched against digit patterns: every digit is a 0. Patterns are short, and no repeated part matches what its neighbour does.
_MONTH = r"[^\W\d_]{3,14}\.?"
_OF = r"(?: (?:of|de|del) | d[’']|[-/ ])"
_DAY = r"0{1,2}(?:st|nd|rd|th|er|[.ºª°])?"
_DATE = (
    r"0{1,4}(?P<sign>[-/. ])\s?0{1,2}(?P=sign)\s?0{2,4}|0{4}(?P<same>[-/. ])\s?0{1,2}(?P=same)\s?0{1,2}\.?|"  # 2024-03-05, 5.3.24
    r"0{4}[年년] ?0{1,2}[月월](?: ?0{1,2}[日일])?|"
    rf"{_DAY}{_OF}{_MONTH},?{_OF}0{{2,4}}|"  # 5 March 2024, 5-Mar-24, 5 de marzo de 2024
    rf"0{{4}}\.?[-/ ]{_MONTH}[-/ ]0{{1,2}}\.?|{_MONTH} {_DAY},? 0{{4}}|"  # 2024-Mar-05; March 5, 2024
    rf"{_MONTH}{_OF}0{{4}}|{_MONTH}-00|0{{4}}[-/]0{{1,2}}|0{{1,2}}/0{{4}}"  # Mar 2024, Mar-24, 2024-03, 03/2024
)
_WHOLE = re.compile(
    rf"(?P<weekday>[^\W\d_]{{2,12}}(?:-feira)?\.?,? ?)??(?P<date>{_DATE})?(?:T|,? (?:(?:at|um|à|às|alle|- ) ?)?|\b|$)"
    r"(?:(?:(?P<noon>[上下]午|午[前後]|오[전후]) ?)?(?P<hour>0{1,2})[:h](?P<minute>00)(?::(?P<second>00(?:[.,]0{1,9})?))?)?"
    r"(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?| Uhr)?"
    rf"(?: ?(?P<zone>(?:UTC|GMT)?[+-]00:?00|(?:UTC|GMT)[+-]0{{1,2}}(?::00)?|(?(hour)[+-]00|)|{'|'.join(ZONES)}))?"
    r"(?: ?(?:\([^()]*\)|\[[^][]*\]))?"  # (Eastern Standard Time), [Europe/Paris]
)
_PARTS = ("date", "hour", "minute", "second", "half", "noon", "zone")
# What may be a date, though its order, its month or its day is not known: three parts with a year, a quarter or a week.
_LIKE = re.compile(
    r"(?:[^\W\d_]{2,12}\.?,? )?(?:0{1,2}(?P<one>[-/.])(?:0{1,2}|[^\W\d_]{3,14}\.?)(?P=one)(?:00){1,2}"
    r"|0{4}(?P<two>[-/.])(?:0{1,2}|[^\W\d_]{3,14})(?P=two)0{1,2}|"
    rf"{_DAY}{_OF}[^\W\d_]{{3,14}}\.?,?{_OF}0{{4}}|[^\W\d_]{{3,14}}\.? {_DAY},? 0{{4}})\b.{{0,40}}"
    r"|0{4}[- ]?(?:Q|W|KW)0{1,2}|(?:Q|KW ?)0{1,2}[-/ ]0{4}"
)


def moment_span(word: str) -> dict[str, tuple[int, int]] | None:
    """Where "date", "hour", "minute", "second", "half", "noon" and "zone" stand in a word, (0, 0) if absent; None if it is no
    moment.
    """
    return _spans(digit_pattern(word)) if len(word) <= LONGEST else None


def looks_like_date(word: str) -> bool:
    """Whether a word is written as dates are, whether or not it is one."""
    return len(word) <= LONGEST and _LIKE.fullmatch(digit_pattern(word)) is not None


@lru_cache(maxsize=4096)
def _spans(pattern: str) -> dict[str, tuple[int, int]] | None:
    """The spans of date, hour, minute, … in words of this pattern, empty if absent; None if it is not a moment."""
    match = _WHOLE.fullmatch(pattern)
    if not match or not (match["date"] or match["hour"]) or (match["half"] and not match["hour"]):
        return None
    if match["weekday"] and not match["date"] and "," not in match["weekday"]:  # "Hall 10:30"
        return None
    return {name: match.span(name) if match[name] else (0, 0) for name in _PARTS}


# Numbers as people write them, such as "-1.234,5 kg" or "<0,5": where the number stands, and which decimal signs fit it.


OTHER_SIGN = {".": ",", ",": "."}
# "R$" and "NT$" are signs too. Other letters before a number count only if they are a currency: "P1203" is no number.
_SIGNS = "[A-Z]{0,2}[$€£¥₹₽₩₺₴₫¢₱₪฿₦₡₸₵₲₮₭]"
_NAMES = (
    "AED|ARS|AUD|BDT|BGN|BOB|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|GBP|GEL|HKD|HUF|IDR|ILS|INR|ISK|JPY|KES|KRW|KZT|MAD|MXN|MYR"
    "|NGN|NOK|NZD|PEN|PHP|PKR|PLN|RON|RSD|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|USD|UYU|VND|ZAR|Bs|Ft|Fr|Kč|KSh|Rp|RM|Rs|S/|TL|Tk"
    "|[Kk]r|[Ll]ei|zł|руб"
)
_CURRENCY = rf"(?:{_SIGNS}|(?:{_NAMES})\.?)"
_CURRENCY_UNIT = re.compile(_CURRENCY, re.IGNORECASE)
_SPACES = " \\xa0\\u2007\\u2009\\u202f"
# Ends that are open, in words: "under 18", "85 and over"; in English and its neighbours.
_SIDE = (
    "under|below|up to|less than|fewer than|at most|unter|bis|höchstens|weniger als|moins de|menos de|meno di|over|above"
    "|more than|at least|über|ab|mindestens|mehr als|plus de|más de|mais de|più di"
)
_AND = "or|and|oder|und|ou|et|o|y|e"
_BEYOND = (
    "more|over|above|older|greater|less|fewer|under|below|younger|mehr|älter|darüber|weniger|jünger|darunter|plus|moins|más|menos"
    "|mais|più|oltre|meno"
)
# Matched against digit patterns: every digit is a 0. No two parts match the same characters, and patterns are short.
_WRITTEN = re.compile(
    rf"(?:(?P<bound>[<>≤≥]=?|(?i:{_SIDE})\s)|(?P<about>[~≈]|(?i:ca|circa|approx|about|etwa)\b\.?))?\s*"
    rf"(?P<sign>[+\-−–]?)\s*(?P<before>{_CURRENCY})?\s*(?P<sign2>[+\-−–]?)"
    rf"(?P<number>(?=[.,]?0)[0.,'’´`{_SPACES}]*[0.,](?:[eE][+-]?0+)?)"
    rf"(?:\s?(?P<minus>(?<![.,])[\-−–])(?=\s?{_CURRENCY}?$)|(?<=[.,])[\-–—]{{1,2}}|/-|(?P<plus>\+))?\s*"  # 12,-: no cents
    rf"(?P<after>[%‰°]|{_SIGNS}|(?!(?i:plus|more|(?:{_AND})\s[^\W\d_]+)\b)°?[^\W\d_]{{1,8}}(?:/[^\W\d_]{{1,3}})?[²³]?\.?)?"
    rf"(?P<minus2>(?<=[$€£])-)?(?P<open>\s?(?i:\+|plus|more|(?:{_AND}) ?(?:{_BEYOND})))?"
)
_IN_PARENTHESES = re.compile(rf"(?P<before>{_CURRENCY})?\s?\((?P<inside>.*)\)")
_WITH_POINT = re.compile(  # nobody separates thousands before an exponent: "5,551e4" has a decimal comma
    r"0*(\.0*)?([eE][+-]?0+)?|0{1,3}((?P<commas>,000)+|(?P<spaces>'000)+|(?P<both>'000,000))(\.0*)?"
)
_INDIAN = re.compile(r"0{1,2}(?P<commas>(,00)+,000)(\.0*)?")  # 12,34,567.5
_LIKE_THOUSANDS = re.compile(r"^[1-9]\d{0,2}\.\d{3}(?!\d)")
_AS_APOSTROPHES = str.maketrans(dict.fromkeys("’´` \xa0\u2007\u2009\u202f", "'"))
_SWAPPED = str.maketrans(",.", ".,")
_TO_POINT = {  # by decimal sign: to what ``float`` reads
    ".": str.maketrans("", "", ",'’´` \xa0\u2007\u2009\u202f"),
    ",": str.maketrans(",", ".", ".'’´` \xa0\u2007\u2009\u202f"),
}


class NumberSpan(NamedTuple):
    """How to read the number in a word. start, stop: where its digits and separators stand. sign: "-" or "".

    decimals: the decimal signs with which it is a number: ".", "," or, as of "1,234" and "5", ".,". grouped: those of them with
    which it has thousands separators. unit: in lower case, or "". bound: whether it is one, such as "<5" or "5+". about: whether
    the word says that the number is not exact, such as "ca. 5". last: a sign behind the number, "-" as in "5-", "+" or "".
    """

    start: int
    stop: int
    sign: str
    decimals: str
    grouped: str
    unit: str
    bound: bool
    about: bool
    last: str = ""


def number_span(word: str) -> NumberSpan | None:
    """Where the number stands in a word without outer spaces; None if it is not a number with at most a unit and a sign."""
    span = _span_of_pattern(digit_pattern(word)) if len(word) <= LONGEST else None
    if span is None or not span.grouped or word[span.start] != "0":
        return span
    decimals = "".join(sign for sign in span.decimals if sign not in span.grouped)  # "0,125" is not 125
    return span._replace(decimals=decimals, grouped="") if decimals else None


def is_whole(word: str) -> bool:
    """Whether a word is digits alone, with a sign at most."""
    return len(word) <= LONGEST and word.lstrip("+-").isdecimal()


def is_currency(unit: str) -> bool:
    """Whether a unit of a ``NumberSpan`` is a currency."""
    return _CURRENCY_UNIT.fullmatch(unit) is not None


def singular(unit: str) -> str:
    """A unit in lower case without the s of its plural: "years" and "year" are one."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


def value_of(word: str, span: NumberSpan, decimal: str) -> float:
    """The number in a word, read with one of the signs of ``span.decimals``."""
    return float(span.sign + word[span.start : span.stop].translate(_TO_POINT[decimal]))


def with_point(word: str, span: NumberSpan) -> str:
    """A word of a file with decimal commas, its number written with a point: "1.234,5 kg" -> "1234.5 kg".

    No reader can take the point for a thousands separator: "1,234" becomes "1.2340". Numbers without a comma or point, and
    those that do not fit a decimal comma, stay as they are.
    """
    digits = word[span.start : span.stop]
    if "," not in span.decimals or not ("," in digits or "." in digits):
        return word
    point = _LIKE_THOUSANDS.sub(r"\g<0>0", digits.translate(_TO_POINT[","]))
    return word[: span.start] + point + word[span.stop :]


@lru_cache(maxsize=4096)
def _span_of_pattern(pattern: str) -> NumberSpan | None:
    """Where the number stands in words of this pattern; None if they are not numbers."""
    if accounted := _IN_PARENTHESES.fullmatch(pattern):  # accountants write −5 as (5), and −$5 as $(5)
        inner, at = _span_of_pattern(accounted["inside"]), accounted.start("inside")
        if not inner or inner.sign or inner.bound or inner.about or (accounted["before"] and inner.unit):
            return None
        unit = _unit(accounted["before"]) or inner.unit
        return inner._replace(start=inner.start + at, stop=inner.stop + at, sign="-", unit=unit)
    match = _WRITTEN.fullmatch(pattern)
    if not match or (match["before"] and match["after"]):
        return None
    signs = [match[name] for name in ("sign", "sign2", "minus", "minus2") if match[name]]
    opened = match["plus"] or match["open"]
    if len(signs) > 1 or (match["bound"] and opened) or (match["plus"] and match["open"]):
        return None
    number = match["number"].translate(_AS_APOSTROPHES)
    plain = _WITH_POINT.fullmatch(number) or _INDIAN.fullmatch(number)
    readings = {".": plain, ",": _WITH_POINT.fullmatch(number.translate(_SWAPPED))}
    decimals = "".join(sign for sign, reading in readings.items() if reading)
    if not decimals:
        return None
    grouped = "".join(s for s, found in readings.items() if found and any(found.groupdict().values()))
    sign = "-" if signs and signs[0] != "+" else ""
    last = "-" if match["minus"] or match["minus2"] else "+" if opened and opened.strip() == "+" else ""
    unit, bound = _unit(match["before"] or match["after"]), bool(match["bound"] or opened)
    return NumberSpan(*match.span("number"), sign, decimals, grouped, unit, bound, bool(match["about"]), last)


def _unit(written: str | None) -> str:
    return singular((written or "").lower().rstrip("."))
