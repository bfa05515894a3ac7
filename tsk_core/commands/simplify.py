"""``simplify``: train on a table, make a small rule base of the model, and print both scores and the rules in full."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers, add_settings, add_table, config_of, count_epochs, load_table, run_task
from tsk_core.simplify import AUTO, Options

if TYPE_CHECKING:
    from tsk_core.runs import Result

__all__ = ["add_parser"]


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("simplify", help="train on a table, then find a small rule base that keeps the accuracy")
    parser.set_defaults(command=_simplify)
    add_table(parser)
    add_settings(parser)
    parser.add_argument("--max-rules", type=int, default=Options.max_rules, help="rules, at most (default %(default)s)")
    parser.add_argument(
        "--max-conditions", type=int, default=Options.max_conditions, help="conditions a rule, at most (default %(default)s)"
    )
    parser.add_argument(
        "--terms", default=AUTO, type=_terms, metavar="auto|all|N",
        help="how many features change a score; auto finds the smallest base within the tolerance (default auto)",
    )  # fmt: skip
    parser.add_argument(
        "--tolerance", type=float, default=Options.tolerance,
        help="what auto may lose of the cross-validated balanced accuracy (default %(default)s)",
    )  # fmt: skip


def _terms(text: str) -> int | str | None:
    if text in (AUTO, "all"):
        return AUTO if text == AUTO else None
    return int(text)


def _simplify(options: argparse.Namespace) -> int:
    from tsk_core.tasks import LiveTraining, Refit

    chosen = Options(options.max_rules, options.max_conditions, options.terms, options.tolerance)
    config, dataset = config_of(options), load_table(options)
    store, full, _ = run_task(LiveTraining(config, dataset, options.test), config.max_epochs, "epoch", count_epochs)
    source = store.result(full)
    task = Refit(source.config, dataset, options.test, source=source.classifier, source_run=full, options=chosen)
    store, run, _ = run_task(task, config.max_epochs, "epoch", count_epochs)
    small = store.result(run)
    print(json.dumps(_summary(source, small)) if options.json else _report(source, small, store.folder / run))
    return 0


def _summary(source: "Result", small: "Result") -> dict[str, object]:
    scores = {name: {"before": source.metrics[name], "now": small.metrics[name]} for name in ("rca", "bca")}
    return {"run": small.run, "from": source.run} | scores | {"simplification": small.metrics["simplification"]}


def _report(source: "Result", small: "Result", folder: Path) -> str:
    from tsk_core.explain import printed_rules

    lines = [*small.metrics["notes"], *small.metrics["simplification"]["text"], ""]
    for name in ("rca", "bca"):
        before, now = source.metrics[name], small.metrics[name]
        if now is not None:
            lines.append(f"Test {name.upper()}: {before:.3f} before, {now:.3f} now")
    classifier = small.classifier
    lines += [f"Kept in {folder}", "", str(small.rules(12)), "", "The rules in full", ""]
    return "\n".join([*lines, printed_rules(classifier.to_dict(), classifier.encoder_.mean_).text])
