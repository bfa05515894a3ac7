"""Entry: one dataset of the gallery, with the content of its card, known without loading the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from tsk_core.data.finding import Finding

__all__ = ["GROUPS", "Card", "Entry", "MeasuredSettings"]

GROUPS = ("bundled", "generated", "paper", "folder")  # in display order


class Card(NamedTuple):
    """What a card says about a dataset; the fields are those of ``Entry``."""

    name: str
    title: str
    description: str
    good_for: str
    counts: tuple[int, ...]
    features: int | None


class MeasuredSettings(NamedTuple):
    """Settings that were measured to do well on a table.

    start: the name of a starting point. settings: what differs from it, by the names of ``TrainConfig``'s fields.
    figures: the test scores, as a sentence.
    """

    start: str
    settings: dict[str, Any]
    figures: str


@dataclass(frozen=True)
class Entry:
    """One dataset of the gallery.

    good_for: one sentence, what the dataset demonstrates.
    counts: rows of each class, largest first; empty for a file of a folder, which is not read in advance.
    features: columns beside the target; None if ``counts`` is empty. group: one of ``GROUPS``.
    loader: returns the table, with the target column ``class`` (a file of a folder: any), and the findings of loading.
    measured: settings that do well on it; None if none did better than the paper's, or if nobody measured.
    rules: how many rules the card promises; None if it does not say.
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
    measured: MeasuredSettings | None = None
    rules: int | None = None

    @property
    def rows(self) -> int | None:
        """N, or None if it is not known before loading."""
        return sum(self.counts) or None

    @property
    def classes(self) -> int | None:
        """C, or None if it is not known before loading."""
        return len(self.counts) or None
