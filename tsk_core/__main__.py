"""The command line: ``python -m tsk_core train FILE.csv --target COL``. Errors are one sentence and exit status 1."""

import argparse
import json
import signal
import sys
from pathlib import Path
from typing import Any

from tsk_core.config import SETTINGS, TrainConfig, default_of
from tsk_core.errors import TSKError
from tsk_core.serve import add_options, serve

_STOPPED = "Stopped by hand."


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except TSKError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tsk_core", description="TSK fuzzy classifiers from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    train = commands.add_parser("train", help="train on a CSV file or a dataset of the gallery, and keep the run")
    train.set_defaults(command=_train)
    train.add_argument("data", metavar="FILE.csv", help="a CSV file, or the name of a dataset such as iris")
    train.add_argument("--target", metavar="COL", help="the column with the class; guessed if not given")
    train.add_argument("--test", type=float, default=0.3, metavar="SHARE", help="share of rows kept for testing (default 0.3)")
    train.add_argument("--json", action="store_true", help="end with one line of JSON instead of a report")
    for name, setting in SETTINGS.items():
        if name != "early_stopping":
            _add_setting(train, name, setting)
    train.add_argument("--es", action="store_true", help=SETTINGS["early_stopping"].help)
    predict = commands.add_parser("predict", help="predict the classes of new rows with a finished run or a saved model")
    predict.set_defaults(command=_predict)
    predict.add_argument("model", metavar="RUN_OR_MODEL", help="a run's id or folder, or the folder of a saved model")
    predict.add_argument("data", metavar="FILE.csv", help="a file with the columns of training; the target may be missing")
    predict.add_argument("-o", "--out", metavar="OUT.csv", help="the file to write; standard output if not given")
    bench = commands.add_parser("bench", help="measure a training step on this machine, and its matrix products alone")
    bench.set_defaults(command=_bench)
    bench.add_argument("--json", action="store_true", help="print one line of JSON: microseconds a model-step")
    app = commands.add_parser("serve", help="serve the app to web browsers")
    app.set_defaults(command=serve)
    add_options(app)
    return parser


def _add_setting(parser: argparse.ArgumentParser, name: str, setting: Any) -> None:
    """One option per setting, with the name and the syntax of links."""
    default = 0 if name == "random_state" else default_of(name)
    choices = {"choices": setting.options} if setting.options and name != "ur_target" else {}
    shown = "none" if default is None else default
    parser.add_argument(
        f"--{_flag(name)}", default=str(shown), help=f"{setting.help} (default {shown})".replace("%", "%%"), **choices
    )


def _flag(name: str) -> str:
    return SETTINGS[name].key or name.replace("_", "-")


def _train(options: argparse.Namespace) -> int:
    """Train in this process, through the same function as the app's workers, and report."""
    from tsk_core.runs import RunStore
    from tsk_core.runs.records import EPOCHS
    from tsk_core.tasks import LiveTraining, run_here
    from tsk_core.torch_settings import denormals_as_zero, torch_threads

    config, dataset = _config(options), _dataset(options.data, options.target)
    if not 0 < options.test < 1:
        raise TSKError(f"--test is {options.test:g}; it must be a share between 0 and 1, such as 0.3.")
    store = RunStore()
    run, task = LiveTraining(config, dataset, options.test).create_run(store, owner="command line")
    interrupted = []
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))  # Ctrl-C ends the training, not the run
    try:
        with torch_threads(1), denormals_as_zero(), _bar(config.max_epochs) as bar:
            record = run_here(
                store, run, task,
                stop_reason=lambda: _STOPPED if interrupted else "",
                on_record=lambda series, line, _: _tick(bar, line) if series == EPOCHS else None,
            )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    if record.state not in ("finished", "stopped"):
        raise TSKError(record.message)
    metrics = store.open(run).metrics()
    print(json.dumps(_summary(run, metrics, config)) if options.json else _report(store, run, metrics, dataset, record.message))
    return 0


