"""Dates and times as people write them, such as "5. März 2024, 14:30": where the date, the time of day and the zone stand."""

import re
from functools import lru_cache

from tsk_core.data.digit_patterns import LONGEST, digit_pattern

__all__ = ["moment_span"]

# Matched against digit patterns: every digit is a 0. Patterns are short, and no repeated part matches what its neighbour does.
_MONTH = r"[^\W\d_]{3,9}\.?"
_DATE = (
    r"0{1,4}[-/. ]\s?0{1,2}[-/. ]\s?0{2,4}|"  # 2024-03-05, 5.3.2024, 3/5/24
    rf"0{{1,2}}\.?[ -]{_MONTH},?[ -]0{{2,4}}|"  # 5 March 2024, 5-Mar-24
    rf"{_MONTH} 0{{1,2}},? 0{{4}}|{_MONTH}[ -]0{{4}}|0{{4}}[-/]0{{1,2}}"  # March 5, 2024; Mar 2024; 2024-03
)
_WHOLE = re.compile(
    rf"(?:[^\W\d_]{{2,9}}\.?, ?)?(?P<date>{_DATE})?(?:T|,? |\b)"
    r"(?:(?P<hour>0{1,2}):(?P<minute>00)(?::(?P<second>00(?:[.,]0{1,9})?))?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?| Uhr)?(?: ?(?P<zone>Z|UTC|GMT|[+-]00:?00))?"
)


def moment_span(word: str) -> dict[str, tuple[int, int]] | None:
    """Where "date", "hour", "minute", "second", "half" and "zone" stand in a word, (0, 0) if absent; None if it is no moment."""
    return _spans(digit_pattern(word)) if len(word) <= LONGEST else None


@lru_cache(maxsize=4096)
def _spans(pattern: str) -> dict[str, tuple[int, int]] | None:
    """The spans of date, hour, minute, … in words of this pattern, empty if absent; None if it is not a moment."""
    match = _WHOLE.fullmatch(pattern)
    if not match or not (match["date"] or match["hour"]) or (match["half"] and not match["hour"]):
        return None
    return {name: match.span(name) if match[name] else (0, 0) for name in _WHOLE.groupindex}
