"""Words that stand for a missing value, in columns of categories."""

from collections.abc import Iterator

import numpy as np

from tsk_core.data.check.checked import Checked
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.missing import MISSING_AMONG_NUMBERS, MISSING_PHRASES
from tsk_core.data.clean.roles import CHOSEN
from tsk_core.data.digit_patterns import sample
from tsk_core.data.number_text import number_span

__all__ = ["word_codes"]

# Words that may well be a category: "none" of three treatments.
_AMBIGUOUS = frozenset({"none", "nil", "not applicable", "entfällt", "nd"})
_SIGNS = frozenset({"-", "--", "---", "–", "—", ".", "..", "..."})  # they say "missing" among words, not among signs and letters
_PLAIN = MISSING_PHRASES.union(
    (word for word in MISSING_AMONG_NUMBERS - _AMBIGUOUS if any(map(str.isalpha, word))), ("#value!", "#div/0!")
)
_NUMBERS = 10  # different numbers beside a single word that is none
_LETTER, _WORD = r"[^\W\d_]", r"[^\W\d_]{3}"
_LEAST = 2  # cells with it


def word_codes(table: Checked) -> Iterator[tuple[str, str, np.ndarray]]:
    """Column, word and rows (int64) of the words that say "missing", and of the only word in a column of numbers."""
    for report in table.columns:
        filled = len(table.raw) - report.missing
        if report.role not in ("category", "ignored") or report.reason == CHOSEN or report.distinct == filled:
            continue
        cells = without_codes(table.cells(report.name), table.choices.codes_of(report.name))
        if cells.kind != "text" or not len(cells.words):
            continue
        for place in _places(cells):
            yield report.name, str(cells.words.iloc[place]), np.flatnonzero(cells.codes == place)


def _places(cells: Cells) -> list[int]:
    """The positions of such words among the distinct ones."""
    plain, signs = (cells.words.str.lower().isin(words).to_numpy(bool) for words in (_PLAIN, _SIGNS))
    others = cells.words[~(plain | signs)]
    if len(others) > 1 and others.str.contains(_WORD).any() and others.str.contains(_LETTER).all():
        plain = plain | signs
    if plain.any():
        return np.flatnonzero(plain).tolist() if len(others) > 1 else []
    if cells.declared or len(cells.words) <= _NUMBERS:
        return []
    without_digit = np.flatnonzero(~cells.words.str.contains(r"\d").to_numpy(bool))
    unread = sum(number_span(word) is None for word in sample(cells.words).tolist())
    if len(without_digit) != 1 or cells.counts[without_digit[0]] < _LEAST or unread > 1:
        return []
    return without_digit.tolist()
