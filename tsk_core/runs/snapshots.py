"""Snapshots: the exported rules at some epochs of a training, so that one can look back through it.

Scope: which epochs are kept, a snapshot as one line of JSON, and back. ``RunStore`` keeps the lines in snapshots.jsonl:

    {"version": 2, "base": {…}}         what all snapshots share: ``to_dict()`` less its rules (columns, classes, normalisation)
    {"epoch": 1, "log_weight": [R], "centers": [R][D], "sigmas": [R][D], "consequents": [R][C][D+1]}

Numbers are those of ``to_dict()`` (original units, batch normalisation merged; a sigma is null where its antecedent was dropped),
with 6 significant digits of each column's spread: a column such as a Unix time has more, or its centres would fall together.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.epoch import Epoch
from tsk_core.explain.digits import SIGNIFICANT, significant
from tsk_core.runs.files import append_lines, read_each, read_lines, reading

if TYPE_CHECKING:
    from tsk_core.classifier import TSKClassifier
    from tsk_core.model import Rules

__all__ = [
    "MOST", "MOST_BYTES", "SNAPSHOTS", "Recorder", "as_rules", "as_snapshot", "planned", "read_base", "read_snapshots", "room",
    "write_snapshots",
]  # fmt: skip

SNAPSHOTS = "snapshots.jsonl"
PARTS = ("log_weight", "centers", "sigmas", "consequents")  # of a rule
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


def room(head_bytes: int, R: int, C: int, digits: np.ndarray) -> int:
    """How many snapshots fit into ``MOST_BYTES`` whatever their numbers are: at most ``MOST``; 0 where two do not fit.

    digits: (D,) significant digits of each column's centres and slopes.
    """
    columns, D = int(digits.sum()) + BESIDE * len(digits), len(digits)
    numbers = (SIGNIFICANT + BESIDE) * (1 + D) + (1 + C) * columns + C * (int(digits.max()) + BESIDE)
    fit = min(MOST, (MOST_BYTES - head_bytes) // (R * (numbers + 2 * (C + 4)) + 100))
    return fit if fit >= 2 else 0


class Recorder:
    """Takes the snapshots of one training as it goes on. ``classifier``: the one that trains, at most ``max_epochs``.

    Kept are the planned epochs of stage "training" and the last one reached. The model kept in the end has that epoch's weights,
    after early stopping too, whose final training is as long as the mean best epoch; only where training diverged it has those
    of an earlier epoch (``best_epoch_``), which is then kept as well and comes last.

    base: what all snapshots share, None before the first.
    """

    def __init__(self, classifier: "TSKClassifier", max_epochs: int) -> None:
        self._classifier, self._max_epochs = classifier, max_epochs
        self._planned: frozenset[int] = frozenset()
        self._kept: set[int] = set()
        self._room = 0
        self._last: tuple[int, Rules] | None = None
        self.base: dict[str, Any] | None = None
        self._lines: list[str] = []

    def add(self, epoch: Epoch) -> None:
        """Look at the classifier after this epoch."""
        if epoch.stage != "training":
            return
        if self._last is None:
            self._begin()
        self._last = epoch.epoch, self._classifier.rules_  # made anew at each epoch, so it stays as it is
        if epoch.epoch in self._planned:
            self._keep(*self._last)

    def end(self) -> None:
        """Training is over: take what was not planned."""
        if self._last is None:
            return
        for epoch, rules in (self._last, (int(self._classifier.best_epoch_), self._classifier.rules_)):
            if epoch not in self._kept and len(self._kept) < self._room:
                self._keep(epoch, rules)

    def fetch(self) -> list[str]:
        """The lines taken since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def _begin(self) -> None:
        classifier = self._classifier
        self.base = {name: value for name, value in classifier.to_dict().items() if name != "rules"}
        encoder = classifier.encoder_
        like = classifier.rules_.centers
        self._units = like.new_tensor(encoder.mean_), like.new_tensor(encoder.scale_)
        digits = significant(encoder.mean_, encoder.scale_)
        R, C = classifier.rules_.biases.shape[1:]
        self._room = room(len(json.dumps(self.base)) + 100, R, C, digits)
        self._planned = frozenset(planned(self._max_epochs, max(2, self._room - 1) if self._room else 0))
        self._template = _template(R, C, digits)

    def _keep(self, epoch: int, rules: "Rules") -> None:
        rules = rules.in_units(*self._units)
        self._kept.add(epoch)
        if not rules.is_finite():  # units so small that the slopes leave float64's range
            return
        consequents = np.concatenate((rules.biases.unsqueeze(-1), rules.weights), -1)
        parts = (rules.log_weights, rules.centers, rules.sigmas, consequents)
        line = self._template % (epoch, *np.concatenate([np.ravel(part) for part in parts]).tolist())
        self._lines.append(line.replace("inf", "null"))


