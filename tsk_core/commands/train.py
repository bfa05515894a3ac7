"""``train``: train on a table in this process, keep the run, and report."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Subparsers, add_settings, config_of, count_epochs, run_task, score_lines
from tsk_core.commands.table import add_table, load_table, notes_of
from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.settings import SETTINGS

if TYPE_CHECKING:
    from tsk_core.runs import RunStore


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("train", help="train on a file with a table or a dataset of the gallery, and keep the run")
    parser.set_defaults(command=_train)
    add_table(parser)
    add_settings(parser)
    parser.add_argument("--es", action="store_true", help=SETTINGS["early_stopping"].help)


def _train(options: argparse.Namespace) -> int:
    from tsk_core.tasks import LiveTraining

    for name in ("patience", "validation_fraction"):
        if getattr(options, name) is not None and not options.es:
            raise SettingError(f"--{name.replace('_', '-')} has no effect without --es; give both or neither.")
    config, dataset = replace(config_of(options), early_stopping=options.es), load_table(options)
    store, run, record = run_task(LiveTraining(config, dataset, options.test), config.max_epochs, "epoch", count_epochs)
    metrics = store.open(run).metrics()
    print(
        json.dumps(_summary(run, metrics, config))
        if options.json
        else _report(store, run, metrics, notes_of(dataset, options), record.message)
    )
    return 0


def _summary(run: str, metrics: dict[str, Any], config: TrainConfig) -> dict[str, object]:
    names = ("rca", "bca", "epochs", "best_epoch", "seconds", "rules_alive")
    return {"run": run} | {name: metrics[name] for name in names} | {"config": config.to_dict()}


def _intervals(metrics: dict[str, Any]) -> str:
    from tsk_core.evaluate import drawn_text

    rca, bca = (" to ".join(f"{bound:.3f}" for bound in metrics["intervals"][score]) for score in ("rca", "bca"))
    auc = "" if metrics["auc"] is None else f"; AUC {metrics['auc']:.3f}"
    return f"95% intervals{drawn_text(metrics['resampled'], metrics['test_rows'])}: RCA {rca}, BCA {bca}{auc}"


def _report(store: "RunStore", run: str, metrics: dict[str, Any], notes: list[str], message: str) -> str:
    """The report as text: how the file was read, the scores beside those of simple classifiers, the rules."""
    from tsk_core.explain import printed_rules

    result = store.result(run)
    rules = result.classifier.rules()  # as the run keeps them: measured on its test rows, groups and times drawn together
    lines = [*notes, *metrics["notes"], *([message] if message else []), ""]
    lines += score_lines("", "this classifier", metrics)
    lines += [_intervals(metrics), "The baselines have default settings."]
    alive = f"{metrics['rules_alive']} of {result.config.n_rules} rules fire"
    lines += ["", f"{metrics['epochs']} epochs in {metrics['seconds']:.1f} s; {alive}; kept in {store.folder / run}"]
    lines += ["", str(rules)]
    if not result.config.has_slopes:
        encoder = result.classifier.encoder_
        printed = printed_rules(result.classifier.to_dict(), encoder.low_, encoder.high_)
        lines += ["", "The rules in full", "", printed.text]
    return "\n".join(lines)
