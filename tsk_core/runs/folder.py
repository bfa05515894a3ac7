"""RunFolder: the files of one run. A training writes through it, in whatever process and on whatever machine, and never to the
ledger: SQLite's WAL works on one machine only. docs/decisions/0011 says more.

``ended.json`` is written last. Where it is there, the rest is, so the run ended as it says, whatever became of the process that
should have heard of it.
"""

import json
import logging
import secrets
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.runs.files import VERSION, read_each, read_json, reading, replace_file, write_json, write_lines, writing
from tsk_core.runs.ledger import ENDED
from tsk_core.runs.evaluations import MISTAKES, read_mistakes, write_mistakes
from tsk_core.runs.snapshots import SNAPSHOTS, read_base, read_snapshots, write_snapshots
from tsk_core.runs.splits import read_split, write_split

__all__ = ["Ending", "RunFolder"]

AGAIN = "This run was started again elsewhere, so this attempt ended."
logger = logging.getLogger("tsk_core.jobs")


class Ending(NamedTuple):
    """How a run ended. state: one of ``ENDED``. rca, bca: on the test rows, where there is a model and there are such rows."""

    state: str
    message: str = ""
    rca: float | None = None
    bca: float | None = None


class RunFolder:
    """The folder of one run, at ``path``. RunError in one sentence where it cannot be read or written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._epochs = self.path / "epochs.jsonl"
        self._head: bytes | None = None  # the first line of the epochs of this object's attempt

    # An attempt to train, from its beginning to its end.

    def begin(self) -> None:
        """Drop what an earlier attempt wrote. Should that one still go on somewhere, it can write neither epochs nor an end."""
        with writing():
            for name in ("metrics.json", "ended.json", SNAPSHOTS, MISTAKES):
                (self.path / name).unlink(missing_ok=True)
        write_lines(self._epochs, {"attempt": secrets.token_hex(8)})
        self._head = self._first_line()

    def add_epochs(self, epochs: list[Epoch]) -> None:
        """Append whole lines. RunError where another attempt has begun since."""
        lines = "".join(json.dumps(epoch.to_dict()) + "\n" for epoch in epochs)
        with writing(), self._epochs.open("a+b") as file:  # one that is replaced just now takes the lines along
            file.seek(0)
            if file.readline() != self._head:
                raise RunError(AGAIN)
            file.write(lines.encode())

    def end(self, ending: Ending) -> None:
        """The last act of an attempt; of one that another has replaced, nothing is written."""
        if self._head is not None:
            with writing():
                if self._first_line() != self._head:
                    return
        write_json(self.path / "ended.json", ending._asdict())

    def _first_line(self) -> bytes:
        """Of the epochs: which attempt they are of."""
        with self._epochs.open("rb") as file:
            return file.readline()

    def add_snapshots(self, base: dict[str, Any], lines: list[str]) -> None:
        """Append whole lines; base, lines: a ``snapshots.Recorder``'s."""
        write_snapshots(self.path, base, lines)

    def add_mistakes(self, lines: list[str]) -> None:
        """Append whole lines, a ``mistakes.Examiner``'s."""
        write_mistakes(self.path, lines)

    def write_split(self, split: Any) -> None:
        """Keep the row numbers of both parts."""
        write_split(self.path / "split.npz", split)

    def write_model(self, classifier: Any) -> None:
        """Save the fitted classifier."""
        with writing():
            classifier.save(self.path / "model")

    def write_book(self, classifier: Any, train: tuple[Any, np.ndarray], test: tuple[Any, np.ndarray]) -> None:
        """Keep the readable rules. train, test: (X, y). Where they cannot be made or are too long, the run has none."""
        from tsk_core.runs.rule_texts import describe, pack

        try:
            packed = pack({"version": VERSION} | describe(classifier, train, test))
        except Exception:  # the run is worth keeping all the same
            logger.exception("Run %s has no rule book", self.path.name)
            return
        replace_file(self.path / "book.json.gz", lambda aside: aside.write_bytes(packed))

    def write_metrics(self, metrics: dict[str, Any]) -> None:
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
        about = self.about()
        with reading("config.json"):
            return TrainConfig.from_dict(about["config"])

    def about(self) -> dict[str, Any]:
        """config.json: config, dataset (its identity), test_size, versions."""
        values = read_json(self.path / "config.json")
        with reading("config.json"):
            if not all(isinstance(values[name], dict) for name in ("config", "dataset", "versions")):
                raise TypeError("not as written")
            return values

    def epochs(self) -> list[Epoch]:
        """The epochs written so far; a last line cut short by a kill is left out."""
        return read_each(self._epochs, _epoch)

    def metrics(self) -> dict[str, Any]:
        """The numbers at the end; RunError when the run has none."""
        path = self.path / "metrics.json"
        if not path.exists():
            raise RunError("This run has no numbers yet.")
        return read_json(path)

    def snapshots(self, since: int = 0) -> list[dict[str, Any]]:
        """The rules at some epochs, see ``RunStore.snapshots``."""
        return read_snapshots(self.path, since)

    def mistakes(self, since: int = 0) -> list[dict[str, Any]]:
        """What was wrong at some epochs, see ``RunStore.mistakes``."""
        return read_mistakes(self.path, since)

    def snapshot_base(self) -> dict[str, Any] | None:
        """What all snapshots share, see ``RunStore.snapshot_base``."""
        return read_base(self.path)

    def split(self) -> Any:
        """Which rows were trained on, and which tested."""
        return read_split(self.path / "split.npz")


def _epoch(line: bytes) -> Epoch:
    epoch = Epoch.from_dict(json.loads(line))
    if epoch.firing.ndim != 1 or epoch.entropy.ndim != 1 or not isinstance(epoch.epoch, int) or not isinstance(epoch.loss, float):
        raise TypeError("not an epoch")
    return epoch
