"""The series of records of a run: the file of each, and how a line of it is read.

    epochs       epochs.jsonl      one ``Epoch`` an epoch
    snapshots    snapshots.jsonl   the rules at up to 40 epochs, at most 5 MB; see live/snapshot_values.py
    evaluations  mistakes.jsonl    confusion matrix and calibration on the test rows at up to 40 epochs, at most 1 MB
    strengths    strengths.jsonl   how strong each condition is at up to 250 epochs, of rules that may lose some, at most 1 MB

Any other series is a file of JSON values. The first line of each file holds what all its records share.
"""

import base64
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tsk_core.epoch import Epoch
from tsk_core.live.series import EPOCHS, EVALUATIONS, SNAPSHOTS, STRENGTHS
from tsk_core.live.snapshot_values import check_base, read_snapshot

__all__ = ["EPOCHS", "EVALUATIONS", "SNAPSHOTS", "STRENGTHS", "Series", "series"]


class Series(NamedTuple):
    """file: its name in the run's folder. read: a line as a value. check_head: of the values of the first line.

    Both raise ValueError, KeyError or TypeError where the file is damaged.
    """

    file: str
    read: Callable[[bytes | str], Any]
    check_head: Callable[[dict[str, Any]], None] = lambda head: None


def series(name: str) -> Series:
    """The series of this name."""
    return _SERIES.get(name) or Series(f"{name}.jsonl", json.loads)


def _epoch(line: bytes | str) -> Epoch:
    values = json.loads(line)
    epoch = Epoch.from_dict(values)
    arrays = all(array is not None and array.ndim == 1 for array in (epoch.firing, epoch.entropy))
    if not arrays or not isinstance(values["epoch"], int) or not isinstance(epoch.loss, float):
        raise TypeError("not an epoch")
    return epoch


def _evaluation(line: bytes | str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(line)
    counts, bins, epoch = np.array(values["confusion"]), values["reliability"], values["epoch"]
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.dtype.kind != "i":
        raise ValueError("not counts")
    if not all(isinstance(bins[name], list) for name in ("count", "confidence", "accuracy")) or not isinstance(epoch, int):
        raise ValueError("not as written")
    return values


def _strengths(line: bytes | str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(line)
    classes = values["classes"]
    if not base64.b64decode(values["strengths"], validate=True) or not isinstance(values["epoch"], int):
        raise ValueError("not as written")
    if not (classes is None or all(isinstance(c, int) for c in classes)):
        raise TypeError("not as written")
    return values


def _check_names(head: dict[str, Any]) -> None:
    if not all(isinstance(head[name], list) for name in ("features", "classes")):
        raise TypeError("not as written")


_SERIES = {
    EPOCHS: Series("epochs.jsonl", _epoch),
    SNAPSHOTS: Series("snapshots.jsonl", read_snapshot, check_base),
    EVALUATIONS: Series("mistakes.jsonl", _evaluation),
    STRENGTHS: Series("strengths.jsonl", _strengths, _check_names),
}
