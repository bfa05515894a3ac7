"""``compare``: train variants of the settings over the same seeds and splits, and say how far they are apart."""

import argparse
import json
from typing import Any

from tsk_core.commands.common import add_settings, add_table, config_of, load_table, run_task
from tsk_core.experiments.metrics import SCORES

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("compare", help="compare variants of the settings over several seeds")
    parser.set_defaults(command=_compare)
    add_table(parser)
    parser.add_argument(
        "--variants", default="none,bn,ur,ur-bn", metavar="NAMES",
        help="separated by commas: none, bn, gbn, rbn, ur, ur-bn, ur-gbn, ur-rbn, base (the settings as given), or one changed"
        " setting such as rules=30 (default none,bn,ur,ur-bn)",
    )  # fmt: skip
    add_experiment(parser, seeds=10)


def add_experiment(parser: argparse.ArgumentParser, seeds: int) -> None:
    """The options that comparisons and sweeps share: seeds, splits, the score, and the settings of a training."""
    parser.add_argument("--seeds", type=int, default=seeds, metavar="K", help=f"how many seeds, 1 to 30 (default {seeds})")
    parser.add_argument("--splits", type=int, default=1, metavar="S", help="splits of the rows for each seed (default 1)")
    parser.add_argument(
        "--score", choices=tuple(SCORES), default="last",
        help="which score of a training counts: its last epoch, the mean of its last epochs, or the epoch that is best on a"
        " fifth of its training rows, held out (default last)",
    )  # fmt: skip
    add_settings(parser, seed_help="the first seed; the others follow it (default 0)")


def plan_options(options: argparse.Namespace) -> dict[str, Any]:
    """What these options say of a plan, besides its variants."""
    return {
        "seeds": options.seeds, "splits": options.splits, "test_size": options.test,
        "first_seed": config_of(options).random_state, "validated": options.score == "best",
    }  # fmt: skip


def _compare(options: argparse.Namespace) -> int:
    from tsk_core.experiments.frames import comparison_values
    from tsk_core.experiments.plan import COMPARISON, Plan
    from tsk_core.experiments.variants import parse_variants
    from tsk_core.tasks import Experiment

    variants = parse_variants(options.variants.split(","), config_of(options))
    plan = Plan(COMPARISON, variants, **plan_options(options))
    dataset = load_table(options)
    found = run_experiment(Experiment(plan, dataset))
    print(json.dumps(comparison_values(plan, found, options.score)) if options.json else _report(plan, found, dataset, options))
    return 0


def run_experiment(task: Any, store: Any = None) -> list[dict[str, Any]]:
    """Do an experiment in this process, as the app's workers would; returns its points in the order of their numbers."""
    from tsk_core.errors import TSKError
    from tsk_core.tasks import EXPERIMENT

    task.check()
    store, run, record = run_task(task, task.plan.size, "training", _tick, store=store)
    if record.state == "stopped":
        raise TSKError(f"{record.message} The trainings that ended are kept: the same command continues from there.")
    points = {one["point"]: one for one in store.open(run).records(EXPERIMENT) if "point" in one}
    return [points[number] for number in sorted(points)]


def _tick(bar: Any, series: str, line: str) -> None:  # noqa: ARG001 - the signature of ``run_task``
    """Move the bar by a training at each point."""
    if line.startswith('{"point"'):
        bar.update(1)


def _report(plan: Any, points: list[dict[str, Any]], dataset: Any, options: argparse.Namespace) -> str:
    """The report as text: a line a variant, then a sentence a pair. Seconds: each training's share of its stack's."""
    import numpy as np

    from tsk_core.experiments.metrics import ACCURACIES, score_of
    from tsk_core.experiments.verdicts import assumption, pairs

    lines = [*dataset.notes, ""]
    width = max(len(variant.name) for variant in plan.variants)
    lines.append(f"{'':{width}}  " + "  ".join(f"{title + ' (SD)':13}" for title in ACCURACIES.values()) + "  seconds (share)")
    for k, variant in enumerate(plan.variants):
        own = [point for point in points if point["variant"] == k]
        cells = []
        for metric in ACCURACIES:
            values = np.array([score_of(point, options.score, metric) for point in own])
            sd = f"({values.std(ddof=1):.3f})" if len(values) > 1 else "     "
            cells.append(f"{values.mean():.3f} {sd:7}")
        seconds = np.mean([point["seconds_share"] for point in own])
        diverged = sum(bool(point["message"]) for point in own)
        note = f"  {diverged} of {len(own)} diverged" if diverged else ""
        lines.append(f"{variant.name:{width}}  " + "  ".join(cells) + f"  {seconds:15.2f}{note}")
    lines += ["", *(pair.sentence for pair in pairs(plan, points, options.score)), "", assumption(plan, options.score, points)]
    return "\n".join(lines)
