"""``tune``: look for good settings for a table within a budget of seconds, and score them on its test rows.

With ``--readable`` they are those of a readable rule base, chosen from a curve of accuracy and size.
"""

import argparse
import json
import shlex
from typing import TYPE_CHECKING, Any

from tsk_core.commands.common import Bar, Subparsers, run_task, score_lines
from tsk_core.commands.table import add_table, given_options, load_table, notes_of
from tsk_core.config import STARTING_POINTS, TrainConfig
from tsk_core.errors import SettingError, TSKError
from tsk_core.numbers import counted
from tsk_core.setting_values import check_whole
from tsk_core.settings import SETTINGS
from tsk_core.tuning import TRAININGS

if TYPE_CHECKING:
    from tsk_core.data import Dataset


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("tune", help="look for good settings by cross-validation within a budget of seconds")
    parser.set_defaults(command=_tune)
    add_table(parser)
    parser.add_argument(
        "--budget", type=float, default=20.0, metavar="SECONDS",
        help="seconds of work of tuning (default 20); each baseline is tuned for at most as long, by estimate",
    )  # fmt: skip
    parser.add_argument("--folds", type=int, default=5, metavar="K", help="folds of its cross-validation (default 5)")
    parser.add_argument("--readable", action="store_true", help="look for a readable rule base: few rules with few conditions")
    parser.add_argument(
        "--aim", choices=("shortest", "best"),
        help="with --readable: the fewest conditions within one standard error of the best, by the score less what the text"
        " lacks to be the model, or the best (default shortest)",
    )  # fmt: skip
    parser.add_argument(
        "--scoring", default="balanced_accuracy", metavar="NAME",
        help="the score that tuning maximises, the baselines' too, by its scikit-learn name, such as roc_auc, neg_log_loss,"
        " f1_macro or matthews_corrcoef (default balanced_accuracy)",
    )  # fmt: skip
    parser.add_argument(
        "--trainings", type=int, metavar="N",
        help="also try the best settings in N separate trainings with as many rules each; 1 leaves this out"
        f" (default {TRAININGS})",
    )  # fmt: skip
    parser.add_argument("--seed", default="0", help=f"{SETTINGS['random_state'].help} (default 0)")


def _tune(options: argparse.Namespace) -> int:
    from tsk_core.evaluate.scorings import scoring_of
    from tsk_core.tasks import Tuning

    if options.aim is not None and not options.readable:
        raise SettingError("--aim has no effect without --readable; give both or neither.")
    if options.trainings is not None and options.readable:
        raise SettingError("--trainings has no effect with --readable; leave out one of the two.")
    check_whole("--folds", options.folds, 2)
    config, dataset = TrainConfig.from_url({"seed": options.seed}), load_table(options)
    aim, trainings = options.aim or "shortest", TRAININGS if options.trainings is None else options.trainings
    how = options.budget, options.test, options.folds, options.readable, aim, options.scoring, trainings
    task = Tuning(config, dataset, *how)
    bar = _Bar(scoring_of(options.scoring).title)
    store, run, record = run_task(task, task.steps, "s", bar.tick)
    try:
        metrics = store.open(run).metrics()
    except TSKError:  # stopped before any settings had a score
        raise TSKError(record.message) from None
    print(json.dumps(_summary(run, metrics)) if options.json else _report(metrics, dataset, record.message, options))
    return 0


