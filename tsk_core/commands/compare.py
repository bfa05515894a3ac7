"""``compare``: train variants of the settings over the same seeds and splits, and say how far they are apart."""

import argparse
import json
import statistics
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Subparsers, config_of
from tsk_core.commands.experiments import add_experiment, plan_options, run_experiment
from tsk_core.commands.table import add_table, load_table, notes_of
from tsk_core.errors import SettingError

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.experiments.plan import Plan


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("compare", help="compare variants of the settings over several seeds")
    parser.set_defaults(command=_compare)
    add_table(parser)
    parser.add_argument(
        "--variants", default="none,bn,ur,ur-bn", metavar="NAMES",
        help="separated by commas: none, bn, gbn, rbn, ur, ur-bn, ur-gbn, ur-rbn (λ as given, 1 where that is 0), the same with λ"
        " by validation, as in the paper (ur-val, ur-bn-val, ur-gbn-val, ur-rbn-val), base (the settings as given), or one"
        " changed setting such as rules=30 (default none,bn,ur,ur-bn)",
    )  # fmt: skip
    add_experiment(parser, seeds=10, without=("patience",))  # nothing in it stops early


def _compare(options: argparse.Namespace) -> int:
    from tsk_core.experiments.in_process import comparison_values
    from tsk_core.experiments.plan import comparison_plan
    from tsk_core.experiments.variants import study_choices
    from tsk_core.tasks import Experiment

    dataset = load_table(options)
    chosen = study_choices(dataset)
    names = options.variants.split(",")
    if options.validation_fraction is not None and not any(name.strip().endswith("-val") for name in names):
        raise SettingError("--validation-fraction has no effect without a variant whose λ validation chooses, such as ur-val.")
    plan = comparison_plan(names, config_of(options), chosen=chosen, **plan_options(options))
    found = run_experiment(Experiment(plan, dataset))
    print(json.dumps(comparison_values(plan, found, options.score)) if options.json else _report(plan, found, dataset, options))
    return 0


def _report(plan: "Plan", points: list[dict[str, Any]], dataset: "Dataset", options: argparse.Namespace) -> str:
    """The report as text: a line per variant, then a sentence per pair. Seconds: each training's share of its stack's."""
    from tsk_core.experiments.plan import ACCURACIES, score_of
    from tsk_core.experiments.stacks import ur_weight_notes
    from tsk_core.experiments.verdicts import assumption, pairs, seed_notes

    lines = [*notes_of(dataset, options), ""]
    width = max(len(variant.name) for variant in plan.variants)
    lines.append(f"{'':{width}}  " + "  ".join(f"{title + ' (SD)':13}" for title in ACCURACIES.values()) + "  seconds (share)")
    for k, variant in enumerate(plan.variants):
        own = [point for point in points if point["variant"] == k]
        cells = []
        for metric in ACCURACIES:
            known = [value for point in own if (value := score_of(point, options.score, metric)) is not None]
            mean = f"{statistics.mean(known):.3f}" if known else "–    "
            sd = f"({statistics.stdev(known):.3f})" if len(known) > 1 else "     "
            cells.append(f"{mean} {sd:7}")
        seconds = statistics.mean(point["seconds_share"] for point in own)
        diverged = sum(bool(point["message"]) for point in own)
        note = f"  {diverged} of {len(own)} diverged" if diverged else ""
        lines.append(f"{variant.name:{width}}  " + "  ".join(cells) + f"  {seconds:15.2f}{note}")
    lines += ["", *ur_weight_notes(plan, points)] if any(variant.note for variant in plan.variants) else []
    compared = pairs(plan, points, options.score)
    lines += ["", *(pair.sentence for pair in compared), "", assumption(plan, compared, options.score, points)]
    lines += seed_notes(plan, compared)
    return "\n".join(lines)
