"""The methods paragraph of a run, for a paper: data, split, model, settings, results, baselines, software and reference.

It says what the run kept, so it needs no table. A person edits it; nothing in it is a guess.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.evaluate.intervals import RESAMPLES
from tsk_core.runs.files import reading

if TYPE_CHECKING:
    from tsk_core.runs.result import Result

__all__ = ["CITATION", "methods_text"]

CITATION = (
    "Y. Cui, D. Wu and J. Huang, Optimize TSK Fuzzy Systems for Classification Problems: Mini-Batch Gradient Descent with Uniform"
    " Regularization and Batch Normalization."
)
_BASELINES = {
    "majority": "always predicting the majority class", "logistic_regression": "logistic regression",
    "weighted_logistic_regression": "class-weighted logistic regression", "random_forest": "a random forest",
}  # fmt: skip
_SEARCH = ("validation_fraction", "patience")  # settings of early stopping alone
_MOST_NAMED = 10  # columns with imputed cells; the archive's metrics.json has all


def methods_text(result: "Result") -> str:
    """The paragraphs. RunError where the numbers are damaged."""
    with reading("metrics.json"):
        parts = (_data(result), _split(result), _model(result.config), _scores(result.metrics), _baselines(result.metrics))
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    software = f"Computed with TSK Explorer (versions: {versions})." if versions else "Computed with TSK Explorer."
    return "\n\n".join([*filter(None, parts), f"{software} Method: {CITATION}"]) + "\n"


def _data(result: "Result") -> str:
    about, metrics = result.dataset, result.metrics
    classes = about["classes"]
    sentences = [
        f"The dataset {about['name']} has {about['rows']:,} rows and {about['columns']} columns; the target column"
        f" {about['target']} has {len(classes)} classes ({_listed(classes)})."
    ]
    sentences += [f"{what}: {about[key]}." for what, key in (("Source", "source"), ("Licence", "licence")) if about[key]]
    sentences.append(f"SHA-256 of the table: {about['sha256']}.")
    sentences.append(f"After one-hot encoding of categories the model has {metrics['features']} features.")
    sentences.append(_imputed(metrics["imputed"]))
    sentences.append("Features were z-normalised with the mean and standard deviation of the training rows.")
    notes = " ".join(about["notes"])
    return " ".join(sentences) + (f"\n\nData check: {notes}" if notes else "")


def _imputed(imputed: dict[str, Any]) -> str:
    columns = sorted(imputed["columns"].items(), key=lambda column: -column[1])
    if not columns:
        return "No cell of the training rows was missing."
    named = ", ".join(f"{name} {share:.1%}" for name, share in columns[:_MOST_NAMED])
    more = f", and {len(columns) - _MOST_NAMED} more columns" if len(columns) > _MOST_NAMED else ""
    return (
        f"Missing values ({imputed['share']:.1%} of the cells of the training rows: {named}{more}) were replaced by the median,"
        " or in columns of categories by the most frequent category, of the training rows."
    )


def _split(result: "Result") -> str:
    metrics, roles = result.metrics, set(result.dataset["roles"].values())
    kinds = {"group": "whole groups together", "time": "the latest rows for testing", "split": "as a column of the table says"}
    how = next((words for role, words in kinds.items() if role in roles), "at random, stratified by class")
    share = "" if "split" in roles else f" (share of test rows {result.test_size:g}, seed {result.config.random_state})"
    notes = " ".join(result.split.notes)
    counts = f"{metrics['train_rows']:,} training rows and {metrics['test_rows']:,} test rows"
    return f"The table was split into {counts}, {how}{share}. {notes}".strip()


def _model(config: TrainConfig) -> str:
    return (
        f"A Takagi-Sugeno-Kang fuzzy classifier with {config.n_rules} rules, Gaussian membership functions and first-order"
        " consequents was trained by mini-batch gradient descent, minimising cross-entropy and the penalties among these"
        f" settings: {_settings(config)}."
    )


def _settings(config: TrainConfig) -> str:
    """Every setting with its symbol and value."""
    left_out = {"device", *(() if config.early_stopping else _SEARCH)}
    values = {name: getattr(config, name) for name in SETTINGS if name not in left_out}
    return "; ".join(f"{SETTINGS[name].label.lower()}{_symbol(name)} {_value(value)}" for name, value in values.items())


def _symbol(name: str) -> str:
    return f" {SETTINGS[name].symbol} =" if SETTINGS[name].symbol else ":"


def _value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, dict):
        return ", ".join(f"{name} {weight:g}" for name, weight in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def _scores(metrics: dict[str, Any]) -> str:
    """The results on the test rows, then those of each class."""
    rows = metrics["test_rows"]
    trained = f"Training took {metrics['epochs']} epochs and {metrics['seconds']:.1f} s"
    if metrics["rca"] is None:
        return f"{trained}. There are no test rows."
    scores = [f"{name} {_with_interval(metrics[key], metrics['intervals'][key])}" for name, key in _NAMES]
    if metrics["auc"] is not None:
        kind = "ROC AUC" if len(metrics["classes"]) == 2 else "AUC (mean of one class against the rest)"
        scores.append(f"{kind} {metrics['auc']:.3f}")
    how = f"Brackets: 95% bootstrap interval over {rows:,} test rows ({RESAMPLES:,} resamples)."
    by_class = " ".join(_of_class(scores) for scores in metrics["by_class"])
    return f"{trained}. On the {rows:,} test rows: {'; '.join(scores)}. {how} {by_class}"


_NAMES = (("accuracy (RCA)", "rca"), ("balanced accuracy (BCA, mean recall of the classes)", "bca"))
_CLASS_NAMES = {"precision": "precision", "recall": "recall (sensitivity)", "specificity": "specificity", "f1": "F1"}


def _of_class(values: dict[str, Any]) -> str:
    scores = [f"{name} {_with_interval(values[key], values[f'{key}_interval'])}" for key, name in _CLASS_NAMES.items()]
    rows = f"{values['rows']:,} test row" + ("s" if values["rows"] != 1 else "")
    return f"Class {values['class']} ({rows}): {', '.join(scores)}."


def _baselines(metrics: dict[str, Any]) -> str:
    """Each baseline with its settings, its scores, and the model's difference to it."""
    settings, differences = metrics["baseline_settings"], metrics["differences"]
    sentences = []
    for key, scores in metrics["baselines"].items():
        if scores["rca"] is None:
            continue
        how = f" ({settings[key]})" if key != "majority" else ""
        sentence = f"{_BASELINES[key]}{how}: RCA {scores['rca']:.3f}, BCA {scores['bca']:.3f}"
        if "bca" in differences[key]:
            difference, *interval = differences[key]["bca"]
            sentence += f" (BCA of the model less this: {_with_interval(difference, interval, '+.3f')})"
        sentences.append(sentence)
    scored = f"Baselines on the same split and encoding: {'; '.join(sentences)}." if sentences else ""
    notes = " ".join(note for note in metrics["notes"] if note.startswith("The baseline"))
    return f"{scored} {notes}".strip()


def _with_interval(value: float | None, interval: Iterable[float] | None, form: str = ".3f") -> str:
    if value is None:
        return "not defined"
    return f"{value:{form}}" if interval is None else f"{value:{form}} [{', '.join(format(bound, form) for bound in interval)}]"


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
