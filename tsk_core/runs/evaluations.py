"""What a model gets wrong on the test rows, at its end and at some epochs before, and whether it can be believed.

Scope: these numbers, at which epochs they are taken, and their lines in mistakes.jsonl:

    {"version": 2}
    {"epoch": 1, "confusion": [C][C], "reliability": {…}, "ece": 0.03}
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.epoch import Epoch
from tsk_core.evaluate.calibration import reliability
from tsk_core.runs.files import append_lines, read_each
from tsk_core.runs.snapshots import MOST, planned

if TYPE_CHECKING:
    import torch

    from tsk_core.classifier import TSKClassifier

__all__ = ["MISTAKES", "MOST_BYTES", "Examiner", "mistakes", "read_mistakes", "write_mistakes"]

MISTAKES = "mistakes.jsonl"
MOST_BYTES = 1_000_000  # of the file
BESIDE = 800  # bytes of a line beside its counts, at most


def mistakes(true: np.ndarray, decided: np.ndarray, confidence: np.ndarray, classes: list[str]) -> dict[str, Any]:
    """JSON-ready: "confusion", counts [C][C] (row the true class, column the decided one), and ``calibration.reliability``.

    true, decided: (N,) class names, in the order of ``classes``. confidence: (N,) probability of the class decided.
    """
    index = {name: at for at, name in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, ([index[str(name)] for name in true], [index[str(name)] for name in decided]), 1)
    return {"confusion": counts.tolist(), **reliability(confidence, true == decided)}


class Examiner:
    """Examines one training on its test rows as it goes on, at up to 40 epochs of stage "training" (``snapshots.planned``).

    classifier: the one that trains, at most ``max_epochs``. X, y: test rows, maybe none, and their class names. classes: all
    class names of the dataset; the training rows may lack some.
    """

    def __init__(self, classifier: "TSKClassifier", X: Any, y: np.ndarray, classes: list[str], max_epochs: int) -> None:
        self._classifier, self._X, self._y, self._classes = classifier, X, y, classes
        line = len(classes) * (len(classes) * (len(str(len(y))) + 2) + 2) + BESIDE
        fit = min(MOST, MOST_BYTES // line)
        self._planned = frozenset(planned(max_epochs, fit if fit >= 2 and len(y) else 0))
        self._x: torch.Tensor | None = None
        self._lines: list[str] = []

    def add(self, epoch: Epoch) -> None:
        """Examine the classifier after this epoch, if it is one of those planned."""
        if epoch.stage != "training" or epoch.epoch not in self._planned:
            return
        import torch  # not with the store, which reads what is written here

        from tsk_core.model import class_scores

        classifier = self._classifier
        if self._x is None:  # once: the encoding was learnt before the first epoch
            self._x = torch.from_numpy(classifier.encode(self._X).astype(np.float32))
        sure, decided = class_scores(classifier.rules_, self._x, exact=False).softmax(1).max(1)
        found = mistakes(self._y, classifier.classes_[decided.numpy()], sure.numpy(), self._classes)
        self._lines.append(json.dumps({"epoch": epoch.epoch, **found}))

    def fetch(self) -> list[str]:
        """The lines taken since the last call."""
        lines, self._lines = self._lines, []
        return lines


def write_mistakes(folder: Path, lines: list[str]) -> None:
    """Append lines to the file in the run's folder; the first ones make it."""
    append_lines(folder / MISTAKES, {}, lines)


def read_mistakes(folder: Path, since: int = 0) -> list[dict[str, Any]]:
    """What was written so far from number ``since`` on, rising by epoch; RunError where the file is damaged."""
    return read_each(folder / MISTAKES, _checked, since)


def _checked(line: bytes) -> dict[str, Any]:
    """A line as its values; ValueError, KeyError or TypeError where it is none."""
    values = json.loads(line)
    counts, bins, epoch = np.array(values["confusion"]), values["reliability"], values["epoch"]
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.dtype.kind != "i":
        raise ValueError("not counts")
    if not all(isinstance(bins[name], list) for name in ("count", "confidence", "accuracy")) or not isinstance(epoch, int):
        raise ValueError("not as written")
    return values
