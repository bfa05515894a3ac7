"""Categories: which are kept, which become "other", and which are spellings of one word."""

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.cell_text import is_whole, number_span, value_of
from tsk_core.data.clean.cells import Cells
from tsk_core.data.findings import Finding
from tsk_core.data.naming import joined, quoted
from tsk_core.numbers import counted

OTHER = "other"
_TRUTH = {"true": "True", "false": "False"}


def common_categories(cells: Cells) -> tuple[str, ...] | None:
    """The most frequent categories, one fewer than the limit to leave room for "other"; None if all fit.

    Counted in the whole table, test rows included, since no label is used.
    """
    allowed = limits.value("categories")
    if len(cells.words) <= allowed:
        return None
    # Ties are sorted by name, so that the choice does not depend on the order of rows.
    order = np.lexsort((cells.words.to_numpy(object).astype(str), -cells.counts))
    return tuple(cells.words.iloc[order[: allowed - 1]])


def truth_words(words: pd.Series) -> bool:
    """Whether all words of a column are "true" or "false", in any case."""
    return len(words) > 0 and len(words) <= 2 * 32 and bool(words.str.lower().isin(_TRUTH.keys()).all())


def with_truth_words(words: pd.Series) -> pd.Series:
    """Words with "TRUE", "true" and so on as "True", "False" likewise."""
    lower = words.str.lower()
    return words.where(~lower.isin(_TRUTH.keys()), lower.str.capitalize())


# Spellings: words that differ only in capital letters, a final dot or spaces, or in how a number is written, and one of each.


ONE_SPELLING = "Use one spelling in the file if they mean the same."
THEIR_SPELLING = "Use one spelling if they mean the same: the most frequent one."
USE_ONE = "Use one spelling"  # the label of its button
_BLANKS, _END = re.compile(r"\s+"), re.compile(r"[\s.]+$")
_SHOWN = 5  # words in a sentence
_DIFFERENCES = ("capital letters", "a final dot", "spaces")


def variants(words: pd.Series, counts: np.ndarray) -> list[tuple[str, str, bool]]:
    """What distinct words differ in that differ only in their spelling; these words with their counts, for a sentence; whether
    ``in_one_spelling`` makes them one.
    """
    numbers = pd.Series([_number(word) for word in words], words.index, dtype=object)  # whole ones with all of their digits
    keys = pd.Series([_key(word) for word in words], words.index, dtype=object).where(numbers.isna(), "")
    groups = [group for _, group in words[(keys != "") & keys.duplicated(keep=False)].groupby(keys)]
    differ = set().union(*map(_differences, groups))
    what = joined([one for one in _DIFFERENCES if one in differ], "or")
    spelled = [k for group in groups for k in group.index]
    written = words.index[numbers.notna() & numbers.duplicated(keep=False)].tolist()
    found = ((what, spelled, True), ("how a number is written", written, False))
    return [(what, _with_counts(words, counts, at), mends) for what, at, mends in found if at]


def in_one_spelling(cells: Cells) -> tuple[Cells, tuple[str, ...]]:
    """The column with the most frequent spelling of each word, and these words; as it is where none is spelled in two ways."""
    keys = [_key(word) or word for word in cells.words]
    if len(set(keys)) == len(keys):
        return cells, ()
    best: dict[str, int] = {}
    for k in np.lexsort((cells.words.to_numpy(object).astype(str), -cells.counts)):  # ties by name
        best.setdefault(keys[k], k)
    spelled = tuple(str(cells.words.iloc[k]) for k in sorted(best.values()))
    return in_spellings_of(cells, spelled), spelled


def in_spellings_of(cells: Cells, spelled: Iterable[str]) -> Cells:
    """The column with these words in place of theirs in another spelling; other words stay."""
    of_key = {_key(word) or word: word for word in spelled}
    if not of_key or cells.kind != "text":
        return cells
    codes, words = pd.factorize(pd.Series([of_key.get(_key(word) or word, word) for word in cells.words], dtype="str"))
    return replace(cells, codes=np.append(codes, -1)[cells.codes], words=pd.Series(words, dtype="str"))


def merged_finding(before: Cells, after: Cells) -> Finding:
    """How many cells got another spelling."""
    changed = ~before.words.isin(after.words).to_numpy(bool)
    count = int(before.counts[changed].sum())
    which = _with_counts(before.words, before.counts, np.flatnonzero(changed))
    fact = f"Column {quoted(before.name)}: {counted(count, 'cell')} in another spelling, {which}."
    return Finding(fact, "Read in the most frequent one, as you chose.", columns=(before.name,), choice="spellings")


def _key(word: str) -> str:
    """What all spellings of a word have in common; "" for dots alone."""
    return _END.sub("", _BLANKS.sub(" ", word.casefold()))


def _differences(words: pd.Series) -> set[str]:
    """In what spellings of one word differ: one of ``_DIFFERENCES``, or all where no single one explains it."""
    alike = words.str.casefold(), words.str.replace(_END, "", regex=True), words.str.replace(_BLANKS, " ", regex=True)
    return {what for what, key in zip(_DIFFERENCES, alike, strict=True) if key.nunique() == 1} or set(_DIFFERENCES)


def _with_counts(words: pd.Series, counts: np.ndarray, at: Iterable[int]) -> str:
    """These words with the number of their cells, for a sentence."""
    spelled = sorted((str(words.iloc[k]), int(counts[k])) for k in at)
    shown = [f"{quoted(word)} ({count:,})" for word, count in spelled[:_SHOWN]]
    return joined([*shown, f"{len(spelled) - _SHOWN} more"] if len(spelled) > _SHOWN else shown)


def _number(word: str) -> float | None:
    """The number that a word is, without a unit; None for another word, and for two numbers by its decimal sign."""
    if is_whole(word):
        return int(word)  # all of its digits
    span = number_span(word)
    if span is None or span.unit or span.bound or span.about:
        return None
    values = {value_of(word, span, sign) for sign in span.decimals}
    return values.pop() if len(values) == 1 else None
