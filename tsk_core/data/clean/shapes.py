"""Shapes: a cell's text with every digit as a 0. A column has few, and a pattern is tried on each of them once."""

import pandas as pd

__all__ = ["LONGEST", "SAMPLE", "sample", "shape"]

LONGEST = 60  # characters; a longer cell is no number and no date, and no pattern has to walk through it
SAMPLE = 200  # words that are enough to see what a column does not hold
_DIGITS = str.maketrans("123456789", "0" * 9)


def shape(word: str) -> str:
    """The word with every digit as a 0: "1,234.5 kg" -> "0,000.0 kg"; places stay where they are."""
    return word.translate(_DIGITS)


def sample(words: pd.Series) -> pd.Series:
    """About ``SAMPLE`` of the words, from all over the column."""
    return words.iloc[:: max(1, len(words) // SAMPLE)]
