"""NA that may be no missing value but a code: North America among EU and AS, Namibia among countries, sodium among K and Ca."""

import re
from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import listed, quoted
from tsk_core.numbers import counted

__all__ = ["NA", "NAWord", "na_finding", "na_word"]

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
