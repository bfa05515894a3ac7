"""Records the confusion matrix and the calibration of a training on its test rows at some epochs.

One line each: {"epoch": 1, "confusion": [C][C], "reliability": {…}, "ece": 0.03}
"""

import json
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.data.naming import printed
from tsk_core.epoch import Epoch
from tsk_core.evaluate.confusion import evaluation
from tsk_core.live.series import EVALUATIONS, TakesRecords
from tsk_core.live.snapshots import MOST, planned

if TYPE_CHECKING:
    import pandas as pd
    import torch

    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["MOST_BYTES", "EvaluationRecorder"]

MOST_BYTES = 1_000_000  # of the file
BESIDE = 800  # bytes of a line beside its counts, at most


class EvaluationRecorder:
    """Evaluates one training on its test rows while it runs, at up to 40 epochs of stage "training" (``snapshots.planned``).

    classifier: the one that trains, at most ``max_epochs``. X, y: test rows, maybe none, and their class names. classes: all
    class names of the dataset; the training rows may lack some.
    """

    def __init__(
        self,
        classifier: "TSKClassifier",
        X: "pd.DataFrame",
        y: np.ndarray,
        classes: list[str],
        max_epochs: int,
        taker: TakesRecords,
    ) -> None:
        self._classifier, self._X, self._y, self._classes, self._taker = classifier, X, y, classes, taker
        line = len(classes) * (len(classes) * (len(str(len(y))) + 2) + 2) + BESIDE
        fit = min(MOST, MOST_BYTES // line)
        self._planned = frozenset(planned(max_epochs, fit if fit >= 2 and len(y) else 0))
        self._x: torch.Tensor | None = None

    def add(self, epoch: Epoch) -> None:
        """Evaluate the classifier after this epoch, if it is one of those planned."""
        if epoch.stage != "training" or epoch.epoch not in self._planned:
            return
        import torch  # not with the store, which reads what is written here

        from tsk_core.model import class_scores

        classifier = self._classifier
        if self._x is None:  # once: the encoding was learnt before the first epoch
            self._x = torch.from_numpy(classifier.encode(self._X).astype(np.float32))
        scores = class_scores(classifier.rules_, self._x, exact=False)
        predicted = scores.argmax(1)
        confidence = classifier.model_.log_odds(scores).softmax(1).gather(1, predicted.unsqueeze(1)).squeeze(1)
        names = np.array([printed(name) for name in classifier.classes_.tolist()], dtype=object)
        values = evaluation(self._y, names[predicted.numpy()], confidence.numpy(), self._classes)
        self._taker.report(EVALUATIONS, json.dumps({"epoch": epoch.epoch, **values}))
