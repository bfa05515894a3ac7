"""Records how strong each condition of the rules is while they train, so that people can watch conditions disappear.

One line where anything changed: {"epoch": 12, "strengths": R·F bytes in base64, "classes": [R]}; the head has the names of the
F "features" and of the "classes". A condition on a feature restricts by s = √Σ 1/σ², over the normalised columns of the feature;
its byte is 255 s/(1 + s), at least 1, and 0 where there is no condition. A rule's class is the one with its highest constant;
"classes" is null where consequents have slopes.
"""

import base64
import json
import math
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.data.naming import printed
from tsk_core.epoch import Epoch
from tsk_core.live.series import STRENGTHS, TakesRecords

if TYPE_CHECKING:
    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["MOST", "MOST_BYTES", "StrengthRecorder", "strength_bytes"]

MOST = 250  # records of a run, evenly spread over its epochs
MOST_BYTES = 1_000_000  # of the file
BESIDE = 60  # bytes of a line beside its strengths and classes, at most


def strength_bytes(sigmas: np.ndarray, features: np.ndarray) -> np.ndarray:
    """The strength of each condition, uint8 (R, F). sigmas: (R, D) of normalised columns, inf without a condition.

    features: (D,) the number of each column's feature, from 0.
    """
    squares = np.zeros((len(sigmas), int(features.max()) + 1))
    np.add.at(squares.T, features, np.square(1 / sigmas).T)
    strengths = np.sqrt(np.minimum(squares, 1e12))
    bytes_ = np.rint(255 * strengths / (1 + strengths)).astype(np.uint8)
    return np.where(squares > 0, np.maximum(bytes_, 1), 0).astype(np.uint8)


class StrengthRecorder:
    """Records the conditions of one training of stage "training" while it runs; nothing where its rules keep all conditions.

    classifier: the one that trains ``config``. classes: all class names of the dataset.
    """

    def __init__(self, classifier: "TSKClassifier", config: TrainConfig, classes: list[str], taker: TakesRecords) -> None:
        self._classifier, self._config, self._classes, self._taker = classifier, config, classes, taker
        self._step: int | None = None  # epochs between two records; 0 for none at all
        self._last: dict[str, object] = {}

    def add(self, epoch: Epoch) -> None:
        """Record the rules after this epoch, if it is one of those wanted and they changed."""
        config = self._config
        if epoch.stage != "training" or not config.shows_conditions:
            return
        if self._step is None:
            self._begin()
        if not self._step or ((epoch.epoch - 1) % self._step and epoch.epoch != config.max_epochs):
            return
        rules = self._classifier.rules_
        strengths = strength_bytes(rules.sigmas[0].numpy(), self._features)
        known = self._classifier.classes_.tolist()
        highest = rules.biases[0].argmax(1).tolist()
        named = None if config.has_slopes else [self._classes.index(printed(known[c])) for c in highest]
        record: dict[str, object] = {"strengths": base64.b64encode(strengths.tobytes()).decode(), "classes": named}
        if record != self._last:
            self._taker.report(STRENGTHS, json.dumps({"epoch": epoch.epoch, **record}), self._head)
        self._last = record

    def _begin(self) -> None:
        encoder, R = self._classifier.encoder_, self._config.n_rules
        self._head = {"features": list(encoder.features), "classes": self._classes}
        numbers = {name: at for at, name in enumerate(encoder.features)}
        self._features = np.array([numbers[column.feature] for column in encoder.columns])
        line = math.ceil(R * len(numbers) * 4 / 3) + 5 * R + BESIDE
        fit = min(MOST, (MOST_BYTES - len(json.dumps(self._head))) // line)
        self._step = math.ceil(self._config.max_epochs / fit) if fit >= 2 else 0
