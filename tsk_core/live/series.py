"""What is recorded of a training while it runs: snapshots, evaluations and strengths of conditions, at some epochs."""

import base64
import json
import math
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.config import TrainConfig
from tsk_core.data.naming import printed
from tsk_core.epoch import Epoch
from tsk_core.evaluate.confusion import evaluation
from tsk_core.explain.exported import with_cleaning
from tsk_core.explain.labels import significant
from tsk_core.numbers import SIGNIFICANT

if TYPE_CHECKING:
    import pandas as pd
    import torch

    from tsk_core.data.clean import CleaningPipeline
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.model import Rules

EPOCHS, SNAPSHOTS, EVALUATIONS, STRENGTHS = "epochs", "snapshots", "evaluations", "strengths"


class RecordSink(Protocol):
    """Whoever takes the records of a training: a task's ``Context``, which writes them into a folder; a notebook's view."""

    def report(self, series: str, line: str, head: dict[str, Any] | None = None) -> None:
        """Take a record. line: one line of JSON. head: what all records of the series share; the first one's counts."""


# Records the rules of a training at some epochs, so that one can look back through it; ``snapshot_values`` reads them.
#
# Scope: which epochs are recorded, and a snapshot as one line of JSON, with 6 significant digits of each column's spread: a
# column such as a Unix time has more, or its centres would fall together.


MOST = 40  # snapshots of a run
MOST_BYTES = 5_000_000  # of the file
BESIDE_DIGITS = 8  # bytes a number takes beside its digits at most: sign, point, e-123, comma


def planned(last: int, most: int) -> list[int]:
    """The epochs to keep, rising: at most ``most`` from 1 to ``last``, spread geometrically. most: at least 2, or 0 for none.

    Each step is the least factor that reaches ``last`` in the steps left, so that all of the first few are there.
    """
    if not most:
        return []
    epochs = [1]
    while epochs[-1] < last:
        steps = most - len(epochs)
        epochs.append(max(epochs[-1] + 1, round(epochs[-1] * (last / epochs[-1]) ** (1 / steps))))
    return epochs


