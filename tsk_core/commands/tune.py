"""``tune``: look for good settings for a table within a budget of seconds, and score them on its test rows."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Bar, Subparsers, add_table, load_table, run_task
from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import TSKError

if TYPE_CHECKING:
    from tsk_core.data import Dataset

__all__ = ["add_parser"]


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("tune", help="look for good settings by cross-validation within a budget of seconds")
    parser.set_defaults(command=_tune)
    add_table(parser)
    parser.add_argument("--budget", type=float, default=20.0, metavar="SECONDS", help="how long tuning takes (default 20)")
    parser.add_argument("--folds", type=int, default=5, metavar="K", help="folds of its cross-validation (default 5)")
    parser.add_argument("--seed", default="0", help=f"{SETTINGS['random_state'].help} (default 0)")


def _tune(options: argparse.Namespace) -> int:
    from tsk_core.tasks import Tuning

    config, dataset = TrainConfig.from_url({"seed": options.seed}), load_table(options)
    task = Tuning(config, dataset, options.budget, options.test, options.folds)
    bar = _Bar()
    store, run, record = run_task(task, task.steps, "s", bar.tick)
    try:
        metrics = store.open(run).metrics()
    except TSKError:  # stopped before any settings had a score
        raise TSKError(record.message) from None
    print(json.dumps(_summary(run, metrics)) if options.json else _report(metrics, dataset, record.message, options.seed))
    return 0


class _Bar:
    """Moves the bar to the seconds of a record, and shows the best score so far."""

    def __init__(self) -> None:
        self._best: dict[int, tuple[int, float]] = {}

    def tick(self, bar: Bar, series: str, line: str) -> None:
        trial = json.loads(line)
        self._best[trial["number"]] = trial["validations"], trial["score"]
        bar.update(min(bar.total, trial["seconds"]) - bar.n)
        bar.set_postfix_str(f"{len(self._best)} settings, best BCA {max(self._best.values())[1]:.3f}", refresh=False)


def _summary(run: str, metrics: dict[str, Any]) -> dict[str, object]:
    """Without test scores where tuning was stopped."""
    names = ("best", "cv_bca", "rca", "bca", "baselines", "seconds")
    return {"run": run} | {name: metrics.get(name) for name in names} | {"trials": len(metrics["trials"])}


def _report(metrics: dict[str, Any], dataset: "Dataset", message: str, seed: str) -> str:
    """The report as text: what was found, its scores, and the command that trains it."""
    from tsk_core.evaluate.baselines import BASELINES

    changed = _changed(TrainConfig.from_dict(metrics["best"]))
    lines = [*dataset.notes, *metrics["notes"], *([message] if message else []), ""]
    named = ", ".join(f"{SETTINGS[name].symbol or SETTINGS[name].label} {text}" for name, text in changed.items())
    lines.append(f"{len(metrics['trials'])} settings in {metrics['seconds']:.1f} s. The best: {named or 'the recommended ones'}")
    spread = "" if metrics["cv_sd"] is None else f" (SD {metrics['cv_sd']:.3f} over validation sets)"
    lines.append(
        f"Cross-validated BCA on the training rows: {metrics['cv_bca']:.3f}{spread}; the best of many is a little too good."
    )
    if metrics.get("bca") is not None:
        scores = {"these settings": metrics} | {BASELINES[key]: score for key, score in metrics["baselines"].items()}
        width = max(map(len, scores))
        lines += ["", f"{'On the test rows':{width}}  RCA    BCA"]
        lines += [f"{title:{width}}  {score['rca']:.3f}  {score['bca']:.3f}" for title, score in scores.items()]
    options = " ".join(f"--{SETTINGS[name].key} {text}" for name, text in changed.items())
    lines += ["", f"python -m tsk_core train FILE.csv {options} --seed {seed}".replace("  ", " ")]
    return "\n".join(lines)


def _changed(config: TrainConfig) -> dict[str, str]:
    """What differs from the recommended settings, by name, as links write it."""
    texts = config.to_url()
    return {name: texts[key] for name in config.differing(TrainConfig()) if (key := SETTINGS[name].key) in texts}
