"""The methods paragraph of a run, for a paper, and what somebody else needs to repeat it.

It says what the run kept, so it needs no table. A person edits it; nothing in it is a guess.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig, default_of
from tsk_core.data.dataset import PART
from tsk_core.data.naming import joined, quoted
from tsk_core.evaluate.intervals import drawn_text, how_drawn
from tsk_core.evaluate.scorings import SCORINGS
from tsk_core.numbers import counted, percent
from tsk_core.runs.files import reading
from tsk_core.runs.identity import choices_of
from tsk_core.runs.result import score_columns
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS

if TYPE_CHECKING:
    from tsk_core.runs.result import Result

CITATION = (
    "Y. Cui, D. Wu and J. Huang, Optimize TSK Fuzzy Systems for Classification Problems: Mini-Batch Gradient Descent with Uniform"
    " Regularization and Batch Normalization."
)
_BASELINES = {
    "majority": "always predicting the majority class", "logistic_regression": "logistic regression",
    "weighted_logistic_regression": "class-weighted logistic regression", "random_forest": "a random forest",
}  # fmt: skip
_PENALTIES = {
    "uniform regularisation (UR)": "ur_weight",
    "L2": "l2", "shrinkage": "shrinkage", "sharpness": "sharpness", "covering": "covering", "L1": "l1",
}  # fmt: skip
_SEARCH = ("validation_fraction", "patience")  # settings of early stopping alone
_OFF = (None, 0, False, "none")  # values of settings
_MOST_NAMED = 10  # columns with imputed cells; the archive's metrics.json has all


def methods_text(result: "Result") -> str:
    """The paragraphs. RunError where the numbers are damaged."""
    with reading("metrics.json"):
        metrics = result.metrics
        parts = (
            _data(result), _split(result), _found(result), _model(result.config), _scores(result), _baselines(metrics),
        )  # fmt: skip
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    software = f"Computed with TSK Explorer (versions: {versions})." if versions else "Computed with TSK Explorer."
    return "\n\n".join([*filter(None, parts), f"{software} Method: {CITATION}"]) + "\n"


def _data(result: "Result") -> str:
    about, metrics = result.dataset, result.metrics
    classes, file = about["classes"], about["file"]
    without = file["rows"] - about["rows"]
    repeated = about["choices"]["repeated"]
    dropped = " or equal to an earlier one" if repeated == "drop" else ""
    lost = (
        f" {counted(without, 'row')} without a usable class{dropped} {'were' if without != 1 else 'was'} left out;"
        f" {about['rows']:,} remain."
        if without
        else ""
    )
    sentences = [
        f"The dataset {about['name']} has {file['rows']:,} rows and {file['columns']} columns.{lost} The target column"
        f" {about['target']} has {len(classes)} classes ({_listed(classes)}). {_features(about)}"
    ]
    sentences += [f"{what}: {about[key]}." for what, key in (("Source", "source"), ("Licence", "licence")) if about[key]]
    sentences.append(f"SHA-256 of the names and cells of the table, as read (not of the file): {about['sha256']}.")
    if ranked := [name for name, role in about["roles"].items() if role == "ordinal"]:
        sentences.append(f"Ordered categories ({_listed(ranked)}) are encoded as numbers: their ranks, from 0.")
    sentences.append(
        f"After one-hot encoding of {'other ' if ranked else ''}categories the model has {metrics['features']} inputs."
    )
    sentences.append(_repeated(metrics["repeated_rows"], repeated))
    sentences.append(_imputed(metrics["imputed"]))
    sentences.append("Features were z-normalised with the mean and standard deviation of the training rows.")
    notes = " ".join(about["notes"])
    return " ".join(sentences) + (f"\n\nData check: {notes}" if notes else "")


def _features(about: dict[str, Any]) -> str:
    """How many columns of the file are features, and what the others are."""
    roles, left_out = about["roles"], about["file"]["left_out"]
    deciding = [name for name, role in roles.items() if role in _DECIDING]
    others = [f"{name} ({left_out[name] or 'left out by choice'})" for name in left_out]
    used = sum(role in ("number", "category", "ordinal") for role in roles.values())
    text = f"Of its columns {counted(used, 'is a feature', 'are features')}"
    text += f"; {_listed(deciding)} decides the split" if deciding else ""
    return text + (f"; left out: {_listed(others)}." if others else ".")


def _repeated(rows: int, choice: str) -> str:
    if not rows:
        return "No row repeats another." if choice != "drop" else "Of rows that repeat each other, only the first was kept."
    return f"{counted(rows, 'row repeats', 'rows repeat')} the features and the class of another row; none was removed."


def _imputed(imputed: dict[str, Any]) -> str:
    columns = sorted(imputed["columns"].items(), key=lambda column: -column[1])
    if not columns:
        return "No cell of the training rows was missing."
    named = ", ".join(f"{name} {percent(share)}" for name, share in columns[:_MOST_NAMED])
    more = f", and {len(columns) - _MOST_NAMED} more columns" if len(columns) > _MOST_NAMED else ""
    return (
        f"Missing values ({percent(imputed['share'])} of the cells of the training rows: {named}{more}) were replaced by the"
        " median, or in columns of categories by the most frequent category, of the training rows."
    )


def _split(result: "Result") -> str:
    metrics, roles = result.metrics, result.dataset["roles"]
    column = next((name for name, role in roles.items() if role in _DECIDING), None)
    how = "at random, stratified by class" if column is None else _DECIDING[roles[column]].format(column=quoted(column))
    if column is None and result.dataset["choices"]["repeated"] == "together":
        how += ", keeping equal rows together"
    share = "" if "split" in roles.values() else f" (share of test rows {result.test_size:g}, seed {result.config.random_state})"
    notes = " ".join(result.split.notes)
    counts = f"{metrics['train_rows']:,} training rows and {metrics['test_rows']:,} test rows"
    return f"The table was split into {counts}, {how}{share}. {notes}".strip()


_DECIDING = {
    "group": "keeping the groups of column {column} whole",
    "time": "the latest rows by column {column} for testing",
    "split": "as column {column} says",
}


def _found(result: "Result") -> str:
    """The run that it was made readable from, and the search that found its settings; empty where there was neither."""
    parent = f"The model is the readable rule base made beside run {result.beside}, on the same split. " if result.beside else ""
    search = result.metrics["search"]
    if search is None:
        return parent.strip()
    what = "a readable rule base" if search["readable"] else "the best score"
    title = SCORINGS[search.get("scoring", "balanced_accuracy")].title
    spread = "" if search["sd"] is None else f", SD {search['sd']:.3f}"
    seen = (
        "tuning did not use the test rows"
        if search["same_split"]
        else "it was made on another split, so it may have seen test rows of this one"
    )
    return (
        f"{parent}The settings were found by tuning for {what}: {search['tried']} combinations, compared by"
        f" {search['folds']}-fold cross-validation on training rows within {search['seconds']:g} s. The mean {title} of the"
        f" chosen one over {search['validations']} validation sets, {search['score']:.3f}{spread}, is optimistic,"
        f" because it decided the choice; {seen}."
    )


def _model(config: TrainConfig) -> str:
    consequents = "first-order consequents" if config.has_slopes else "constant consequents (zero order)"
    several = (
        f" Its rules were learnt in {config.n_parts} separate trainings of {config.part.n_rules} each, from different initial"
        " rules; in the classifier, firing levels are normalised over all of them."
    )
    return (
        f"A Takagi-Sugeno-Kang fuzzy classifier with {config.n_rules} rules, Gaussian membership functions and {consequents}"
        f" was trained by mini-batch gradient descent, which minimises {_objective(config)}.{several * (config.n_parts > 1)}"
        f" Settings: {_settings(config)}. {_weights(config)}"
    )


def _objective(config: TrainConfig) -> str:
    """As "cross-entropy plus uniform regularisation (UR), L2 and shrinkage penalties": the loss, with weights above 0."""
    named = [name for name, weight in _PENALTIES.items() if getattr(config, weight) > 0]
    if len(named) < 2:
        return "cross-entropy" + "".join(f" plus the {name} penalty" for name in named)
    return f"cross-entropy plus {joined(named)} penalties"


def _weights(config: TrainConfig) -> str:
    """How much classes weigh in the loss."""
    if config.class_weight is None:
        return "Every row has the same weight in the loss."
    if config.class_weight == "balanced":
        return "Rows are weighted inversely to the share of their class in the training rows, so all classes weigh the same."
    return "Rows are weighted by class, as given."


def _settings(config: TrainConfig) -> str:
    """Each setting with its symbol and value, but for those that are off, as they are at the start."""
    start = TrainConfig()
    off = {name for name in SETTINGS if getattr(config, name) == getattr(start, name) in _OFF} - {"random_state"}
    left_out = {"device", *off, *(() if config.early_stopping else _SEARCH), *(("n_trainings",) if config.n_parts == 1 else ())}
    values = {name: config.shown(name) for name in SETTINGS if name not in left_out}
    return "; ".join(f"{_in_a_sentence(SETTINGS[name].label)}{_symbol(name)} {in_words(value)}" for name, value in values.items())


def _in_a_sentence(label: str) -> str:
    """As "batch size", and names such as "L2 penalty" or "DropRule" as they are."""
    is_name = any(letter.isupper() or letter.isdigit() for letter in label[1:])
    return label if is_name else label[0].lower() + label[1:]


def _symbol(name: str) -> str:
    return f" {SETTINGS[name].symbol} =" if SETTINGS[name].symbol else ":"


def _trained(result: "Result") -> str:
    """How long training took, and whether it reached its end: the settings have the number of epochs that it was to take."""
    epochs, seconds = result.metrics["epochs"], f"{result.metrics['seconds']:.1f} s"
    if result.state != "stopped":
        return f"Training took {epochs} epochs and {seconds}"
    of = "" if result.config.early_stopping else f" of {result.config.max_epochs}"
    return f"Training was stopped before its end, after {epochs}{of} epochs and {seconds}"


def _scores(result: "Result") -> str:
    """The results on the test rows, then those of each class."""
    metrics, trained = result.metrics, _trained(result)
    rows = metrics["test_rows"]
    if metrics["rca"] is None:
        return f"{trained}. There are no test rows."
    scores = [f"{name} {_with_interval(metrics[key], metrics['intervals'][key])}" for name, key in _NAMES]
    if metrics["auc"] is not None:
        kind = "ROC AUC" if len(metrics["classes"]) == 2 else "AUC (mean of one class against the rest)"
        scores.append(f"{kind} {metrics['auc']:.3f}")
    resampled = metrics["resampled"]
    if metrics.get("scored") is not None:
        scores.append(f"{SCORINGS[metrics['search']['scoring']].title} {metrics['scored']:.3f}")
    how = f"Brackets: 95% interval{drawn_text(resampled, rows)}. {how_drawn(resampled)}"
    by_class = " ".join(_of_class(scores) for scores in metrics["by_class"])
    return f"{trained}. On the {rows:,} test rows: {'; '.join(scores)}. {how} {by_class}"


_NAMES = (("accuracy (RCA)", "rca"), ("balanced accuracy (BCA, mean recall of the classes)", "bca"))
_CLASS_NAMES = {"precision": "precision", "recall": "recall (sensitivity)", "specificity": "specificity", "f1": "F1"}


def _of_class(values: dict[str, Any]) -> str:
    scores = [f"{name} {_with_interval(values[key], values[f'{key}_interval'])}" for key, name in _CLASS_NAMES.items()]
    return f"Class {values['class']} ({counted(values['rows'], 'test row')}): {', '.join(scores)}."


def _baselines(metrics: dict[str, Any]) -> str:
    """Each baseline with its settings, its scores, and the model's difference to it."""
    settings, differences = metrics["baseline_settings"], metrics["differences"]
    sentences = []
    for key, scores in metrics["baselines"].items():
        if scores["rca"] is None:
            continue
        default = ", default settings" if metrics["baselines_tuned"] and key not in metrics["baselines_tuned"] else ""
        how = f" ({settings[key]}{default})" if key != "majority" else ""
        known = [(title, scores.get(column)) for title, column in score_columns(metrics).items()]
        listed = ", ".join(f"{title} {value:.3f}" for title, value in known if value is not None)
        sentence = f"{_BASELINES[key]}{how}: {listed}"
        if "bca" in differences[key]:
            difference, *interval = differences[key]["bca"]
            sentence += f" (BCA of the model minus this: {_with_interval(difference, interval, '+.3f')})"
        sentences.append(sentence)
    scored = f"Baselines on the same split and encoding, {_effort(metrics)}: {'; '.join(sentences)}." if sentences else ""
    notes = " ".join(note for note in metrics["notes"] if note.startswith("The baseline"))
    return f"{scored} {notes}".strip()


