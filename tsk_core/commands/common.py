"""What several commands share: settings, and a task run in this process with a progress bar."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tsk_core.config import START_KEY, STARTING_POINTS, TrainConfig, default_of
from tsk_core.errors import SettingError, TSKError
from tsk_core.setting_values import text_of_value
from tsk_core.settings import SETTINGS, Setting

if TYPE_CHECKING:
    from tsk_core.runs import Record, RunStore
    from tsk_core.tasks import Task

_STOPPED = "Stopped by hand."

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # what declares the commands


class Bar(Protocol):
    """What is used of tqdm's progress bar."""

    n: float
    total: float

    def update(self, n: float) -> object:
        """Move on by n."""
        ...

    def reset(self) -> object:
        """Begin again."""
        ...

    def set_postfix_str(self, s: str, refresh: bool = ...) -> object:
        """The text behind the bar."""
        ...


def add_settings(parser: argparse.ArgumentParser, seed_help: str | None = None, without: Collection[str] = ()) -> None:
    """The starting point and an option for each setting of a training, but for early stopping and those ``without``."""
    group = parser.add_argument_group("settings of the training")
    group.add_argument(
        "--from", dest="start", choices=tuple(STARTING_POINTS), default="recommended",
        help="the settings to start from; each option below replaces one of them. paper is the paper's model, not its protocol,"
        " which chooses λ and the number of epochs by validation and has α 0.05 (default recommended)",
    )  # fmt: skip
    for name, setting in SETTINGS.items():
        if name != "early_stopping" and name not in without:
            _add_setting(group, name, setting, seed_help)


def _add_setting(group: argparse._ArgumentGroup, name: str, setting: Setting, seed_help: str | None) -> None:
    """One option per setting, with the name and the syntax of links."""
    choices = setting.options if setting.options and name != "ur_target" else None
    values = {start: "0" if name == "random_state" else text_of_value(default_of(name, start)) for start in STARTING_POINTS}
    recommended = values["recommended"]
    others = (f"; from {start} {value}" for start, value in values.items() if value != recommended)
    default = recommended + "".join(others)
    about = f"{setting.help} Give a .fis or JSON file." if name == "rule_base" else setting.help
    text = seed_help if seed_help and name == "random_state" else f"{about} (default {default})"
    metavar = "FILE" if name == "rule_base" else None
    group.add_argument(f"--{_flag(name)}", help=text.replace("%", "%%"), choices=choices, metavar=metavar)


def _flag(name: str) -> str:
    return SETTINGS[name].key or name.replace("_", "-")


def config_of(options: argparse.Namespace) -> TrainConfig:
    """The settings that the options of ``add_settings`` name: the starting point, with those that were given."""
    try:
        return _settings_given(options)
    except SettingError as error:
        name = str(error).split(" ", 1)[0]
        if name not in SETTINGS or getattr(options, _flag(name).replace("-", "_"), None) is None:
            raise
        raise SettingError(f"--{_flag(name)}: {error}") from None


def _settings_given(options: argparse.Namespace) -> TrainConfig:
    given = {name: value for name, value in vars(options).items() if value is not None}
    texts = {s.key: given[s.key] for name, s in SETTINGS.items() if s.key in given and name != "early_stopping"}
    config = TrainConfig.from_url({"seed": "0", **texts, START_KEY: options.start}).to_dict()
    if "validation_fraction" in given:
        config["validation_fraction"] = _share(given["validation_fraction"])
    if "rule_base" in given:
        if "rules" in given:
            raise SettingError("--rules has no effect with --rule-base, which has its own rules; leave out one of the two.")
        from tsk_core.explain.rule_base_file import read_rule_base

        config["rule_base"] = read_rule_base(Path(given["rule_base"]))
    return TrainConfig.from_dict(config | {"device": options.device or "cpu"})


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise TSKError(f"--validation-fraction is {text!r}; it must be a number.") from None


def run_task(
    task: "Task", total: int, unit: str, on_record: Callable[[Bar, str, str], None], store: "RunStore | None" = None
) -> "tuple[RunStore, str, Record]":
    """Enter a run and do its task in this process, as the app's workers would; Ctrl-C ends the task, not the run.

    on_record: called with the progress bar, a record's series and its line. store: where runs are kept; None: the usual place.
    Returns the store, the run's id and its record.
    Raises TSKError where the task fails.
    """
    from tqdm import tqdm

    from tsk_core.runs import RunStore
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
    from tsk_core.tasks import run_here

    store = store or RunStore()
    run, task = task.create_run(store, owner="command line")
    interrupted: list[bool] = []
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    bar = tqdm(total=total, unit=unit, leave=False, disable=None)  # None: only on a terminal
    try:
        with torch_threads(1), denormals_as_zero(), bar:
            record = run_here(
                store, run, task,
                stop_reason=lambda: _STOPPED if interrupted else "",
                on_record=lambda series, line, _: on_record(bar, series, line),
            )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    if record.state not in ("finished", "stopped"):
        raise TSKError(record.message)
    return store, run, record


def count_epochs(bar: Bar, series: str, line: str) -> None:
    """Of ``run_task``, for trainings: the bar counts epochs and shows loss and score."""
    from tsk_core.epoch import Epoch
    from tsk_core.live.series import EPOCHS

    if series != EPOCHS:
        return
    epoch = Epoch.from_dict(json.loads(line))
    if epoch.epoch < bar.n:  # early stopping's search is over, and the training begins at 1 again
        bar.reset()
    bar.update(epoch.epoch - bar.n)
    score = "" if epoch.rca_test is None else f", test RCA {epoch.rca_test:.3f}"
    bar.set_postfix_str(f"loss {epoch.loss:.3f}{score}", refresh=False)


def score_lines(heading: str, own: str, metrics: Mapping[str, Any]) -> list[str]:
    """The scores of the test rows as a table: of a classifier, which is called ``own``, and of each baseline."""
    from tsk_core.evaluate.baselines import BASELINES
    from tsk_core.runs import score_columns

    columns = score_columns(metrics)
    rows = {own: metrics} | {BASELINES[key]: scores for key, scores in metrics["baselines"].items()}
    first, widths = max(map(len, [heading, *rows])), [max(5, len(title)) for title in columns]

    def line(name: str, cells: Iterable[str]) -> str:
        return "  ".join([f"{name:{first}}", *(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))]).rstrip()

    def cell(value: float | None) -> str:
        return "–" if value is None else f"{value:.3f}"

    return [line(heading, columns), *(line(name, [cell(row[key]) for key in columns.values()]) for name, row in rows.items())]


def write_output(content: bytes, out: str | None) -> None:
    """Write what a command made to the file ``out``, or to standard output; TSKError where the file cannot be written."""
    if out is None:
        left = memoryview(content)
        while left:  # an unbuffered output may take a part at a time
            left = left[sys.stdout.buffer.write(left) :]
        return
    try:
        Path(out).write_bytes(content)
    except OSError as error:
        raise TSKError(f"The file '{out}' cannot be written: {str(error.strerror).lower()}.") from None