def _predict(options: argparse.Namespace) -> int:
    """The file's rows with the predicted class, each class's probability, and the number of the rule that contributed most."""
    from tsk_core.data import read_table
    from tsk_core.data.export import to_csv
    from tsk_core.predict import load_model, predict_table
    from tsk_core.runs import RunStore

    classifier = load_model(options.model, RunStore(recover=False))
    content = to_csv(predict_table(classifier, read_table(Path(options.data)).frame))
    if options.out is None:
        sys.stdout.buffer.write(content)
        return 0
    try:
        Path(options.out).write_bytes(content)
    except OSError as error:
        raise TSKError(f"The file '{options.out}' cannot be written: {str(error.strerror).lower()}.") from None
    return 0


def _bench(options: argparse.Namespace) -> int:
    """Measure, print."""
    from tsk_core import bench

    times = bench.measure(bench.standard())
    print(json.dumps(times) if options.json else bench.report(times))
    return 0


def _config(options: argparse.Namespace) -> TrainConfig:
    given = vars(options)
    texts = {s.key: given[s.key] for name, s in SETTINGS.items() if s.key and name != "early_stopping"}
    config = TrainConfig.from_url(texts).to_dict()
    config["validation_fraction"] = _share(given["validation_fraction"])
    return TrainConfig.from_dict(config | {"early_stopping": options.es, "device": options.device})


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise TSKError(f"--validation-fraction is {text!r}; it must be a number.") from None


def _dataset(data: str, target: str | None) -> Any:
    from tsk_core.data import dataset_names, load_dataset, read_csv

    if Path(data).exists() or data.lower().endswith(".csv"):
        return read_csv(Path(data), target)
    if data not in dataset_names():
        raise TSKError(f"There is no file {data!r}, and no dataset of that name; the datasets are {', '.join(dataset_names())}.")
    dataset = load_dataset(data)
    return dataset.with_target(target) if target else dataset


def _bar(total: int) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, unit="epoch", leave=False, disable=None)  # None: only on a terminal


def _tick(bar: Any, line: str) -> None:
    from tsk_core.epoch import Epoch

    epoch = Epoch.from_dict(json.loads(line))
    if epoch.epoch < bar.n:  # early stopping's search is over, and the training begins at 1 again
        bar.reset()
    bar.update(epoch.epoch - bar.n)
    score = "" if epoch.rca_test is None else f", test RCA {epoch.rca_test:.3f}"
    bar.set_postfix_str(f"loss {epoch.loss:.3f}{score}", refresh=False)


def _summary(run: str, metrics: dict[str, Any], config: TrainConfig) -> dict[str, Any]:
    names = ("rca", "bca", "epochs", "best_epoch", "seconds", "rules_alive")
    return {"run": run} | {name: metrics[name] for name in names} | {"config": config.to_dict()}


def _report(store: Any, run: str, metrics: dict[str, Any], dataset: Any, message: str) -> str:
    """The report as text: how the file was read, the scores beside those of simple classifiers, the rules."""
    result = store.result(run)
    X, y = dataset.X, dataset.y
    train, test = result.split.train, result.split.test
    rules = result.classifier.rules(X=X.iloc[test], y=y[test], training=(X.iloc[train], y[train]))
    lines = [*dataset.notes, *metrics["notes"], *([message] if message else []), ""]
    lines.append(f"{'':22}  RCA    BCA")
    others = {"guessing the majority": "majority", "logistic regression": "logistic_regression"}
    scores = {"this classifier": metrics} | {title: metrics["baselines"][key] for title, key in others.items()}
    lines += [f"{title:22}  {score['rca']:.3f}  {score['bca']:.3f}" for title, score in scores.items()]
    alive = f"{metrics['rules_alive']} of {result.config.n_rules} rules fire"
    lines += ["", f"{metrics['epochs']} epochs in {metrics['seconds']:.1f} s; {alive}; kept in {store.folder / run}"]
    lines += ["", str(rules)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
