"""Entry: one dataset of the gallery, with everything a card says about it, known without loading it."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from tsk_core.data.finding import Finding

__all__ = ["GROUPS", "Entry"]

GROUPS = ("bundled", "generated", "paper", "folder")  # in the order they are listed


@dataclass(frozen=True)
class Entry:
    """One dataset of the gallery.

    good_for: one sentence, what it is good for showing. group: one of ``GROUPS``.
    counts: rows of each class, largest first; empty for a folder's file, of which nothing is known before it is read.
    features: columns beside the target; None where ``counts`` is empty.
    loader: returns the table, with the target column ``class`` (a folder's file: any), and what loading found.
    """

    name: str
    title: str
    description: str
    good_for: str
    group: str
    counts: tuple[int, ...]
    features: int | None
    source: str
    licence: str
    loader: Callable[[], tuple[pd.DataFrame, tuple[Finding, ...]]]

    @property
    def rows(self) -> int | None:
        """N, or None where it is not known before loading."""
        return sum(self.counts) or None

    @property
    def classes(self) -> int | None:
        """C, or None where it is not known before loading."""
        return len(self.counts) or None
