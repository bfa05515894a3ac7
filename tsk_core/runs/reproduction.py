"""Reproduction recipe: what somebody else needs to repeat a run, including the Python that does it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tsk_core.config import TrainConfig, default_of
from tsk_core.data.joining import PART
from tsk_core.runs.identity import choices_of

__all__ = ["Reproduction", "reproduction"]


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
        *_data(identity),
        f"train, test, _ = dataset.split(test_size={float(about['test_size'])!r}, seed={config.random_state!r})",
        f"model = TSKClassifier({_arguments(settings)})",
        f"model.fit(dataset.X.iloc[train], dataset.y[train]{', **dataset.fit_params(train)' if searches else ''})",
        "predicted = model.predict(dataset.X.iloc[test])",
        'print("RCA", accuracy_score(dataset.y[test], predicted), "BCA", balanced_accuracy_score(dataset.y[test], predicted))',
    ]
    return Reproduction(f"/?run={run}", config.seed, sha256, versions, "\n".join(lines) + "\n", caveat)


def _data(identity: Mapping[str, Any]) -> list[str]:
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
