"""RunStore: the folder where runs are kept, so that one that ended survives any restart.

    <runs_dir>/runs.sqlite          the ledger, see ledger.py
    <runs_dir>/<run>/config.json    settings, the dataset's identity, versions
    <runs_dir>/<run>/epochs.jsonl   one Epoch a line, appended about each second
    <runs_dir>/<run>/split.npz      rows of the training and test part
    <runs_dir>/<run>/model/         safetensors + JSON
    <runs_dir>/<run>/metrics.json   the numbers at the end
    <runs_dir>/<run>/stop           there while the run is asked to stop

Files are replaced whole (written aside, then renamed) or appended by whole lines, so a kill at any moment leaves them
readable. Each file says the version of its format. Several processes may share one folder.
"""

import json
import os
import platform
import secrets
import sqlite3
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.jobs.ledger import ENDED, VERSION, Ledger, Record, check_version

__all__ = ["ENDED", "Record", "Result", "RunStore"]


@dataclass(frozen=True)
class Result:
    """What a run left: the fitted classifier, its numbers, and everything needed to repeat it.

    split: row numbers ``.train`` and ``.test`` of the dataset's frame.
    dataset: the dataset's identity (name, sha256, target, rows, columns).
    """

    run: str
    state: str
    message: str
    classifier: Any
    metrics: dict[str, Any]
    config: TrainConfig
    history: list[Epoch] = field(repr=False)
    split: Any = field(repr=False)
    dataset: dict[str, Any] = field(default_factory=dict)


