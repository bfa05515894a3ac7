"""Dates and times as people write them, such as "5. März 2024, 14:30": where the date, the time of day and the zone stand."""

import re
from functools import lru_cache

from tsk_core.data.digit_patterns import LONGEST, digit_pattern

__all__ = ["ZONES", "looks_like_date", "moment_span"]

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
