"""Digit patterns: the text of a cell with every digit as a 0. A column has few of them, so each is parsed only once."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the process that reads files does not load pandas
    import pandas as pd

__all__ = ["LONGEST", "SAMPLE", "digit_pattern", "sample"]

LONGEST = 60  # characters; a longer cell is neither a number nor a date
SAMPLE = 200  # words; enough to rule out numbers or dates
_DIGITS = str.maketrans("123456789", "0" * 9)


def digit_pattern(word: str) -> str:
    """The word with every digit as a 0: "1,234.5 kg" -> "0,000.0 kg"; positions do not change."""
    return word.translate(_DIGITS)


def sample(words: "pd.Series") -> "pd.Series":
    """About ``SAMPLE`` of the words, spread evenly over the column."""
    return words.iloc[:: max(1, len(words) // SAMPLE)]