class RunStore(Ledger):
    """The runs in one folder.

    runs_dir: the folder; None takes the environment variable TSK_RUNS_DIR, else ``runs/``.
    recover: on opening, mark runs whose process is gone as "interrupted".
    """

    def __init__(self, runs_dir: str | Path | None = None, recover: bool = True) -> None:
        self.folder = Path(runs_dir or os.environ.get("TSK_RUNS_DIR") or "runs").absolute()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            super().__init__(self.folder, recover)
        except (OSError, sqlite3.Error) as error:
            raise RunError(f"The folder of runs {self.folder} cannot be used ({error}); set TSK_RUNS_DIR to another.") from error

    def create(self, config: TrainConfig, dataset: Any, test_size: float = 0.3, owner: str = "anyone") -> str:
        """Add a queued run, owned by this process, and return its id (which cannot be guessed).

        A config without a seed gets one, so that the run can be repeated.
        """
        run = secrets.token_hex(16)
        if config.random_state is None:
            config = replace(config, random_state=secrets.randbelow(2**31))
        identity = {
            "name": dataset.name, "sha256": dataset.sha256, "target": dataset.target,
            "rows": len(dataset.frame), "columns": dataset.frame.shape[1],
        }  # fmt: skip
        self._folder(run).mkdir()
        self._write_json(
            self._folder(run) / "config.json",
            {"config": config.to_dict(), "dataset": identity, "test_size": test_size, "versions": _versions()},
        )
        self.add(run, owner, dataset.name)
        return run

    def start(self, run: str) -> bool:
        """As in the ledger; what an earlier attempt wrote is dropped."""
        started = super().start(run)
        if started:
            _replace(self._folder(run) / "epochs.jsonl", (json.dumps({"version": VERSION}) + "\n").encode())
        return started

    def ask_to_stop(self, run: str) -> None:
        """Leave a mark that the training looks for at each epoch; any process that shares the folder may set it."""
        (self._folder(run) / "stop").touch()

    def asked_to_stop(self, run: str) -> bool:
        """Whether the mark is there. A few microseconds, so it can be asked at each epoch."""
        return (self._folder(run) / "stop").exists()

    # What a run leaves.

    def add_epochs(self, run: str, epochs: list[Epoch]) -> None:
        """Append whole lines."""
        lines = "".join(json.dumps(epoch.to_dict()) + "\n" for epoch in epochs)
        with (self._folder(run) / "epochs.jsonl").open("ab") as file:
            file.write(lines.encode())

    def write_split(self, run: str, split: Any) -> None:
        """Keep the row numbers of both parts."""
        path = self._folder(run) / "split.npz"
        with path.with_suffix(".tmp").open("wb") as file:
            np.savez(file, version=VERSION, train=split.train, test=split.test, notes=np.asarray(list(split.notes), dtype=str))
        path.with_suffix(".tmp").replace(path)

    def write_model(self, run: str, classifier: Any) -> None:
        """Save the fitted classifier."""
        classifier.save(self._folder(run) / "model")

    def write_metrics(self, run: str, metrics: dict[str, Any]) -> None:
        """Keep the numbers at the end."""
        self._write_json(self._folder(run) / "metrics.json", metrics)

    # Reading. An unknown run raises RunError; the ledger is asked first, so that no path is ever made of an id that is not ours.

    def config(self, run: str) -> TrainConfig:
        """The run's settings, with the seed it really uses."""
        return TrainConfig.from_dict(self.about(run)["config"])

    def about(self, run: str) -> dict[str, Any]:
        """config.json: config, dataset (its identity), test_size, versions."""
        self.record(run)
        return self._read_json(self._folder(run) / "config.json")

    def epochs(self, run: str) -> list[Epoch]:
        """The epochs written so far; a last line cut short by a kill is left out."""
        self.record(run)
        path = self._folder(run) / "epochs.jsonl"
        head, *lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else [b"{}"]
        check_version(json.loads(head).get("version", VERSION), path)
        return [Epoch.from_dict(json.loads(line)) for line in lines]

    def metrics(self, run: str) -> dict[str, Any]:
        """The numbers at the end; RunError when the run has none."""
        self.record(run)
        path = self._folder(run) / "metrics.json"
        if not path.exists():
            raise RunError("This run has no numbers yet.")
        return self._read_json(path)

    def result(self, run: str) -> Result:
        """Everything the run left; RunError in one sentence when it left no model."""
        record = self.record(run)
        if record.state not in ENDED:
            raise RunError(f"This run is still {record.state}; its result comes when it ends.")
        if record.state not in ("finished", "stopped") or not (self._folder(run) / "metrics.json").exists():
            raise RunError(record.message or "This run ended before its first epoch, so it has no model.")
        from tsk_core.classifier import TSKClassifier  # torch loads here, not with the store

        about = self.about(run)
        try:
            classifier, split = TSKClassifier.load(self._folder(run) / "model"), self._read_split(run)
        except (OSError, KeyError) as error:
            raise RunError(f"The files of this run cannot be read ({type(error).__name__}); start it again.") from error
        return Result(
            run, record.state, record.message, classifier, self.metrics(run), TrainConfig.from_dict(about["config"]),
            self.epochs(run), split, about["dataset"],
        )  # fmt: skip

    # Inside.

    def _read_split(self, run: str) -> Any:
        from tsk_core.data import Split

        with np.load(self._folder(run) / "split.npz", allow_pickle=False) as arrays:
            check_version(int(arrays["version"]), self._folder(run) / "split.npz")
            return Split(train=arrays["train"], test=arrays["test"], notes=tuple(str(note) for note in arrays["notes"]))

    def _folder(self, run: str) -> Path:
        return self.folder / run

    def _write_json(self, path: Path, values: dict[str, Any]) -> None:
        _replace(path, json.dumps({"version": VERSION} | values, indent=1).encode())

    def _read_json(self, path: Path) -> dict[str, Any]:
        try:
            values = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise RunError(f"The file {path.name} of this run cannot be read; start the run again.") from error
        check_version(values.pop("version", VERSION), path)
        return values


def _replace(path: Path, content: bytes) -> None:
    """Write aside, then rename: a reader sees the old file or the new one, never half of one."""
    aside = path.with_name(path.name + ".tmp")
    aside.write_bytes(content)
    aside.replace(path)


def _versions() -> dict[str, str]:
    """What has to be the same for the same numbers; read from package metadata, which does not load torch."""
    from importlib.metadata import version

    import tsk_core

    return {"python": platform.python_version(), "torch": version("torch"), "tsk": getattr(tsk_core, "__version__", "0")}
