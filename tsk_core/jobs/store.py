"""RunStore: the folder where runs are kept, so that one that ended survives any restart.

    <runs_dir>/runs.sqlite             the ledger, see ledger.py; housekeeping.py bounds it all
    <runs_dir>/<run>/config.json       settings, the dataset's identity, versions
    <runs_dir>/<run>/recipe.json       how the table was cleaned, to treat new rows in the same way
    <runs_dir>/<run>/data.parquet      the table itself, where its owner wanted it kept
    <runs_dir>/<run>/epochs.jsonl      one Epoch a line, appended about each second
    <runs_dir>/<run>/snapshots.jsonl   the rules at up to 40 epochs, at most 5 MB, appended likewise; see snapshots.py
    <runs_dir>/<run>/split.npz         rows of the training and test part
    <runs_dir>/<run>/model/            safetensors + JSON
    <runs_dir>/<run>/book.json.gz      the readable rules, so that they can be read without the table
    <runs_dir>/<run>/metrics.json      the numbers at the end
    <runs_dir>/<run>/stop              there while the run is asked to stop

Files are replaced whole (written aside, then renamed) or appended by whole lines, so a kill at any moment leaves them
readable. Each file says the version of its format. Several processes may share one folder.
"""

import json
import logging
import os
import platform
import secrets
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.jobs.files import (
    VERSION,
    append_lines,
    delete_folder,
    read_json,
    read_lines,
    reading,
    replace_file,
    size_of,
    write_json,
    write_lines,
    writing,
)  # fmt: skip
from tsk_core.jobs.housekeeping import Housekeeping, Room
from tsk_core.jobs.identity import choices_of, from_gallery, identity, keep_table, kept_dataset
from tsk_core.jobs.ledger import ENDED, Record, proper_name
from tsk_core.jobs.result import Result
from tsk_core.jobs.snapshots import SNAPSHOTS, read_base, read_snapshots, write_snapshots
from tsk_core.jobs.splits import read_split, write_split

if TYPE_CHECKING:
    from tsk_core.data import Choices, Dataset, Reading
    from tsk_core.data.clean import Recipe
    from tsk_core.jobs.card import Card

__all__ = ["ENDED", "Record", "Result", "Room", "RunStore"]

logger = logging.getLogger("tsk_core.jobs")


