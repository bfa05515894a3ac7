"""Input and output of training: encoded rows, what to train, a model of a stack, its outcome."""

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.model import Rules

__all__ = ["TrainingSpec", "StackMember", "Outcome", "Table"]


@dataclass(frozen=True)
class Table:
    """Encoded rows: x (N, D) float32, z-normalised; y (N,) class indices; C classes.

    groups: (N,) int64, equal in rows that early stopping keeps together. time: (N,) float64 or datetime64, NaN or NaT where not
    known; early stopping holds out the latest rows. At most one of them is given.
    """

    x: Tensor
    y: Tensor
    n_classes: int
    groups: np.ndarray | None = None
    time: np.ndarray | None = None


@dataclass(frozen=True)
class StackMember:
    """One model of a stack.

    rows: indices of its training rows. validation: indices of rows that choose its best epoch and, after
    ``config.patience`` epochs without a better one, end it; None trains for ``epochs``.
    class_weight: (C,) or None.
    """

    config: TrainConfig
    seed: int
    rows: np.ndarray
    epochs: int
    validation: np.ndarray | None = None
    class_weight: Tensor | None = None
    stage: str = "training"


@dataclass(frozen=True)
class TrainingSpec:
    """One model to train to its end, early stopping included. rows: indices of its training rows; class_weight: (C,) or None."""

    config: TrainConfig
    seed: int
    rows: np.ndarray
    class_weight: Tensor | None = None


@dataclass
class Outcome:
    """The result of a member: its rules at ``best_epoch``, and a sentence where training had to stop early."""

    rules: Rules
    best_epoch: int
    message: str = ""
