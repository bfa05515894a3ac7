"""Epoch: what one pass over the training rows left behind. The one stream that everything reads."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["ENTROPY_BINS", "Epoch"]

ENTROPY_BINS = 30  # equal bins from 0 to log R


@dataclass(frozen=True)
class Epoch:
    """One epoch of one model.

    epoch: 1, 2, …; in stage "hold-out" (early stopping's search) counted apart from stage "training".
    loss_ce, loss_l2, loss_ur: the three parts of the loss, already weighted by α and λ, each the mean over mini-batches.
    ur_floor: λR(τ − 1/R)², the constant that UR cannot go below; draw ``loss_ur - ur_floor``.
    rca_*, bca_*: accuracy and mean per-class recall in [0, 1]; None where there are no such rows.
    firing: mean normalised firing level of each rule on the training rows, shape [R].
    entropy: counts of training rows by firing entropy, shape [ENTROPY_BINS], equal bins from 0 to log R.
    grad_antecedents, grad_consequents: mean over steps of Σ|g| for (m, σ) and for (b, b_0).
    seconds: since training began.
    """

    epoch: int
    loss_ce: float
    loss_l2: float
    loss_ur: float
    ur_floor: float
    rca_train: float
    bca_train: float
    rca_validation: float | None
    bca_validation: float | None
    rca_test: float | None
    bca_test: float | None
    firing: np.ndarray
    entropy: np.ndarray
    grad_antecedents: float
    grad_consequents: float
    seconds: float
    stage: str = "training"

    @property
    def loss(self) -> float:
        """The whole loss L = CE + α·L2 + λ·UR."""
        return self.loss_ce + self.loss_l2 + self.loss_ur

    @property
    def dead_rules(self) -> int:
        """How many rules fire below a tenth of their fair share, 0.1/R."""
        return int((self.firing < 0.1 / len(self.firing)).sum())

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, one per field."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return values | {"firing": [float(v) for v in self.firing], "entropy": [int(v) for v in self.entropy]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Epoch":
        """The inverse of ``to_dict``."""
        return cls(**values | {"firing": np.asarray(values["firing"], float), "entropy": np.asarray(values["entropy"], int)})
