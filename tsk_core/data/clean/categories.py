"""Categories: which are kept, and which become "other"."""

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.clean.cells import Cells

__all__ = ["OTHER", "common_categories", "truth_words", "with_truth_words"]

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
