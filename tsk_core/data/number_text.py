"""Numbers as people write them, such as "-1.234,5 kg" or "<0,5": where the number stands, and which decimal signs fit it."""

import re
from functools import lru_cache
from typing import NamedTuple

from tsk_core.data.digit_patterns import LONGEST, digit_pattern

__all__ = ["OTHER_SIGN", "NumberSpan", "is_whole", "number_span", "value_of", "with_point"]

OTHER_SIGN = {".": ",", ",": "."}
_CURRENCY = "[$€£¥₹₽₩₺₴₫¢]"
_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|US[$]"
_SPACES = " \\xa0\\u2009\\u202f"
# Matched against digit patterns: every digit is a 0. No two parts match the same characters, and patterns are short.
_WRITTEN = re.compile(
    r"(?:(?P<bound>[<>≤≥]=?)|(?P<about>[~≈]|(?i:ca|circa|approx|about|etwa)\b\.?))?\s*"
    rf"(?P<sign>[+\-−–]?)\s*(?P<before>{_CURRENCY}|{_CODES})?\s*(?P<sign2>[+\-−–]?)"
    rf"(?P<number>(?=[.,]?0)[0.,'’{_SPACES}]*[0.,](?:[eE][+-]?0+)?)\s*"
    rf"(?P<after>[%‰°]|{_CURRENCY}|°?[^\W\d_]{{1,8}}(?:/[^\W\d_]{{1,3}})?[²³]?)?"
)
_WITH_POINT = re.compile(  # nobody separates thousands before an exponent: "5,551e4" has a decimal comma
    r"0*(\.0*)?([eE][+-]?0+)?|0{1,3}((?P<commas>,000)+|(?P<spaces>'000)+)(\.0*)?"
)
_LIKE_THOUSANDS = re.compile(r"^[1-9]\d{0,2}\.\d{3}(?!\d)")
_AS_APOSTROPHES = str.maketrans("’ \xa0\u2009\u202f", "'" * 5)
_SWAPPED = str.maketrans(",.", ".,")
_TO_POINT = {  # by decimal sign: to what ``float`` reads
    ".": str.maketrans("", "", ",'’ \xa0\u2009\u202f"),
    ",": str.maketrans(",", ".", ".'’ \xa0\u2009\u202f"),
}


class NumberSpan(NamedTuple):
    """How to read the number in a word. start, stop: where its digits and separators stand. sign: "-" or "".

    decimals: the decimal signs with which it is a number: ".", "," or, as of "1,234" and "5", ".,". grouped: those of them with
    which it has thousands separators. unit: in lower case, or "". bound: whether it is one, such as "<5". about: whether the
    word says that the number is not exact, such as "ca. 5".
    """

    start: int
    stop: int
    sign: str
    decimals: str
    grouped: str
    unit: str
    bound: bool
    about: bool


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
    if pattern.startswith("(") and pattern.endswith(")"):  # accountants write −5 as (5)
        inner = _span_of_pattern(pattern[1:-1])
        plain = inner and not (inner.sign or inner.bound or inner.about)
        return inner._replace(start=inner.start + 1, stop=inner.stop + 1, sign="-") if inner and plain else None
    match = _WRITTEN.fullmatch(pattern)
    if not match or (match["sign"] and match["sign2"]) or (match["before"] and match["after"]):
        return None
    number = match["number"].translate(_AS_APOSTROPHES)
    readings = {".": _WITH_POINT.fullmatch(number), ",": _WITH_POINT.fullmatch(number.translate(_SWAPPED))}
    decimals = "".join(sign for sign, reading in readings.items() if reading)
    if not decimals:
        return None
    grouped = "".join(sign for sign, reading in readings.items() if reading and (reading["commas"] or reading["spaces"]))
    sign = "-" if (match["sign"] or match["sign2"]) in ("-", "−", "–") else ""
    unit = (match["before"] or match["after"] or "").lower()
    return NumberSpan(*match.span("number"), sign, decimals, grouped, unit, bool(match["bound"]), bool(match["about"]))
