"""What the widget needs of a ``TSKClassifier``, which stands above."""

from collections.abc import Generator
from typing import Any, Protocol

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder
from tsk_core.epoch import Epoch
from tsk_core.explain import RuleBaseSummary
from tsk_core.explain.exported import ExportedRules

__all__ = ["WatchedClassifier"]


class WatchedClassifier(Protocol):
    """A classifier that the widget shows, while it trains and fitted."""

    model_: Any  # a FittedModel
    history_: list[Epoch]

    @property
    def classes_(self) -> np.ndarray:
        """The class labels, (C,)."""

    @property
    def encoder_(self) -> Encoder:
        """How X becomes the model's inputs."""

    @property
    def best_epoch_(self) -> int:
        """The epoch whose weights these are."""

    @property
    def stop_message_(self) -> str:
        """A sentence where training diverged, else ""."""

    def fit_iter(self, X: Any, y: Any, X_test: Any = None, y_test: Any = None, **options: Any) -> Generator[Epoch, None, None]:
        """Train epoch by epoch."""

    def training_config(self) -> TrainConfig:
        """The settings of a training that starts now."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (N, C)."""

    def rules(self, max_antecedents: int = 5, X: Any = None, y: Any = None) -> RuleBaseSummary:
        """The readable rules."""

    def to_dict(self) -> ExportedRules:
        """The exported rules."""
