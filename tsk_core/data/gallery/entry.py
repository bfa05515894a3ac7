"""Entry: one dataset of the gallery, with the content of its card, known without loading the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from tsk_core.data.finding import Finding

__all__ = ["GROUPS", "Card", "Entry"]

GROUPS = ("bundled", "generated", "paper", "folder")  # in display order


class Card(NamedTuple):
    """What a card says about a dataset; the fields are those of ``Entry``."""

    name: str
    title: str
    description: str
    good_for: str
    counts: tuple[int, ...]
    features: int | None


@dataclass(frozen=True)
class Entry:
    """One dataset of the gallery.

    good_for: one sentence, what the dataset demonstrates.
    counts: rows of each class, largest first; empty for a file of a folder, which is not read in advance.
    features: columns beside the target; None if ``counts`` is empty. group: one of ``GROUPS``.
    loader: returns the table, with the target column ``class`` (a file of a folder: any), and the findings of loading.
    """

    name: str
    title: str
    description: str
    good_for: str
    counts: tuple[int, ...]
    features: int | None
    group: str
    source: str
    licence: str
    loader: Callable[[], tuple[pd.DataFrame, tuple[Finding, ...]]]

    @property
    def rows(self) -> int | None:
        """N, or None if it is not known before loading."""
        return sum(self.counts) or None

    @property
    def classes(self) -> int | None:
        """C, or None if it is not known before loading."""
        return len(self.counts) or None
