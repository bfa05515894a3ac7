"""Records the rules of a training at some epochs, so that one can look back through it; ``snapshot_values`` reads them.

Scope: which epochs are recorded, and a snapshot as one line of JSON, with 6 significant digits of each column's spread: a column
such as a Unix time has more, or its centres would fall together.
"""

import json
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.epoch import Epoch
from tsk_core.explain.cleaned import with_cleaning
from tsk_core.explain.digits import significant
from tsk_core.live.series import SNAPSHOTS, TakesRecords
from tsk_core.numbers import SIGNIFICANT

if TYPE_CHECKING:
    from tsk_core.data.clean import CleaningPipeline
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.model import Rules

__all__ = ["MOST", "MOST_BYTES", "SnapshotRecorder", "capacity", "planned", "snapshot_template"]

MOST = 40  # snapshots of a run
MOST_BYTES = 5_000_000  # of the file
BESIDE = 8  # bytes a number takes beside its digits at most: sign, point, e-123, comma


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
    columns, D = int(digits.sum()) + BESIDE * len(digits), len(digits)
    numbers = (SIGNIFICANT + BESIDE) * (1 + D) + (1 + C) * columns + C * (int(digits.max()) + BESIDE)
    layer = 2 * R * (SIGNIFICANT + BESIDE) + 30 if layer_norm else 0
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
        self, classifier: "TSKClassifier", max_epochs: int, taker: TakesRecords, cleaning: "CleaningPipeline | None" = None
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
