"""``study``: the paper's experiment; its results, tables and figures in a folder."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers
from tsk_core.errors import SettingError, TSKError

if TYPE_CHECKING:
    from tsk_study.results import Key, Result
    from tsk_study.running import Unit


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("study", help="the paper's experiment: eleven algorithms, twelve datasets, 30 splits")
    parser.set_defaults(command=_study)
    parser.add_argument("--datasets", default="all", metavar="NAMES", help="names separated by commas, or all (default)")
    parser.add_argument(
        "--algorithms", default="all", metavar="NAMES",
        help="names separated by commas; all: the paper's eleven (default), mbgd: its TSK-MBGD variants, beyond: all others",
    )  # fmt: skip
    parser.add_argument("--splits", type=int, default=30, metavar="N", help="how many random 70/30 splits (default 30)")
    parser.add_argument(
        "--out", required=True, metavar="DIR",
        help="a folder for results.csv, tables and figures; run again on it, the study computes what is missing",
    )  # fmt: skip
    parser.add_argument(
        "--as-the-authors", action="store_true",
        help="train the MBGD family as the authors' published code does where it differs from the paper; writes authors.csv",
    )  # fmt: skip
    parser.add_argument("--no-figures", action="store_true", help="leave out the figures, which need some models trained again")
    parser.add_argument("--workers", type=int, metavar="N", help="processes that compute (default: one for each processor)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster that computes instead (default TSK_SCHEDULER)")


def _study(options: argparse.Namespace) -> int:
    from dask.system import CPU_COUNT  # knows a container's share

    from tsk_study.names import MBGD, parse_algorithms, parse_datasets
    from tsk_study.results import AUTHORS_FILE, FILE, read_results
    from tsk_study.running import finished, unavailable, unfinished

    datasets, algorithms = parse_datasets(options.datasets), parse_algorithms(options.algorithms)
    if options.as_the_authors:
        algorithms = tuple(name for name in algorithms if name in MBGD)
        if not algorithms:
            raise SettingError(f"--as-the-authors is for {', '.join(MBGD)}; name one of them with --algorithms.")
    workers = CPU_COUNT if options.workers is None else options.workers
    for name, value in (("splits", options.splits), ("workers", workers)):
        if value < 1:
            raise SettingError(f"--{name} is {value}; it must be at least 1.")
    lacking = unavailable(algorithms)
    for name, why in lacking.items():
        print(f"{name} is left out. {why}")
    path = Path(options.out) / (AUTHORS_FILE if options.as_the_authors else FILE)
    with _locked(path), _interruptible(path):
        done = finished(read_results(path))
        wanted = [name for name in algorithms if name not in lacking]
        units = unfinished(datasets, wanted, options.splits, done, _rows(datasets))
        failed = _compute(units, path, workers, options)
        if not options.as_the_authors:
            print(_report(path, datasets, options))
    for why in failed:
        print(f"error: {why}")
    return 1 if failed else 0


def _rows(datasets: tuple[str, ...]) -> dict[str, int]:
    """Of each dataset; loading them before anything is computed also shows which one is not there."""
    from tsk_core.data import load_dataset

    return {name: len(load_dataset(name).y) for name in datasets}


def _compute(units: "list[Unit]", path: Path, workers: int, options: argparse.Namespace) -> list[str]:
    """Compute the units, writing each one's results as it ends; returns why units failed."""
    from tqdm import tqdm

    from tsk_study.results import append_results
    from tsk_study.running import compute_units

    failed, done, cells = [], 0, sum(len(unit.cells) for unit in units)
    scheduler = options.scheduler or os.environ.get("TSK_SCHEDULER")
    form = "{l_bar}{bar}| {postfix} [{elapsed}<{remaining}]"
    with tqdm(total=sum(unit.work for unit in units), bar_format=form, disable=None, leave=False) as bar:
        for unit, outcome in compute_units(units, workers, scheduler, as_the_authors=options.as_the_authors):
            if isinstance(outcome, TSKError):
                failed.append(str(outcome))
            else:
                append_results(path, outcome)
            done += len(unit.cells)
            bar.update(unit.work)
            bar.set_postfix_str(f"{done:,} of {cells:,} trainings", refresh=False)
    return failed


def _report(path: Path, datasets: tuple[str, ...], options: argparse.Namespace) -> str:
    """Write tables and figures of all results in the file; returns the table of accuracies, and where the rest is."""
    from tsk_study.results import read_results
    from tsk_study.tables import make_tables
    from tsk_study.written_tables import table_markdown, write_tables

    results, out = read_results(path), path.parent
    if not results:
        return "There are no results."
    tables = make_tables(results)
    write_tables(tables, out / "tables")
    lines = [table_markdown(tables["rca"]), f"All tables are in {out / 'tables'}."]
    return "\n".join(lines if options.no_figures else [*lines, *_figures(results, out / "figures", datasets)])


def _figures(results: "Mapping[Key, Result]", folder: Path, datasets: tuple[str, ...]) -> list[str]:
    """Make the figures of these datasets; returns lines that say where they are, and which are missing."""
    from tqdm import tqdm

    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
    from tsk_study.figures import FIGURES, FigureOptions, make_figures

    shown = FigureOptions(results).dataset
    names = [name for name, figure in FIGURES.items() if figure.from_results or shown in datasets]
    with torch_threads(1), denormals_as_zero(), tqdm(names, desc="figures", disable=None, leave=False) as bar:
        made = make_figures(FigureOptions(results), folder, names, lambda name, share: bar.set_postfix_str(f"{name} {share:.0%}"))
    return [f"The figures are in {folder}.", *made.missing.values()]


@contextmanager
def _interruptible(path: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise TSKError(f"Interrupted. The results so far are in '{path}'; run the same command to compute the rest.") from None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """The file of results, made with its folder where it is not there, for this process alone."""
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_name(".study.lock"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        lock.acquire(timeout=0)
    except Timeout:
        raise TSKError(f"Another study is writing to '{path}'; wait until it has ended, or name another folder.") from None
    except OSError as error:
        raise TSKError(f"The folder '{path.parent}' cannot be written to: {str(error.strerror).lower()}.") from None
    try:
        yield
    finally:
        lock.release()
