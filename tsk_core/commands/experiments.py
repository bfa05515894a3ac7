"""What ``compare`` and ``sweep`` share: the options of an experiment, and the experiment itself, done in this process."""

import argparse
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Bar, add_settings, run_task
from tsk_core.experiments.plan import SCORES

if TYPE_CHECKING:
    from tsk_core.runs import RunStore
    from tsk_core.tasks import Experiment


def add_experiment(parser: argparse.ArgumentParser, seeds: int, without: Collection[str] = ()) -> None:
    """The options that comparisons and sweeps share: seeds, splits, the score, and the settings of a training but ``without``."""
    parser.add_argument("--seeds", type=int, default=seeds, metavar="K", help=f"how many seeds, 1 to 30 (default {seeds})")
    parser.add_argument("--splits", type=int, default=1, metavar="S", help="splits of the rows for each seed (default 1)")
    parser.add_argument(
        "--score", choices=tuple(SCORES), default="last",
        help="which score of a training counts: that of its last epoch, the mean of its last epochs (a fifth of them, 5 to 30),"
        " or that of the epoch that is best on a held-out fifth of its training rows (default last)",
    )  # fmt: skip
    add_settings(parser, seed_help="the first seed; the others follow it (default 0)", without=without)


def plan_options(options: argparse.Namespace) -> dict[str, Any]:
    """What these options say of a plan, besides its variants and settings."""
    return {"seeds": options.seeds, "splits": options.splits, "test_size": options.test, "score": options.score}


def run_experiment(task: "Experiment", store: "RunStore | None" = None) -> list[dict[str, Any]]:
    """Do an experiment in this process, as the app's workers would; returns its points in the order of their numbers."""
    from tsk_core.errors import TSKError
    from tsk_core.tasks import EXPERIMENT

    task.check()
    store, run, record = run_task(task, task.plan.size, "training", _tick, store=store)
    if record.state == "stopped":
        raise TSKError(f"{record.message} The trainings that have ended are kept; run the same command to continue from there.")
    points = {record["point"]: record for record in store.open(run).records(EXPERIMENT) if "point" in record}
    return [points[number] for number in sorted(points)]


def _tick(bar: Bar, series: str, line: str) -> None:  # noqa: ARG001 - the signature of ``run_task``
    """Move the bar by a training at each point."""
    if line.startswith('{"point"'):
        bar.update(1)
