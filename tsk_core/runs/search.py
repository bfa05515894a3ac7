"""The search that found a run's settings, as the run keeps it: a methods section says so, and its score is too good."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsk_core.evaluate.tuned_baselines import TunedBaseline

__all__ = ["Search"]


@dataclass(frozen=True)
class Search:
    """readable: whether it looked for a readable rule base. tried: settings with a score. folds: of its cross-validation.

    validations: validation sets that the settings were scored on, repeats of the folds included. seconds: its budget.
    score, sd: mean and standard deviation of their BCA over these. same_split: whether it saw the run's training rows alone.
    baselines: found with the same effort; empty until they are.
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