def capacity(head_bytes: int, R: int, C: int, digits: np.ndarray, *, layer_norm: bool) -> int:
    """How many snapshots fit into ``MOST_BYTES`` whatever their numbers are: at most ``MOST``; 0 where two do not fit.

    digits: (D,) significant digits of each column's centres and slopes. layer_norm: whether rules have a scale and a shift.
    """
    columns, D = int(digits.sum()) + BESIDE_DIGITS * len(digits), len(digits)
    numbers = (SIGNIFICANT + BESIDE_DIGITS) * (1 + D) + (1 + C) * columns + C * (int(digits.max()) + BESIDE_DIGITS)
    layer = 2 * R * (SIGNIFICANT + BESIDE_DIGITS) + 30 if layer_norm else 0
    fit = min(MOST, (MOST_BYTES - head_bytes) // (R * (numbers + 2 * (C + 4)) + 100 + layer))
    return fit if fit >= 2 else 0


class SnapshotRecorder:
    """Records the snapshots of one training while it runs. ``classifier``: the one that trains, at most ``max_epochs``.
    cleaning: of its table.

    Recorded are the planned epochs of stage "training" and the last one reached. The final model has that epoch's weights,
    after early stopping too, whose final training is as long as the mean best epoch; only where training diverged it has those
    of an earlier epoch (``best_epoch_``), which is then recorded as well, as the last one.
    """

    def __init__(
        self, classifier: "TSKClassifier", max_epochs: int, taker: RecordSink, cleaning: "CleaningPipeline | None" = None
    ) -> None:
        self._classifier, self._max_epochs, self._taker, self._cleaning = classifier, max_epochs, taker, cleaning
        self._planned: frozenset[int] = frozenset()
        self._recorded: set[int] = set()
        self._capacity = 0
        self._last: tuple[int, Rules] | None = None

    def add(self, epoch: Epoch) -> None:
        """Record the classifier after this epoch, if it is one of those planned."""
        if epoch.stage != "training":
            return
        if self._last is None:
            self._begin()
        self._last = epoch.epoch, self._classifier.rules_  # made anew at each epoch, so it stays as it is
        if epoch.epoch in self._planned:
            self._record(*self._last)

    def end(self) -> None:
        """Training is over: record what was not planned."""
        if self._last is None:
            return
        for epoch, rules in (self._last, (int(self._classifier.best_epoch_), self._classifier.rules_)):
            if epoch not in self._recorded and len(self._recorded) < self._capacity:
                self._record(epoch, rules)

    def _begin(self) -> None:
        classifier = self._classifier
        exported = classifier.to_dict()
        columns = with_cleaning(exported["columns"], self._cleaning)  # which the classifier gets at its end
        self._head = {"base": {name: value for name, value in exported.items() if name != "rules"} | {"columns": columns}}
        encoder = classifier.encoder_
        like = classifier.rules_.centers
        self._units = like.new_tensor(encoder.mean_), like.new_tensor(encoder.scale_)
        digits = significant(encoder.mean_, encoder.scale_)
        R, C = classifier.rules_.biases.shape[1:]
        layer_norm = bool(classifier.rules_.layer)
        self._capacity = capacity(len(json.dumps(self._head)) + 100, R, C, digits, layer_norm=layer_norm)
        self._planned = frozenset(planned(self._max_epochs, max(2, self._capacity - 1) if self._capacity else 0))
        self._template = snapshot_template(R, C, digits, layer_norm=layer_norm)

    def _record(self, epoch: int, rules: "Rules") -> None:
        rules = rules.in_units(*self._units)
        self._recorded.add(epoch)
        if not rules.is_finite():  # units so small that the slopes leave float64's range
            return
        consequents = np.concatenate((rules.biases.unsqueeze(-1), rules.weights), -1)
        parts: list[ArrayLike] = [rules.log_weights, rules.centers, rules.sigmas, consequents, *rules.layer]
        line = self._template % (epoch, *np.concatenate([np.ravel(part) for part in parts]).tolist())
        self._taker.report(SNAPSHOTS, line.replace("inf", "null"), self._head)


def snapshot_template(R: int, C: int, digits: np.ndarray, *, layer_norm: bool = False) -> str:
    """A snapshot's line with a place for each number. Filling it in takes a third of the time that json.dumps does."""
    columns = [f"%.{n}g" for n in digits.tolist()]
    six = f"%.{SIGNIFICANT}g"
    consequent = _list([f"%.{digits.max()}g", *columns])
    layer = f', "scale": {_list([six] * R)}, "shift": {_list([six] * R)}' if layer_norm else ""
    return (
        f'{{"epoch": %d, "log_weight": {_list([six] * R)}, "centers": {_list([_list(columns)] * R)},'
        f' "sigmas": {_list([_list([six] * len(columns))] * R)}, "consequents": {_list([_list([consequent] * C)] * R)}{layer}}}'
    )


def _list(items: list[str]) -> str:
    return f"[{','.join(items)}]"


# Records the confusion matrix and the calibration of a training on its test rows at some epochs.
#
# One line each: {"epoch": 1, "confusion": [C][C], "reliability": {…}, "ece": 0.03}


EVALUATION_BYTES = 1_000_000  # of the file
BESIDE_COUNTS = 800  # bytes of a line beside its counts, at most


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
        taker: RecordSink,
    ) -> None:
        self._classifier, self._X, self._y, self._classes, self._taker = classifier, X, y, classes, taker
        line = len(classes) * (len(classes) * (len(str(len(y))) + 2) + 2) + BESIDE_COUNTS
        fit = min(MOST, EVALUATION_BYTES // line)
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


# Records how strong each condition of the rules is while they train, so that people can watch conditions disappear.
#
# One line where anything changed: {"epoch": 12, "strengths": R·F bytes in base64, "classes": [R]}; the head has the names of the
# F "features" and of the "classes". A condition on a feature restricts by s = √Σ 1/σ², over the normalised columns of the
# feature; its byte is 255 s/(1 + s), at least 1, and 0 where there is no condition. A rule's class is the one with its highest
# constant; "classes" is null where consequents have slopes.


MOST_STRENGTHS = 250  # records of a run, evenly spread over its epochs
STRENGTH_BYTES = 1_000_000  # of the file
BESIDE_STRENGTHS = 60  # bytes of a line beside its strengths and classes, at most


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

    def __init__(self, classifier: "TSKClassifier", config: TrainConfig, classes: list[str], taker: RecordSink) -> None:
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
        line = math.ceil(R * len(numbers) * 4 / 3) + 5 * R + BESIDE_STRENGTHS
        fit = min(MOST_STRENGTHS, (STRENGTH_BYTES - len(json.dumps(self._head))) // line)
        self._step = math.ceil(self._config.max_epochs / fit) if fit >= 2 else 0
