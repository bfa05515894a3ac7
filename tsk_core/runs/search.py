"""The search that found a run's settings, as the run keeps it: a methods section says so, and its score is optimistic."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsk_core.evaluate.scorings import Scoring
    from tsk_core.evaluate.tuned_baselines import TunedBaseline

__all__ = ["Search", "score_columns"]

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
        from tsk_core.evaluate.tuned_baselines import TunedBaseline  # pandas: not with the store

        baselines = {key: TunedBaseline(**baseline) for key, baseline in values["baselines"].items()}
        return cls(**{**values, "baselines": baselines})


def score_columns(metrics: Mapping[str, Any]) -> dict[str, str]:
    """Title -> key of the scores that classifiers are compared by: of a run's metrics, and of each of its "baselines"."""
    from tsk_core.evaluate.scorings import scoring_of

    columns = {scoring_of(name).title: key for name, key in _OF_EVERY_RUN.items()}
    if metrics.get("scored") is not None:
        columns[scoring_of(metrics["search"]["scoring"]).title] = "scored"
    return columns
