"""Result: what a run left, as pages, scripts and the command line get it."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.runs.files import reading

if TYPE_CHECKING:
    from tsk_core.data import Split
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.explain import RuleBaseSummary, Summaries

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """What a run left: the fitted classifier, its numbers, and everything needed to repeat it.

    split: row numbers ``.train`` and ``.test`` of the dataset's frame.
    dataset: the dataset's identity (``runs.identity``): name, sha256, target, rows, columns, classes, roles, notes, …
    versions: of what computed it. folder: of the run. beside: the run that it was made readable from, or "".
    """

    run: str
    state: str
    message: str
    classifier: "TSKClassifier"
    metrics: dict[str, Any]
    config: TrainConfig
    history: list[Epoch] = field(repr=False)
    split: "Split" = field(repr=False)
    dataset: dict[str, Any] = field(default_factory=dict, repr=False)
    test_size: float = 0.3
    versions: dict[str, str] = field(default_factory=dict, repr=False)
    folder: Path = field(default_factory=Path, repr=False)
    beside: str = ""

    def rules(self, max_antecedents: int = 5) -> "RuleBaseSummary":
        """The readable rules with at most 1 to 12 antecedents each, from what the run kept: needs no data and no training.

        SettingError for other lengths; RunError where the run kept none, or where the file is damaged.
        """
        from tsk_core.runs.rule_texts import FILE  # pandas: not with the store

        summaries = self._summaries  # a run without this file says so even where its model is damaged
        with reading(FILE):
            return summaries.summary(
                max_antecedents,
                self.classifier.to_dict(),
                classes=self.classifier.classes_,
                encode=self.classifier.encoder_.transform,
            )

    @cached_property
    def _summaries(self) -> "Summaries":
        from tsk_core.runs.rule_texts import read_summaries

        return read_summaries(self.folder)