def as_rules(base: dict[str, Any], snapshot: dict[str, Any]) -> dict[str, Any]:
    """The snapshot as ``to_dict()`` would have given it at that epoch, for ``tsk_core.explain``."""
    rules = zip(*(snapshot[name] for name in PARTS), strict=True)
    return {**base, "rules": [dict(zip(PARTS, rule, strict=True)) for rule in rules]}


def as_snapshot(rules: dict[str, Any], epoch: int) -> dict[str, Any]:
    """The inverse of ``as_rules``: what ``to_dict()`` gave after this epoch as a snapshot, with all digits."""
    return {"epoch": epoch, **{name: [rule[name] for rule in rules["rules"]] for name in PARTS}}


def write_snapshots(folder: Path, base: dict[str, Any], lines: list[str]) -> None:
    """Append lines to the file in the run's folder; the first ones make it."""
    append_lines(folder / SNAPSHOTS, {"base": base}, lines)


def read_snapshots(folder: Path, since: int = 0) -> list[dict[str, Any]]:
    """The snapshots written so far from number ``since`` on; RunError where the file is damaged."""
    return read_each(folder / SNAPSHOTS, _checked, since)


def read_base(folder: Path) -> dict[str, Any] | None:
    """What all snapshots share; None where there is no file, RunError where it is damaged."""
    path = folder / SNAPSHOTS
    if not path.exists():
        return None
    head = read_lines(path)[0]
    with reading(path.name):
        if not all(isinstance(head["base"][name], kind) for name, kind in (("columns", list), ("classes", list))):
            raise TypeError("not as written")
        return head["base"]


def _checked(line: bytes) -> dict[str, Any]:
    """A line as a snapshot; ValueError, KeyError or TypeError where it is none."""
    values = json.loads(line)
    log_weight, centers, sigmas, consequents = (np.array(values[name], dtype=float) for name in PARTS)
    R, D = centers.shape
    if log_weight.shape != (R,) or sigmas.shape != (R, D) or consequents.shape != (R, consequents.shape[1], D + 1):
        raise ValueError("shapes differ")
    if not (np.isfinite(log_weight).all() and np.isfinite(centers).all() and np.isfinite(consequents).all()):
        raise ValueError("not finite")
    if not isinstance(values["epoch"], int) or not (np.isnan(sigmas) | (sigmas > 0)).all() or np.isinf(sigmas).any():
        raise ValueError("not a snapshot")
    return values


def _template(R: int, C: int, digits: np.ndarray) -> str:
    """A snapshot's line with a place for each number. Filling it in takes a third of the time that json.dumps does."""
    columns = [f"%.{n}g" for n in digits.tolist()]
    six = f"%.{SIGNIFICANT}g"
    consequent = _list([f"%.{digits.max()}g", *columns])
    return (
        f'{{"epoch": %d, "log_weight": {_list([six] * R)}, "centers": {_list([_list(columns)] * R)},'
        f' "sigmas": {_list([_list([six] * len(columns))] * R)}, "consequents": {_list([_list([consequent] * C)] * R)}}}'
    )


def _list(items: list[str]) -> str:
    return f"[{','.join(items)}]"
