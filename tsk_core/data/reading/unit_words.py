"""Words that say what a column holds, such as "kg", "[m/s]", "continuous" or "varchar(20)", and are no values."""

import re

__all__ = ["is_flag", "is_type", "is_unit_or_type"]

_TYPES = re.compile(
    r"continuous|discrete|string|time|class|meta|ignore|skip|weight|numeric|nominal|ordinal|categorical|category|real|integer|int"
    r"|u?int(?:8|16|32|64)|long|short|float(?:32|64)?|double|decimal|number|bool(?:ean)?|logical|factor|char(?:acter)?|str|text"
    r"|object|date|datetime(?:64\[ns\])?|timestamp|binary|label|id|feature|target|input|output|unitless|dimensionless|none|counts?"
    r"|index|code|n/a|(?:var)?char2?\(\d+\)|(?:decimal|numeric|number|int)\(\d+(?:, ?\d+)?\)|(?:tiny|small|big)int",
    re.IGNORECASE,
)
_BASE = (
    r"s|secs?|seconds?|mins?|minutes?|hr?s?|hours?|d|days?|wk|weeks?|mo|months?|yr?s?|years?|a|m|metres?|meters?|in|inch(?:es)?|ft"
    r"|feet|mi|miles?|yd|gr?|grams?|t|tons?|tonnes?|lbs?|oz|N|Pa|bar|psi|atm|[tT]orr|J|cal|eV|Wh?|V|A|C|K|F|l|L|ltr|lit(?:re|er)s?"
    r"|mol|M|Hz|pp[mbt]|pH|dBA?|lx|lux|lm|cd|rad|deg[CF]?|degrees|rpm|bpm|mmHg|USD|EUR|GBP|CHF|JPY|INR|BRL|BTC|px|pt|pixels|dpi"
    r"|bit|byte|Bq?|Gy|Sv|Ω|ohm|S|T|Wb|H|IU|U|pcs|psu|NTU|FTU|kts?|knots|[mk]ph|sq|ha|acres?|std|x|Å|%|‰|°[CF]?|℃|['\"€$£¥₹]|people"
    r"|persons|units"
)
_UNIT = rf"(?:[yzafpnuµμmcdhkMGTP]|da)?(?:{_BASE})"
_POWER = r"(?:\^?[-−+]?\d|[²³¹⁻]{1,2})?"
_UNITS = re.compile(rf"(?:1/|10\^?\d{{1,2}}[ ·*×/]?|10{{1,6}} )?{_UNIT}{_POWER}(?:(?:\s*[/·*×]\s*|[ ._]){_UNIT}{_POWER}){{0,4}}")
_BRACKETS = re.compile(r"[\[(<{].{0,40}[\])>}]")
_DATES = re.compile(r"[dmyhs]{1,4}(?:[-/:. t][dmyhs]{1,4}){1,5}", re.IGNORECASE)
_OF_ORANGE = re.compile(r"[dcstimw]|\d{1,3}[sdnf]|\w+=\S+(?: \w+=\S+)*|\{\"ImportId\".*\}", re.DOTALL)
_FLAGS = ("class", "meta", "ignore", "skip", "weight", "i", "m", "w")  # of Orange
_ATTRIBUTES = re.compile(r"\w+=\S+(?: \w+=\S+)*")
_LONGEST = 200
_NOTHING = ("-", "--", "–", "—", ".", "/")


def is_unit_or_type(text: str) -> bool:
    """Whether a text can be the unit or the type of a column, or says that it has none."""
    patterns = (_TYPES, _UNITS, _BRACKETS, _OF_ORANGE, _DATES)
    return text in _NOTHING or (len(text) <= _LONGEST and any(pattern.fullmatch(text) for pattern in patterns))


def is_type(text: str) -> bool:
    """Whether a text is a word for a type, or a unit in brackets, rather than a category."""
    return 1 < len(text) <= _LONGEST and (_TYPES.fullmatch(text) is not None or (text[0] == "[" and text[-1] == "]"))


def is_flag(text: str) -> bool:
    """Whether a text says in Orange's third line what a column is for."""
    return text.lower() in _FLAGS or (len(text) <= _LONGEST and _ATTRIBUTES.fullmatch(text) is not None)
