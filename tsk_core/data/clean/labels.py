"""Numbers with a label, such as "5 - very much" at the end of a scale whose other cells are bare numbers."""

import re

import numpy as np
import pandas as pd

from tsk_core.data.clean.missing import MISSING_AMONG_NUMBERS, MISSING_PHRASES
from tsk_core.data.digit_patterns import LONGEST

__all__ = ["are_labelled", "labelled_numbers"]

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
