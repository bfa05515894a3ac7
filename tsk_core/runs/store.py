"""RunStore: the folder where runs are kept, so that one that ended survives any restart.

    <runs_dir>/runs.sqlite             the ledger, see ledger.py; housekeeping.py bounds it all
    <runs_dir>/<run>/config.json       settings, the dataset's identity, versions
    <runs_dir>/<run>/recipe.json       how the table was cleaned, to treat new rows in the same way
    <runs_dir>/<run>/data.parquet      the table itself, if its owner chose to keep it
    <runs_dir>/<run>/epochs.jsonl      one Epoch a line, appended about each second
    <runs_dir>/<run>/snapshots.jsonl   the rules at up to 40 epochs, at most 5 MB, appended likewise; see run_files.py
    <runs_dir>/<run>/mistakes.jsonl    the evaluations at up to 40 epochs, at most 1 MB, appended likewise
    <runs_dir>/<run>/strengths.jsonl   how strong conditions are at up to 250 epochs, of rules that may lose some, likewise
    <runs_dir>/<run>/split.npz         rows of the training and test part
    <runs_dir>/<run>/model/            safetensors + JSON
    <runs_dir>/<run>/book.json.gz      the readable rules, so that they can be read without the table
    <runs_dir>/<run>/predictions.npz   class and probabilities of each test row
    <runs_dir>/<run>/metrics.json      the numbers at the end
    <runs_dir>/<run>/ended.json        how it ended; written last: if it exists, all others do
    <runs_dir>/<run>/stop, pause, pace present while the run shall stop, wait or train slowly, see jobs/control.py

The ledger is for processes of one machine; a training, which may be on another, writes to its run's folder alone (folder.py).
Files are replaced whole (written aside, then renamed) or appended by whole lines, so a kill at any moment leaves them
readable. Each file says the version of its format. Several processes may share one folder.
"""

import json
import os
import platform
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.errors import RunError, SettingError
from tsk_core.runs.files import close_to_others, delete_folder, read_json, reading, size_of, write_json, writing
from tsk_core.runs.folder import RunFolder, config_of
from tsk_core.runs.housekeeping import Housekeeping
from tsk_core.runs.identity import TABLE, choices_of, from_gallery, identity, keep_table, kept_dataset, without_name
from tsk_core.runs.ledger import Ledger, Record, proper_name
from tsk_core.runs.result import Result, Search

if TYPE_CHECKING:
    from tsk_core.data import Choices, Dataset, ReadOptions
    from tsk_core.data.clean import CleaningPipeline
    from tsk_core.runs.methods import Reproduction


