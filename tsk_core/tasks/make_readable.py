"""MakeReadable: a readable rule base for the table of a run, as a run of its own that people watch."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.errors import TrainingError
from tsk_core.runs.folder import Ending
from tsk_core.runs.search import Search
from tsk_core.runs.store import RunStore
from tsk_core.tasks.context import Context
from tsk_core.tasks.live_training import LiveTraining

if TYPE_CHECKING:
    from tsk_core.estimators.classifier_cv import TSKClassifierCV

__all__ = ["SEARCH", "MakeReadable"]

NOTHING_FOUND = "Training diverged with all settings that were tried, so the rules are those of the starting point Readable."
SEARCH = "search"  # the stage of its progress while it looks for settings


@dataclass(frozen=True)
class MakeReadable(LiveTraining):
    """Look for readable settings for the training rows of ``dataset``, then train them as ``LiveTraining`` does.

    config: readable settings with the seed and the device of the run that it stands beside, whose id is ``beside``; both have the
    same split. budget: seconds of the search; 0 trains ``config`` as it is. class_weight: as for ``TSKClassifierCV``.
    """

    beside: str = ""
    budget: float = 0.0
    class_weight: str | dict[Hashable, float] | None = "search"

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run; its config.json names the run that it stands beside."""
        return super().create_run(store, owner, beside=self.beside, **details)

    def run(self, context: Context) -> Ending:
        """As a training, of ``config`` where no settings have a score; a stop during the search leaves no model."""
        if not self.budget:
            return super().run(context)
        context.progress(0, SEARCH, False)
        searches: list[Search] = []
        notes: list[str] = []
        config = self._found(context, searches, notes)
        if context.reason:
            return Ending("stopped", context.reason)
        if config is None:
            ending = super().run(context)
            return ending._replace(message=ending.message or NOTHING_FOUND)
        context.folder.settle(config)
        ending = LiveTraining(config, self.dataset, self.test_size, next(iter(searches), None)).run(context)
        return ending._replace(message=" ".join(filter(None, [ending.message, *notes])))

    def _found(self, context: Context, searches: list[Search], notes: list[str]) -> TrainConfig | None:
        """The settings that the search finds on the training rows; None where none have a score.

        searches: takes the search. notes: take what cut it short.
        """
        from tsk_core.estimators.readable_search import shortest_config  # torch: not before a search really begins
        from tsk_core.tasks.searched_baselines import search_of

        train = self.dataset.split(test_size=self.test_size, seed=self.config.seed).train
        X, y = self.dataset.X.iloc[train], np.asarray(self.dataset.y)[train]
        given: dict[str, Any] = {**self.dataset.fit_params(train), "class_weight": self.class_weight}

        def keep(found: "TSKClassifierCV") -> None:
            searches.append(search_of(found))
            notes.extend(found.notes_)

        try:
            most = limits.value("rules")
            return shortest_config(
                self.config, X, y, self.budget, **given, most_rules=most, stopped=context.stopped, clock=context.clock,
                on_end=keep,
            )  # fmt: skip
        except TrainingError:
            return None