def _effort(metrics: dict[str, Any]) -> str:
    """How long the baselines were tuned."""
    tuned = metrics["baselines_tuned"]
    if not tuned:
        return "with default settings"
    efforts = [f"{_BASELINES[key]} {one['tried']} combinations in {one['seconds']:.0f} s" for key, one in tuned.items()]
    return f"tuned by {next(iter(tuned.values()))['folds']}-fold cross-validation, as the model was ({', '.join(efforts)})"


def _with_interval(value: float | None, interval: Iterable[float] | None, form: str = ".3f") -> str:
    if value is None:
        return "not defined"
    return f"{value:{form}}" if interval is None else f"{value:{form}} [{', '.join(format(bound, form) for bound in interval)}]"


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")


# Reproduction recipe: what somebody else needs to repeat a run, including the Python that does it.


@dataclass(frozen=True)
class Reproduction:
    """How to repeat a run. link: to it, on its server. sha256: of the dataset's table. versions: of what computed it.

    python: a script that prints the run's RCA and BCA; on the same versions they are the same to the last digit.
    caveat: "", or why the script cannot give the same numbers.
    """

    link: str
    seed: int
    sha256: str
    versions: dict[str, str]
    python: str = field(repr=False)
    caveat: str = ""


def reproduction(run: str, about: Mapping[str, Any], stopped_after: tuple[str, int] | None = None) -> Reproduction:
    """The reproduction recipe of a run. about: its config.json.

    stopped_after: stage and number of its last epoch, if a person stopped the run.
    """
    config, identity = TrainConfig.from_dict(about["config"]), about["dataset"]
    settings, caveat = {name: value for name, value in config.to_dict().items() if value != default_of(name)}, ""
    if stopped_after is not None:
        stage, epochs = stopped_after
        if stage == "training" and epochs:  # early stopping's search only finds how long to train
            settings = {name: value for name, value in settings.items() if name != "early_stopping"} | {"max_epochs": epochs}
        else:
            caveat = "This run was stopped before its final training, so the script trains longer than the run did."
    searches = settings.get("early_stopping", False)  # on hold-outs that respect the groups or the time of the split
    versions = {_plain(name): _plain(version) for name, version in about["versions"].items()}
    sha256 = _plain(identity["sha256"])
    lines = [
        f"# Repeats run {run}; computed with {', '.join(map(' '.join, versions.items()))}.",
        f"# Its table has {int(identity['rows'])} rows and the SHA-256 {sha256}.",
        *([f"# {caveat}"] if caveat else []),
        "from sklearn.metrics import accuracy_score, balanced_accuracy_score",
        "",
        *_data_lines(identity),
        f"train, test, _ = dataset.split(test_size={float(about['test_size'])!r}, seed={config.random_state!r})",
        f"model = TSKClassifier({_arguments(settings)})",
        f"model.fit(dataset.X.iloc[train], dataset.y[train]{', **dataset.fit_params(train)' if searches else ''})",
        "predicted = model.predict(dataset.X.iloc[test])",
        'print("RCA", accuracy_score(dataset.y[test], predicted), "BCA", balanced_accuracy_score(dataset.y[test], predicted))',
    ]
    return Reproduction(f"/?run={run}", config.seed, sha256, versions, "\n".join(lines) + "\n", caveat)


