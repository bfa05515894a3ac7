"""One candidate of a tuning: its settings, and its scores on validation rows by epoch."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsk_core.config import TrainConfig

__all__ = ["SCORINGS", "Candidate", "Scores", "Trial"]

SCORINGS = ("balanced_accuracy", "accuracy")


class Scores(NamedTuple):
    """Of one validation set after one epoch."""

    balanced_accuracy: float
    accuracy: float
    cross_entropy: float


@dataclass(frozen=True)
class Trial:
    """What is known of one candidate.

    number: from 1, in the order of their start. config: its settings; ``max_epochs`` is its best epoch so far. score: mean over
    ``validations`` validation sets at that epoch; sd: over them, None for one. cross_entropy: their mean. origin: "portfolio" or
    "refinement". state: "training", "dropped" (others were better, or it diverged) or "finished".
    """

    number: int
    config: TrainConfig
    score: float
    sd: float | None
    cross_entropy: float
    validations: int
    origin: str
    state: str

    @property
    def rank(self) -> tuple[float, ...]:
        """Smaller is better: by score, then cross-entropy, then number of rules."""
        return -self.score, self.cross_entropy, self.config.n_rules

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        names = ("number", "score", "sd", "cross_entropy", "validations", "origin", "state")
        return {name: getattr(self, name) for name in names} | {"config": self.config.to_dict()}


@dataclass(eq=False)
class Candidate:
    """A candidate while the tuning goes on. curves: scores by (repeat, fold) and epoch."""

    number: int
    config: TrainConfig
    origin: str
    state: str = "training"
    curves: dict[tuple[int, int], dict[int, Scores]] = field(default_factory=dict)
    step_seconds: float = 0.0  # of its model, in a stack

    def trial(self, scoring: str) -> Trial | None:
        """At its best epoch, by the mean score over validation sets and over the epochs around it; None before any score."""
        epochs = sorted(set.intersection(*(set(curve) for curve in self.curves.values()))) if self.curves else []
        if not epochs:
            return None
        values = np.array([[curve[epoch] for epoch in epochs] for curve in self.curves.values()])  # (sets, epochs, 3)
        scores, entropies = values[..., Scores._fields.index(scoring)], values[..., -1].mean(0)
        smooth = _smoothed(scores.mean(0))
        best = max(range(len(epochs)), key=lambda at: (round(float(smooth[at]), 9), -entropies[at]))
        sd = float(scores[:, best].std(ddof=1)) if len(scores) > 1 else None
        config = replace(self.config, max_epochs=epochs[best])
        found = float(smooth[best]), sd, float(entropies[best]), len(scores)
        return Trial(self.number, config, *found, self.origin, self.state)


def _smoothed(values: np.ndarray) -> np.ndarray:
    """Each value averaged with those before and after it: the best of many noisy values would be too good."""
    padded: NDArray[np.float64] = np.pad(values, 1, mode="edge")
    return (padded[:-2] + padded[1:-1] + padded[2:]) / 3
