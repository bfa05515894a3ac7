"""``sweep``: train all combinations of some values over several seeds."""

import argparse
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Subparsers, config_of
from tsk_core.commands.experiments import add_experiment, plan_options, run_experiment
from tsk_core.commands.table import add_table, load_table, notes_of
from tsk_core.errors import RunError, TSKError

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.experiments.plan import Plan
    from tsk_core.experiments.sweep_summary import Mean


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    from tsk_core.experiments.plan import EQUAL
    from tsk_core.experiments.variants import AXES

    parser = commands.add_parser("sweep", help="train all combinations of some values over several seeds")
    parser.set_defaults(command=_sweep)
    add_table(parser)
    parser.add_argument(
        "--axis", action="append", required=True, metavar="NAME=VALUES",
        help=f"a setting and its values, such as batch=16,32,64; up to four of {', '.join(AXES)}. sigma is a factor of the"
        " initial widths, rows the share of the training rows",
    )  # fmt: skip
    parser.add_argument(
        "--equal", choices=EQUAL, default=EQUAL[0],
        help="what all batch sizes have in common: the number of epochs, or of gradient steps (default epochs)",
    )  # fmt: skip
    parser.add_argument("--out", metavar="DIR", help="a folder for results.csv; run again on it, the sweep continues")
    add_experiment(parser, seeds=5, without=("validation_fraction", "patience"))  # nothing in it stops early


def _sweep(options: argparse.Namespace) -> int:
    from tsk_core.data.export import escape_formulas
    from tsk_core.experiments.in_process import sweep_frame, sweep_values
    from tsk_core.experiments.plan import sweep_plan
    from tsk_core.experiments.stacks import most_training_rows
    from tsk_core.experiments.variants import parse_axis
    from tsk_core.runs import RunStore
    from tsk_core.tasks import Experiment

    dataset, axes = load_table(options), list(map(parse_axis, options.axis))
    rows_of = partial(most_training_rows, dataset)
    plan = sweep_plan(axes, config_of(options), rows_of, equal=options.equal, **plan_options(options))
    try:
        store = RunStore(options.out) if options.out else None
    except RunError as error:
        raise TSKError(str(error).replace("; set TSK_RUNS_DIR to another.", "; name another with --out.")) from None
    points = run_experiment(Experiment(plan, dataset), store)
    frame = sweep_frame(plan, points, options.score)
    if store:
        try:
            escape_formulas(frame).to_csv(store.folder / "results.csv", index=False)
        except OSError as error:
            raise TSKError(f"The results could not be written to {store.folder} ({error}).") from None
    print(json.dumps(sweep_values(plan, points, options.score)) if options.json else _report(plan, points, dataset, options))
    return 0


def _report(plan: "Plan", points: list[dict[str, Any]], dataset: "Dataset", options: argparse.Namespace) -> str:
    """The report as text: a line per cell, the highest one marked, then a sentence."""
    from tsk_core.experiments.sweep_summary import lengths, sentence, summarise

    cells = summarise(plan, points, options.score)
    width = max(len(cell.name) for cell in cells)
    lines = [
        *notes_of(dataset, options),
        "",
        f"{'':{width}}  " + "  ".join(f"{title:>{columns}}" for title, columns, _ in _COLUMNS.values()),
    ]
    for cell in cells:
        numbers = (_number(cell.metrics.get(name), *column[1:]) for name, column in _COLUMNS.items())
        mark = "  highest" if cell.highest else "  not separated" if cell.rival else ""
        diverged = f"  {cell.diverged} of {cell.n} diverged" if cell.diverged else ""
        lines.append(f"{cell.name:{width}}  {'  '.join(numbers)}{mark}{diverged}")
    return "\n".join([*lines, "", sentence(plan, cells, {}), *filter(None, [lengths(plan)])])


_COLUMNS = {  # metric -> title, width, digits; with its SD where the title says so
    "rca": ("RCA (SD)", 12, 3),
    "bca": ("BCA (SD)", 12, 3),
    "entropy": ("entropy", 7, 3),
    "dead": ("dead", 4, 1),
    "fidelity": ("fidelity", 8, 3),
    "conditions": ("conditions", 10, 1),
    "seconds_share": ("seconds (share)", 15, 2),
}


def _number(mean: "Mean | None", width: int, digits: int) -> str:
    if mean is None:
        return f"{'–':>{width}}"
    spread = "" if width != 12 or mean.sd is None else f" ({mean.sd:.3f})"
    return f"{f'{mean.mean:.{digits}f}{spread}':>{width}}"
