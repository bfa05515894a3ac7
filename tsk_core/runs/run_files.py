"""Files of a run: the series of its records, how it was split, and its predictions for the test rows.

    epochs       epochs.jsonl      one ``Epoch`` an epoch
    snapshots    snapshots.jsonl   the rules at up to 40 epochs, at most 5 MB; see live/messages.py
    evaluations  mistakes.jsonl    confusion matrix and calibration on the test rows at up to 40 epochs, at most 1 MB
    strengths    strengths.jsonl   how strong each condition is at up to 250 epochs, of rules that may lose some, at most 1 MB

Any other series is a file of JSON values. The first line of each file holds what all its records share.

Split and predictions are arrays. A run may be looked at without its table (docs/decisions/0025), so the training writes both.
"""

import base64
import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.epoch import Epoch
from tsk_core.live.messages import check_base, read_snapshot
from tsk_core.live.series import EPOCHS, EVALUATIONS, SNAPSHOTS, STRENGTHS
from tsk_core.runs.files import VERSION, check_version, read_bytes, reading, replace_file

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Split


PREDICTIONS, SPLIT = "predictions.npz", "split.npz"
MOST_NUMBERS = 2_000_000  # probabilities that a run keeps, 8 MB; of more, it keeps the classes alone


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


class Predictions(NamedTuple):
    """Of the N test rows, in the order of ``Split.test``; classes by their number in the dataset's list.

    true, predicted: (N,) integers. probabilities: (N, C), or (N, 0) where the run did not keep them.
    units: (N,) integers, equal in rows that belong together (``evaluate.units``).
    """

    true: np.ndarray
    predicted: np.ndarray
    probabilities: np.ndarray
    units: np.ndarray

    @property
    def confidence(self) -> np.ndarray:
        """The probability of each row's predicted class, (N,); of probabilities that were kept."""
        confidence: np.ndarray = self.probabilities[np.arange(len(self.predicted)), self.predicted]
        return confidence


def write_predictions(folder: Path, predictions: Predictions) -> None:
    """Keep the predictions of the run in this folder; the probabilities as float32, and only up to ``MOST_NUMBERS``."""
    true, predicted, probabilities, units = predictions
    kept = probabilities if probabilities.size <= MOST_NUMBERS else probabilities[:, :0]
    _write_arrays(
        folder / PREDICTIONS, true=true.astype(np.int16), predicted=predicted.astype(np.int16),
        probabilities=kept.astype(np.float32), units=units.astype(np.int32),
    )  # fmt: skip


def read_predictions(folder: Path) -> Predictions:
    """What ``write_predictions`` kept; RunError where the file is missing or damaged."""
    with _arrays(folder / PREDICTIONS) as arrays:
        predictions = Predictions(*(arrays[name] for name in Predictions._fields))
        numbers = predictions.true, predictions.predicted, predictions.units
        whole = all(part.ndim == 1 and part.dtype.kind == "i" for part in numbers)
        if not whole or predictions.probabilities.ndim != 2 or predictions.probabilities.dtype.kind != "f":
            raise TypeError("not predictions")
        if len({len(part) for part in predictions}) > 1:
            raise ValueError("of different numbers of rows")
        return predictions


def predictions_table(
    split: "Split", predictions: Predictions, classes: list[str], positions: np.ndarray | None
) -> "pd.DataFrame":
    """A line for each row of the dataset: its number from 0 ("row"), "part"; for test rows "true", "predicted", p(class) too.

    positions: as those of ``Dataset``; the numbers are then those of the table before rows were left out.
    RunError where the files of the run do not fit each other.
    """
    import pandas as pd

    with reading(PREDICTIONS):
        if len(predictions.true) != len(split.test):
            raise ValueError("not of this split")
        tested, trained = (rows if positions is None else positions[rows] for rows in (split.test, split.train))
        names = np.asarray(classes, dtype=object)
        test = pd.DataFrame(
            {"row": tested, "part": "test", "true": names[predictions.true], "predicted": names[predictions.predicted]}
        )
        if predictions.probabilities.shape[1]:
            columns = [f"p({name})" for name in names]
            test = pd.concat([test, pd.DataFrame(predictions.probabilities.round(6), columns=columns)], axis=1)
        train = pd.DataFrame({"row": trained, "part": "train"})
        return pd.concat([test, train]).sort_values("row", ignore_index=True)


def write_split(folder: Path, split: "Split", positions: np.ndarray | None = None) -> None:
    """Keep the row numbers and the notes of the run in this folder. positions: as those of ``Dataset``."""
    kept = {} if positions is None else {"positions": positions}
    _write_arrays(folder / SPLIT, train=split.train, test=split.test, notes=np.asarray(list(split.notes), dtype=str), **kept)


def read_split(folder: Path) -> "Split":
    """What ``write_split`` kept; RunError where the file is damaged."""
    from tsk_core.data import Split

    with _arrays(folder / SPLIT) as arrays:
        train, test = (_row_numbers(arrays[name]) for name in ("train", "test"))
        return Split(train=train, test=test, notes=tuple(str(note) for note in arrays["notes"]))


def read_positions(folder: Path) -> np.ndarray | None:
    """The positions that ``write_split`` kept; None where no row was left out. RunError where the file is damaged."""
    with _arrays(folder / SPLIT) as arrays:
        return _row_numbers(arrays["positions"]) if "positions" in arrays else None


def _write_arrays(path: Path, **arrays: Any) -> None:
    def write(aside: Path) -> None:
        with aside.open("wb") as file:
            np.savez(file, version=VERSION, **arrays)

    replace_file(path, write)


@contextlib.contextmanager
def _arrays(path: Path) -> Iterator[Mapping[str, np.ndarray]]:
    content = io.BytesIO(read_bytes(path))
    with reading(path.name), np.load(content, allow_pickle=False) as arrays:
        check_version(int(arrays["version"]), path)
        yield arrays


def _row_numbers(rows: np.ndarray) -> np.ndarray:
    if rows.ndim != 1 or rows.dtype.kind != "i":
        raise TypeError("not row numbers")
    return rows