class RunStore:
    """The runs in one folder. Every failure is a RunError in one sentence, or DiskFullError if the disk is full.

    ledger: the rows of all runs: lists of them, names, their beginning. housekeeping: their end, pins, and what is deleted.

    runs_dir: the folder; None takes the environment variable TSK_RUNS_DIR, else ``runs/``. Only this account may enter it, unless
    TSK_RUNS_MODE has other permissions for it, such as 2770 where workers run as another account of the same group.
    recover: on opening, mark runs whose process is gone as "interrupted", and delete what a kill left half-written.
    """

    def __init__(self, runs_dir: str | Path | None = None, recover: bool = True) -> None:
        folder = Path(runs_dir or os.environ.get("TSK_RUNS_DIR") or "runs").absolute()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            close_to_others(folder, _mode())
            self.folder, self.ledger = folder, Ledger(folder)
            self.housekeeping = Housekeeping(self.ledger, folder)
            if recover:
                self.housekeeping.recover()
        except (OSError, RunError) as error:
            if isinstance(error, RunError) and "newer version" in str(error):
                raise
            name, reason = folder.name, getattr(error, "strerror", None) or error  # pages show it: no path of this machine
            raise RunError(f"The folder of runs {name!r} cannot be used ({reason}); set TSK_RUNS_DIR to another.") from error

    def create(
        self, config: TrainConfig, dataset: "Dataset", test_size: float = 0.3, owner: str = "anyone", *,
        name: str = "", keep_data: bool = False, read_options: "ReadOptions | None" = None, file_sha256: str = "",
        task: str = "training", beside: str = "", search: Search | None = None,
        files: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    ) -> str:  # fmt: skip
        """Add a queued run, owned by this process, and return its id (which cannot be guessed).

        A config without a seed gets one, so that the run can be repeated. keep_data: keep the table as well; a table of the
        gallery is never kept. read_options: the options that were chosen to read the dataset's file.
        file_sha256: of the bytes of that file, by which the decisions about its table are found again.
        task: what kind of task the run is of. beside: the run that it is to be compared with, "" for none. search: what found
        its settings. files: further JSON files of its folder, by name.
        """
        run, name = secrets.token_hex(16), proper_name(name)
        config = with_seed(config)
        about, folder = identity(dataset, read_options, file_sha256), self.folder / run
        keep_data = keep_data and about["gallery"] is None
        values = {"config": config.to_dict(), "dataset": about, "test_size": test_size, "versions": _versions(), "task": task}
        values |= {"beside": beside} if beside else {}
        values |= {"search": search.to_dict()} if search else {}
        try:
            with writing():
                folder.mkdir()
            for file, content in {"config.json": values, **files}.items():
                write_json(folder / file, content)
            if dataset.cleaning is not None:
                write_json(folder / "recipe.json", {"recipe": dataset.cleaning.to_dict()})
            if keep_data:
                keep_table(folder / TABLE, dataset)
            self.ledger.add(
                run, owner, dataset.name, name=name, settings_json=json.dumps(config.to_dict()), rows=about["rows"],
                sha256=about["sha256"], target=about["target"], size=size_of(folder), data_kept=int(keep_data), task=task,
            )  # fmt: skip
        except BaseException:
            delete_folder(folder)
            raise
        return run

    # Reading. An unknown run raises RunError; the ledger is asked first, so that no path is ever made of an id that is not ours.

    def record(self, run: str) -> Record:
        """The run's row, also of one that was removed; RunError when there is none."""
        return self.ledger.record(run)

    def open(self, run: str) -> RunFolder:
        """The folder of a run that is known and not removed."""
        if removed := self.record(run).removed:
            raise RunError(removed)
        return RunFolder(self.folder / run)

    def result(self, run: str) -> Result:
        """Everything the run left; RunError in one sentence if it left no model."""
        record, files = self.record(run), self.open(run)
        ended = record if record.ended else files.ending()  # a ledger that could not be written yet
        if ended is None:
            raise RunError(f"This run is still {record.state}; its result comes when it ends.")
        if ended.state not in ("finished", "stopped") or not (files.path / "metrics.json").exists():
            raise RunError(ended.message or "This run ended before its first epoch, so it has no model.")
        if record.task != "training":
            raise RunError(f"This run has scores but no model, since it is not a training ({record.task}).")
        from tsk_core.estimators.classifier import TSKClassifier  # torch loads here, not with the store

        about = files.about()
        with reading("model"):
            classifier = TSKClassifier.load(files.path / "model")
        return Result(
            run, ended.state, ended.message, classifier, files.metrics(), config_of(about), files.epochs(), files.split(),
            about["dataset"], about["test_size"], about["versions"], files.path, about.get("beside", ""),
        )  # fmt: skip

    def choices(self, run: str) -> "Choices":
        """The decisions about the table, to make the same dataset from it again."""
        return choices_of(self.open(run).about()["dataset"])

    def cleaning(self, run: str) -> "CleaningPipeline | None":
        """How the table was cleaned, to treat new rows in the same way; None where that is not known."""
        from tsk_core.data.clean import CleaningPipeline

        path = self.open(run).path / "recipe.json"
        if not path.exists():
            return None
        values = read_json(path)
        with reading(path.name):
            return CleaningPipeline.from_dict(values["recipe"])

    def dataset(self, run: str) -> "Dataset | None":
        """The dataset, from the gallery or from the table kept with the run; None if neither has it unchanged.

        From the file, ``choices`` makes the same dataset, whose ``sha256`` is the record's.
        """
        files = self.open(run)
        about, path = files.about()["dataset"], files.path / TABLE
        if path.exists():
            return kept_dataset(path, about)
        with reading("config.json"):
            return from_gallery(about)

    def reproduction(self, run: str) -> "Reproduction":
        """How to repeat the run: link, seed, SHA-256, versions, and the Python that does it."""
        from tsk_core.runs.methods import reproduction

        files, last = self.open(run), None
        if self.record(run).state == "stopped":
            epochs = files.epochs()
            last = (epochs[-1].stage, epochs[-1].epoch) if epochs else ("", 0)
        about = files.about()
        with reading("config.json"):
            return reproduction(run, about, last)

    def archive(self, run: str, max_antecedents: int = 5, *, named: bool = True) -> bytes:
        """The run as a zip: settings, epochs, numbers, model, rules, and the script that repeats it.

        max_antecedents: how many conditions the rules in it have at most, 1 to 12. named: whether it says what an uploaded table
        is called.
        """
        from tsk_core.runs.archive import archive

        result, about = self.result(run), self.open(run).about()
        if not named:
            result = replace(result, dataset=without_name(result.dataset))
            about = about | {"dataset": without_name(about["dataset"])}
        return archive(result, about, self.reproduction(run).python, max_antecedents)


def with_seed(config: TrainConfig) -> TrainConfig:
    """The settings with a seed, drawn where they have none."""
    return config if config.random_state is not None else replace(config, random_state=secrets.randbelow(2**31))


def _mode() -> int:
    """The permissions of the folder of runs."""
    text = os.environ.get("TSK_RUNS_MODE", "700")
    if not re.fullmatch("[0-7]?7[0-7][0-7]", text):
        raise SettingError(f"The environment variable TSK_RUNS_MODE is {text!r}; set it to permissions such as 700 or 2770.")
    return int(text, 8)


@cache
def _versions() -> dict[str, str]:
    """The versions that determine the numbers; read from package metadata, which does not load torch."""
    from importlib.metadata import version

    import tsk_core

    names = ("torch", "numpy", "pandas", "scikit-learn")
    return {"python": platform.python_version(), **{n: version(n) for n in names}, "tsk": getattr(tsk_core, "__version__", "0")}