class _Bar:
    """Moves the bar to the seconds of a record, and shows the best score so far."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._best: dict[int, tuple[int, float]] = {}

    def tick(self, bar: Bar, series: str, line: str) -> None:
        trial = json.loads(line)
        self._best[trial["number"]] = trial["validations"], trial["score"]
        bar.update(min(bar.total, trial["seconds"]) - bar.n)
        bar.set_postfix_str(f"{len(self._best)} settings, best {self._title} {max(self._best.values())[1]:.3f}", refresh=False)


def _summary(run: str, metrics: dict[str, Any]) -> dict[str, object]:
    """Without test scores where tuning was stopped. Of a readable rule base also its conditions and the curve."""
    names = ("best", "cv_bca", "rca", "bca", "baselines", "seconds")
    summary = {"run": run} | {name: metrics.get(name) for name in names} | {"trials": len(metrics["trials"])}
    if metrics["scoring"] != "balanced_accuracy":
        summary |= {name: metrics.get(name) for name in ("scoring", "cv_score", "auc", "scored")}
    if "curve" not in metrics:
        return summary
    return summary | {"conditions": _taken(metrics)["conditions"], "curve": metrics["curve"]}


def _report(metrics: dict[str, Any], dataset: "Dataset", message: str, given: argparse.Namespace) -> str:
    """The report as text: what was found, its scores, and the command that trains it."""
    from tsk_core.evaluate.scorings import scoring_of

    best, title = TrainConfig.from_dict(metrics["best"]), scoring_of(metrics["scoring"]).title
    start = "readable" if "curve" in metrics else "recommended"
    changed = _changed(best, start)
    lines = [*notes_of(dataset, given), *metrics["notes"], *([message] if message else []), ""]
    named = ", ".join(f"{SETTINGS[name].symbol or SETTINGS[name].label} {text}" for name, text in changed.items())
    lines.append(
        f"{counted(len(metrics['trials']), 'setting')} in {metrics['seconds']:.1f} s. The best: {named or f'the {start} ones'}"
    )
    if "curve" in metrics:
        lines += _curve(metrics, title)
    spread = "" if metrics["cv_sd"] is None else f" (SD {metrics['cv_sd']:.3f} over validation sets)"
    lines.append(
        f"Cross-validated {title} on the training rows: {metrics['cv_score']:.3f}{spread};"
        " slightly optimistic, as the best of many."
    )
    if metrics.get("bca") is not None:
        lines += ["", *score_lines("On the test rows", "these settings", metrics)]
        lines.append(_effort(metrics))
    options = ["--from", "readable"] if start == "readable" else []
    options += [part for name, text in changed.items() for part in (f"--{SETTINGS[name].key}", text)]
    command = shlex.join(["train", given.data, *given_options(given), *options, "--seed", given.seed])
    lines += ["", f"python -m tsk_core {command}"]
    return "\n".join(lines)


def _effort(metrics: dict[str, Any]) -> str:
    """How long which baselines were tuned."""
    from tsk_core.evaluate.baselines import BASELINES

    tuned = metrics["baselines_tuned"]
    if not tuned:
        return "The baselines have default settings."
    efforts = ", ".join(
        f"{BASELINES[key]} {counted(one['tried'], 'setting')} in {one['seconds']:.1f} s" for key, one in tuned.items()
    )
    others = [BASELINES[key] for key in metrics["baselines"] if key not in tuned and key != "majority"]
    plain = f" With default settings: {', '.join(others)}." if others else ""
    return f"Baselines tuned on folds of the training rows, too: {efforts}.{plain}"


def _curve(metrics: dict[str, Any], title: str) -> list[str]:
    """The curve as a table, and which rule base of it was taken."""
    taken = _taken(metrics)
    lines = ["", f"Conditions  Rules  Of each at most  {title:13}  Agrees  True"]
    for point in metrics["curve"]:
        error = "" if point["standard_error"] is None else f" ± {point['standard_error']:.3f}"
        shares = ["–" if point[name] is None else f"{point[name]:.0%}" for name in ("agreement", "literal")]
        size = f"{point['conditions']:>10}  {point['rules']:>5}  {point['max_conditions']:>15}"
        mark = "  taken" if point == taken else ""
        lines.append(f"{size}  {point['score']:.3f}{error:8}  {shares[0]:>6}  {shares[1]:>4}{mark}")
    means = f"{title}: cross-validated, ± one standard error. Agrees: rows whose strongest rule has the class of the model."
    true = "True: rows for which the sentence of that rule holds. Shares below 100% count against a rule base."
    return [*lines, means, true, ""]


def _taken(metrics: dict[str, Any]) -> dict[str, Any]:
    """The point of the curve whose settings are the best."""
    taken: dict[str, Any] = next(point for point in metrics["curve"] if point["config"] == metrics["best"])
    return taken


def _changed(config: TrainConfig, start: str) -> dict[str, str]:
    """What differs from a starting point, by name, as links write it."""
    texts = config.to_url()
    return {name: texts[key] for name in config.differing(STARTING_POINTS[start]) if (key := SETTINGS[name].key) in texts}
