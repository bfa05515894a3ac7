"""``train``: train on a table in this process, keep the run, and report."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Subparsers, add_settings, add_table, config_of, count_epochs, load_table, run_task
from tsk_core.config import SETTINGS, TrainConfig

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.runs import RunStore

__all__ = ["add_parser"]


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("train", help="train on a CSV file or a dataset of the gallery, and keep the run")
    parser.set_defaults(command=_train)
    add_table(parser)
    add_settings(parser)
    parser.add_argument("--es", action="store_true", help=SETTINGS["early_stopping"].help)


def _train(options: argparse.Namespace) -> int:
    from tsk_core.tasks import LiveTraining

    config, dataset = replace(config_of(options), early_stopping=options.es), load_table(options)
    store, run, record = run_task(LiveTraining(config, dataset, options.test), config.max_epochs, "epoch", count_epochs)
    metrics = store.open(run).metrics()
    print(json.dumps(_summary(run, metrics, config)) if options.json else _report(store, run, metrics, dataset, record.message))
    return 0


def _summary(run: str, metrics: dict[str, Any], config: TrainConfig) -> dict[str, object]:
    names = ("rca", "bca", "epochs", "best_epoch", "seconds", "rules_alive")
    return {"run": run} | {name: metrics[name] for name in names} | {"config": config.to_dict()}


def _intervals(metrics: dict[str, Any]) -> str:
    rca, bca = (" to ".join(f"{bound:.3f}" for bound in metrics["intervals"][score]) for score in ("rca", "bca"))
    auc = "" if metrics["auc"] is None else f"; AUC {metrics['auc']:.3f}"
    return f"95% bootstrap intervals over {metrics['test_rows']} test rows: RCA {rca}, BCA {bca}{auc}"


def _report(store: "RunStore", run: str, metrics: dict[str, Any], dataset: "Dataset", message: str) -> str:
    """The report as text: how the file was read, the scores beside those of simple classifiers, the rules."""
    from tsk_core.evaluate.baselines import BASELINES

    result = store.result(run)
    X, y = dataset.X, dataset.y
    train, test = result.split.train, result.split.test
    rules = result.classifier.rules(X=X.iloc[test], y=y[test], training=(X.iloc[train], y[train]))
    lines = [*dataset.notes, *metrics["notes"], *([message] if message else []), ""]
    scores = {"this classifier": metrics} | {BASELINES[key]: score for key, score in metrics["baselines"].items()}
    width = max(map(len, scores))
    lines.append(f"{'':{width}}  RCA    BCA")
    lines += [f"{title:{width}}  {score['rca']:.3f}  {score['bca']:.3f}" for title, score in scores.items()]
    lines.append(_intervals(metrics))
    alive = f"{metrics['rules_alive']} of {result.config.n_rules} rules fire"
    lines += ["", f"{metrics['epochs']} epochs in {metrics['seconds']:.1f} s; {alive}; kept in {store.folder / run}"]
    lines += ["", str(rules)]
    return "\n".join(lines)