class RunStore(Housekeeping):
    """The runs in one folder. Whatever goes wrong with it is a RunError, in one sentence; DiskFullError where the disk is full.

    runs_dir: the folder; None takes the environment variable TSK_RUNS_DIR, else ``runs/``.
    recover: on opening, mark runs whose process is gone as "interrupted", and delete what a kill left half-written.
    """

    def __init__(self, runs_dir: str | Path | None = None, recover: bool = True) -> None:
        folder = Path(runs_dir or os.environ.get("TSK_RUNS_DIR") or "runs").absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            super().__init__(folder, recover)
        except (OSError, RunError) as error:
            if isinstance(error, RunError) and "newer version" in str(error):
                raise
            raise RunError(f"The folder of runs {folder} cannot be used ({error}); set TSK_RUNS_DIR to another.") from error

    def create(
        self, config: TrainConfig, dataset: "Dataset", test_size: float = 0.3, owner: str = "anyone", *,
        name: str = "", keep_data: bool = False, wish: "Reading | None" = None,
    ) -> str:  # fmt: skip
        """Add a queued run, owned by this process, and return its id (which cannot be guessed).

        A config without a seed gets one, so that the run can be repeated. keep_data: keep the table as well; a table of the
        gallery is never kept. wish: how the dataset's file had to be read, where that was not found out.
        """
        run, name = secrets.token_hex(16), proper_name(name)
        if config.random_state is None:
            config = replace(config, random_state=secrets.randbelow(2**31))
        about, folder = identity(dataset, wish), self._folder(run)
        keep_data = keep_data and about["gallery"] is None
        values = {"config": config.to_dict(), "dataset": about, "test_size": test_size, "versions": _versions()}
        try:
            with writing():
                folder.mkdir()
            write_json(folder / "config.json", values)
            if dataset.recipe is not None:
                write_json(folder / "recipe.json", {"recipe": dataset.recipe.to_dict()})
            if keep_data:
                keep_table(folder / "data.parquet", dataset)
            self.add(
                run, owner, dataset.name, name=name, settings_json=json.dumps(config.to_dict()), rows=about["rows"],
                sha256=about["sha256"], target=about["target"], size=size_of(folder), data_kept=int(keep_data),
            )  # fmt: skip
        except BaseException:
            delete_folder(folder)
            raise
        return run

    def start(self, run: str) -> bool:
        """As in the ledger; what an earlier attempt wrote is dropped."""
        started = super().start(run)
        if started:
            with writing():
                (self._folder(run) / SNAPSHOTS).unlink(missing_ok=True)
            write_lines(self._folder(run) / "epochs.jsonl", {})
        return started

    def ask_to_stop(self, run: str) -> None:
        """Leave a mark that the training looks for at each epoch; any process that shares the folder may set it."""
        with writing():
            (self._folder(run) / "stop").touch()

    def asked_to_stop(self, run: str) -> bool:
        """Whether the mark is there. A few microseconds, so it can be asked at each epoch."""
        return (self._folder(run) / "stop").exists()

    # What a run leaves.

    def add_epochs(self, run: str, epochs: list[Epoch]) -> None:
        """Append whole lines."""
        append_lines(self._folder(run) / "epochs.jsonl", [json.dumps(epoch.to_dict()) for epoch in epochs])

    def add_snapshots(self, run: str, base: dict[str, Any], lines: list[str]) -> None:
        """Append whole lines; base, lines: a ``snapshots.Recorder``'s."""
        write_snapshots(self._folder(run), base, lines)

    def write_split(self, run: str, split: Any) -> None:
        """Keep the row numbers of both parts."""
        write_split(self._folder(run) / "split.npz", split)

    def write_model(self, run: str, classifier: Any) -> None:
        """Save the fitted classifier."""
        with writing():
            classifier.save(self._folder(run) / "model")

    def write_book(self, run: str, classifier: Any, train: tuple[Any, np.ndarray], test: tuple[Any, np.ndarray]) -> None:
        """Keep the readable rules. train, test: (X, y). Where they cannot be made or are too long, the run has none."""
        from tsk_core.jobs.books import describe, pack

        try:
            packed = pack({"version": VERSION} | describe(classifier, train, test))
        except Exception:  # the run is worth keeping all the same
            logger.exception("Run %s has no rule book", run)
            return
        replace_file(self._folder(run) / "book.json.gz", lambda aside: aside.write_bytes(packed))

    def write_metrics(self, run: str, metrics: dict[str, Any]) -> None:
        """Keep the numbers at the end."""
        write_json(self._folder(run) / "metrics.json", metrics)

    # Reading. An unknown run raises RunError; the ledger is asked first, so that no path is ever made of an id that is not ours.

    def config(self, run: str) -> TrainConfig:
        """The run's settings, with the seed it really uses."""
        about = self.about(run)
        with reading("config.json"):
            return TrainConfig.from_dict(about["config"])

    def about(self, run: str) -> dict[str, Any]:
        """config.json: config, dataset (its identity), test_size, versions."""
        values = read_json(self._files(run) / "config.json")
        with reading("config.json"):
            if not all(isinstance(values[name], dict) for name in ("config", "dataset", "versions")):
                raise TypeError("not as written")
            return values

    def epochs(self, run: str) -> list[Epoch]:
        """The epochs written so far; a last line cut short by a kill is left out."""
        path = self._files(run) / "epochs.jsonl"
        if not path.exists():
            return []
        lines = read_lines(path)[1]
        with reading(path.name):
            return [_epoch(line) for line in lines]

    def snapshots(self, run: str, since: int = 0) -> list[dict[str, Any]]:
        """The rules at some epochs (see snapshots.py), those written so far, from number ``since`` (from 0) on.

        Epochs rise, but that of a training that diverged comes last. Empty for runs of older versions and for very large models.
        """
        return read_snapshots(self._files(run), since)

    def snapshot_base(self, run: str) -> dict[str, Any] | None:
        """What all snapshots share: ``to_dict()`` less its rules; None as long as there is no snapshot."""
        return read_base(self._files(run))

    def metrics(self, run: str) -> dict[str, Any]:
        """The numbers at the end; RunError when the run has none."""
        path = self._files(run) / "metrics.json"
        if not path.exists():
            raise RunError("This run has no numbers yet.")
        return read_json(path)

    def result(self, run: str) -> Result:
        """Everything the run left; RunError in one sentence when it left no model."""
        record, folder = self.record(run), self._files(run)
        if not record.ended:
            raise RunError(f"This run is still {record.state}; its result comes when it ends.")
        if record.state not in ("finished", "stopped") or not (folder / "metrics.json").exists():
            raise RunError(record.message or "This run ended before its first epoch, so it has no model.")
        from tsk_core.classifier import TSKClassifier  # torch loads here, not with the store

        about = self.about(run)
        with reading("model"):
            classifier = TSKClassifier.load(folder / "model")
        return Result(
            run, record.state, record.message, classifier, self.metrics(run), self.config(run), self.epochs(run),
            read_split(folder / "split.npz"), about["dataset"], about.get("test_size", 0.3), about["versions"], folder,
        )  # fmt: skip

    def choices(self, run: str) -> "Choices":
        """What was decided about the table, to make the same dataset of it again."""
        return choices_of(self.about(run)["dataset"])

    def recipe(self, run: str) -> "Recipe | None":
        """How the table was cleaned, to treat new rows in the same way; None where that is not known."""
        from tsk_core.data.clean import Recipe

        path = self._files(run) / "recipe.json"
        if not path.exists():
            return None
        values = read_json(path)
        with reading(path.name):
            return Recipe.from_dict(values["recipe"])

    def dataset(self, run: str) -> "Dataset | None":
        """The dataset, from the gallery or from the table kept with the run; None where neither has it as it was.

        Whoever has the file makes it with ``choices``; it is the right one where ``sha256`` is the record's.
        """
        about, path = self.about(run)["dataset"], self._files(run) / "data.parquet"
        if path.exists():
            return kept_dataset(path, about)
        with reading("config.json"):
            return from_gallery(about)

    def card(self, run: str) -> "Card":
        """How to repeat the run: link, seed, SHA-256, versions, and the Python that does it."""
        from tsk_core.jobs.card import make_card

        record, about = self.record(run), self.about(run)
        last = None
        if record.state == "stopped":
            epochs = self.epochs(run)
            last = (epochs[-1].stage, epochs[-1].epoch) if epochs else ("", 0)
        with reading("config.json"):
            return make_card(run, about, last)

    def archive(self, run: str) -> bytes:
        """The run as a zip: settings, epochs, numbers, model, rules, and the script that repeats it."""
        from tsk_core.jobs.archive import archive

        return archive(self.result(run), self.about(run), self.card(run).python)

    # Inside.

    def _files(self, run: str) -> Path:
        """The folder of a run that is known and not removed."""
        if removed := self.record(run).removed:
            raise RunError(removed)
        return self._folder(run)


def _epoch(line: bytes) -> Epoch:
    epoch = Epoch.from_dict(json.loads(line))
    if epoch.firing.ndim != 1 or epoch.entropy.ndim != 1 or not isinstance(epoch.epoch, int) or not isinstance(epoch.loss, float):
        raise TypeError("not an epoch")
    return epoch


@cache
def _versions() -> dict[str, str]:
    """What has to be the same for the same numbers; read from package metadata, which does not load torch."""
    from importlib.metadata import version

    import tsk_core

    names = ("torch", "numpy", "pandas", "scikit-learn")
    return {"python": platform.python_version(), **{n: version(n) for n in names}, "tsk": getattr(tsk_core, "__version__", "0")}
