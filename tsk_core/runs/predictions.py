"""A model's predictions for the test rows of its run, as a file, and as a table to download.

A run may be looked at without its table (docs/decisions/0010), so the training writes them at its end.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tsk_core.runs.files import VERSION, check_version, read_bytes, reading, replace_file

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Split

__all__ = ["FILE", "MOST_NUMBERS", "Predictions", "predictions_table", "read_predictions", "write_predictions"]

FILE = "predictions.npz"
MOST_NUMBERS = 2_000_000  # probabilities that a run keeps, 8 MB; of more, it keeps the classes alone


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


def write_predictions(path: Path, predictions: Predictions) -> None:
    """Keep the predictions; the probabilities as float32, and only up to ``MOST_NUMBERS``."""
    kept = predictions.probabilities if predictions.probabilities.size <= MOST_NUMBERS else predictions.probabilities[:, :0]

    def write(aside: Path) -> None:
        with aside.open("wb") as file:
            true, predicted = predictions.true.astype(np.int16), predictions.predicted.astype(np.int16)
            np.savez(
                file, version=VERSION, true=true, predicted=predicted, probabilities=kept.astype(np.float32),
                units=predictions.units.astype(np.int32),
            )  # fmt: skip

    replace_file(path, write)


def read_predictions(path: Path) -> Predictions:
    """What ``write_predictions`` kept; RunError where the file is missing or damaged."""
    content = read_bytes(path)
    with reading(path.name), np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        check_version(int(arrays["version"]), path)
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

    with reading(FILE):
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
