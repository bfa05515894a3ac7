"""Numbers as people write them, such as "-1.234,5 kg" or "<0,5": where the number stands, and which decimal signs fit it."""

import re
from functools import lru_cache
from typing import NamedTuple

from tsk_core.data.digit_patterns import LONGEST, digit_pattern

__all__ = ["OTHER_SIGN", "NumberSpan", "is_currency", "is_whole", "number_span", "singular", "value_of", "with_point"]

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