def _data_lines(identity: Mapping[str, Any]) -> list[str]:
    """The lines that import what is needed and make ``dataset``."""
    choices = choices_of(identity)
    read_options, gallery = dict(identity["reading"]), identity["gallery"]
    joined = gallery is None and choices.roles.get(PART) == "split"
    if joined:
        choices = replace(choices, roles={column: role for column, role in choices.roles.items() if column != PART})
    changed = choices.decided
    if joined:
        return _joined(choices.target, changed, read_options)
    imports = ["from tsk_core.data import Choices"] if changed else []
    choices_code = f"Choices({_arguments({'target': choices.target, **changed})})"
    if gallery is not None:
        make = f"load_dataset({gallery!r})"
        if changed or choices.target != "class":
            make += f".with_choices({choices_code})" if changed else f".with_target({choices.target!r})"
        return ["from tsk_core import TSKClassifier, load_dataset", *imports, "", f"dataset = {make}"]
    arguments = _arguments({"target": choices.target} | read_options)
    more = f", choices={choices_code}" if changed else ""
    return ["from tsk_core import TSKClassifier, read_csv", *imports, "", f'dataset = read_csv("FILE.csv", {arguments}{more})']


def _joined(target: str | None, changed: dict[str, Any], read_options: dict[str, Any]) -> list[str]:
    """The same for two files, one to train on and one to test on."""
    chosen = f", ReadOptions({_arguments(read_options)})" if read_options else ""
    names = ["Choices", *(["ReadOptions"] if read_options else []), "make_dataset", "read_table", "with_test_rows"]
    tables = ", ".join(f'read_table("{name}"{chosen}).frame' for name in ("TRAIN.csv", "TEST.csv"))
    roles = "".join(f"{name!r}: {role!r}, " for name, role in changed.pop("roles", {}).items())
    return [
        "from tsk_core import TSKClassifier",
        f"from tsk_core.data import {', '.join(names)}",
        "",
        f"table, part = with_test_rows({tables})",
        f'choices = Choices({_arguments({"target": target} | changed)}, roles={{{roles}part: "split"}})',
        'dataset = make_dataset(table, name="both files", choices=choices)',
    ]


def _arguments(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _plain(text: object) -> str:
    """Text of a file on one line, since it becomes a comment of a script."""
    return "".join(c for c in str(text)[:100] if c.isprintable())
