"""RunFolder: the files of one run. A training writes through it, in whatever process and on whatever machine, and never to the
ledger: SQLite's WAL works on one machine only. docs/decisions/0025 says more.

``ended.json`` is written last. If it exists, all other files do, so the run ended as it says, even if the process that waits for
it was killed.
"""

import logging
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.live.series import EPOCHS
from tsk_core.runs.files import append_lines, read_json, read_lines, reading, replace_file, write_json, write_lines, writing
from tsk_core.runs.ledger import ENDED
from tsk_core.runs.run_files import Predictions, read_predictions, read_split, series, write_predictions, write_split

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Split
    from tsk_core.estimators.classifier import TSKClassifier

AGAIN = "This run was started again elsewhere, so this attempt ended."
logger = logging.getLogger("tsk_core.runs")


class Ending(NamedTuple):
    """How a run ended. state: one of ``ENDED``. rca, bca: on the test rows; None without a model or without such rows."""

    state: str
    message: str = ""
    rca: float | None = None
    bca: float | None = None


YIELDED = Ending("yielded")  # no end: the task gives its worker to others and goes on later from where it is


class RunFolder:
    """The folder of one run, at ``path``. RunError in one sentence where it cannot be read or written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._epochs = self.path / "epochs.jsonl"
        self._head: bytes | None = None  # the first line of the epochs of this object's attempt

    # An attempt at a task, from its beginning to its end.

    def begin(self) -> None:
        """Delete what an earlier attempt wrote. If that attempt still runs, it can write neither records nor an end."""
        with writing():
            for path in (self.path / "metrics.json", self.path / "ended.json", *self.path.glob("*.jsonl")):
                if path != self._epochs:
                    path.unlink(missing_ok=True)
        write_lines(self._epochs, {"attempt": secrets.token_hex(8)})
        self._head = self._first_line()

    def settle(self, config: TrainConfig) -> None:
        """Replace the settings by those that the run turned out to have, such as a number of rules that a search found."""
        write_json(self.path / "config.json", {**self.about(), "config": config.to_dict()})

    def append(self, name: str, lines: list[str], head: dict[str, Any] | None = None) -> None:
        """Append whole lines to a series of records. RunError where another attempt has begun since.

        head: what all records of the series share, written with the first ones.
        """
        path = self.path / series(name).file
        if path != self._epochs:
            with writing():
                if self._head is not None and self._first_line() != self._head:
                    raise RunError(AGAIN)
            append_lines(path, head or {}, lines)
            return
        with writing(), self._epochs.open("a+b") as file:  # one that is replaced just now takes the lines along
            file.seek(0)
            if file.readline() != self._head:
                raise RunError(AGAIN)
            file.write("".join(line + "\n" for line in lines).encode())

    def end(self, ending: Ending) -> None:
        """End the attempt; one that another has replaced writes nothing."""
        if self._head is not None:
            with writing():
                if self._first_line() != self._head:
                    return
        write_json(self.path / "ended.json", ending._asdict())

    def _first_line(self) -> bytes:
        """Of the epochs: it names the attempt that they are of."""
        with self._epochs.open("rb") as file:
            return file.readline()

    def write_split(self, split: "Split", positions: np.ndarray | None = None) -> None:
        """Keep the row numbers of both parts. positions: as those of ``Dataset``."""
        write_split(self.path, split, positions)

    def write_model(
        self,
        classifier: "TSKClassifier",
        train: "tuple[pd.DataFrame, np.ndarray]",
        test: "tuple[pd.DataFrame, np.ndarray]",
        groups: "tuple[np.ndarray | None, np.ndarray | None]",
    ) -> None:
        """Save the fitted classifier and keep its readable rules. train, test: (X, y). groups: of both, as in ``Summariser``.

        Where the rules cannot be summarised or are too long, the run keeps none.
        """
        from tsk_core.runs.rule_texts import RULE_TEXTS, pack

        summaries = classifier.summaries(train, test, groups)
        with writing():
            classifier.save(self.path / "model", summaries)
        if summaries is None:
            logger.error("Run %s keeps no readable rules", self.path.name)
            return
        try:
            packed = pack(summaries)
        except RunError as error:
            logger.error("Run %s keeps no readable rules: %s", self.path.name, error)
            return
        replace_file(self.path / RULE_TEXTS, lambda aside: aside.write_bytes(packed))

    def write_predictions(self, predictions: Predictions) -> None:
        """Keep the predictions for the test rows."""
        write_predictions(self.path, predictions)

    def write_metrics(self, metrics: Mapping[str, object]) -> None:
        """Keep the numbers at the end."""
        write_json(self.path / "metrics.json", metrics)

    # Reading.

    def ending(self) -> Ending | None:
        """How the last attempt ended; None where it has not, or where that is not whole."""
        path = self.path / "ended.json"
        if not path.exists():
            return None
        try:
            values = read_json(path)
            with reading(path.name):
                ending = Ending(**{name: values[name] for name in Ending._fields})
        except RunError as error:
            logger.warning("Run %s: %s", self.path.name, error)
            return None
        scores = all(score is None or type(score) in (int, float) for score in (ending.rca, ending.bca))
        whole = ending.state != "finished" or (self.path / "metrics.json").exists()  # a power cut may have taken it
        return ending if ending.state in ENDED and isinstance(ending.message, str) and scores and whole else None

    def config(self) -> TrainConfig:
        """The run's settings, with the seed it really uses."""
        return config_of(self.about())

    def about(self) -> dict[str, Any]:
        """config.json: config, dataset (its identity), test_size, versions."""
        values = read_json(self.path / "config.json")
        with reading("config.json"):
            named = all(isinstance(values[name], dict) for name in ("config", "dataset", "versions"))
            if not named or "test_size" not in values:
                raise TypeError("not as written")
            return values

    def records(self, name: str, since: int = 0) -> list[Any]:
        """The records of a series written so far, from number ``since`` (from 0) on: ``Epoch`` for "epochs", else dictionaries.

        Empty where the run has no such series. A last line cut short by a kill is left out. RunError where the file is damaged.
        """
        return [value for _, value in self._records(name, since)]

    def lines(self, name: str, since: int = 0) -> list[str]:
        """The same as they were written, a line of JSON each; RunError where the file is damaged."""
        return [line for line, _ in self._records(name, since)]

    def _records(self, name: str, since: int) -> list[tuple[str, Any]]:
        path, read = self.path / series(name).file, series(name).read
        if not path.exists():
            return []
        lines = read_lines(path)[1][since:]
        with reading(path.name):
            return [(line.decode(), read(line)) for line in lines]

    def head(self, name: str) -> dict[str, Any]:
        """What all records of a series share; empty where the run has no such series."""
        path = self.path / series(name).file
        if not path.exists():
            return {}
        head = read_lines(path)[0]
        with reading(path.name):
            series(name).check_head(head)
        return head

    def epochs(self) -> list[Epoch]:
        """The epochs written so far."""
        return self.records(EPOCHS)

    def progress(self) -> tuple[int, int, str]:
        """The last epoch written, how many there are at most, and the stage of training it belongs to.

        A run of another kind of task has none of these: (0, 0, its kind).
        """
        about = self.about()
        if (task := about["task"]) != "training":
            return 0, 0, str(task)
        epochs, steps = self.epochs(), config_of(about).max_epochs
        return (epochs[-1].epoch, steps, epochs[-1].stage) if epochs else (0, steps, "training")

    def metrics(self) -> dict[str, Any]:
        """The numbers at the end; RunError when the run has none."""
        path = self.path / "metrics.json"
        if not path.exists():
            raise RunError("This run has no numbers yet.")
        return read_json(path)

    def split(self) -> "Split":
        """Which rows were trained on, and which tested."""
        return read_split(self.path)

    def predictions(self) -> Predictions:
        """What the model predicts for the test rows; RunError where the run did not keep it."""
        return read_predictions(self.path)


def config_of(about: Mapping[str, Any]) -> TrainConfig:
    """The settings in the content of a run's config.json; RunError where they are damaged."""
    with reading("config.json"):
        return TrainConfig.from_dict(about["config"])
