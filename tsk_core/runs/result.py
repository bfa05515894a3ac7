"""Result: what a run left, as pages, scripts and the command line get it; and the search that found its settings."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.runs.files import reading

if TYPE_CHECKING:
    from tsk_core.data import Split
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.evaluate.baselines import TunedBaseline
    from tsk_core.evaluate.scorings import Scoring
    from tsk_core.explain import RuleBaseSummary, Summaries


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
        from tsk_core.explain import RuleBaseSummary  # pandas: not with the store
        from tsk_core.runs.rule_texts import RULE_TEXTS

        summaries = self._summaries  # a run without this file says so even where its model is damaged
        with reading(RULE_TEXTS):
            classifier = self.classifier
            encode = classifier.encoder_.transform
            return RuleBaseSummary.of_kept(summaries, max_antecedents, classifier.to_dict(), classifier.classes_, encode)

    @cached_property
    def _summaries(self) -> "Summaries":
        from tsk_core.runs.rule_texts import read_summaries

        return read_summaries(self.folder)


# The search that found a run's settings, as the run keeps it: a methods section says so, and its score is optimistic.


_OF_EVERY_RUN = {"accuracy": "rca", "balanced_accuracy": "bca", "roc_auc": "auc"}  # in this order


@dataclass(frozen=True)
class Search:
    """readable: whether it looked for a readable rule base. tried: settings with a score. folds: of its cross-validation.

    validations: validation sets that the settings were scored on, repeats of the folds included. seconds: its budget.
    score, sd: mean and standard deviation of their score over these. same_split: whether it saw the run's training rows alone.
    baselines: found with the same effort; empty until they are. scoring: what was maximised, a name of ``SCORINGS``.
    """

    readable: bool
    tried: int
    folds: int
    validations: int
    seconds: float
    score: float
    sd: float | None
    same_split: bool = True
    baselines: "Mapping[str, TunedBaseline]" = field(default_factory=dict)
    scoring: str = "balanced_accuracy"

    @property
    def further(self) -> "Scoring | None":
        """What it maximised, where not every run has that score of its test rows; else None."""
        from tsk_core.evaluate.scorings import scoring_of

        return scoring_of(self.scoring) if self.scoring not in _OF_EVERY_RUN else None

    def with_baselines(self, baselines: "Mapping[str, TunedBaseline]") -> "Search":
        """The same with baselines."""
        return replace(self, baselines=dict(baselines))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Search":
        """The inverse of ``to_dict``."""
        from tsk_core.evaluate.baselines import TunedBaseline  # pandas: not with the store

        baselines = {key: TunedBaseline(**baseline) for key, baseline in values["baselines"].items()}
        return cls(**{**values, "baselines": baselines})


def score_columns(metrics: Mapping[str, Any]) -> dict[str, str]:
    """Title -> key of the scores that classifiers are compared by: of a run's metrics, and of each of its "baselines"."""
    from tsk_core.evaluate.scorings import scoring_of

    columns = {scoring_of(name).title: key for name, key in _OF_EVERY_RUN.items()}
    if metrics.get("scored") is not None:
        columns[scoring_of(metrics["search"]["scoring"]).title] = "scored"
    return columns
