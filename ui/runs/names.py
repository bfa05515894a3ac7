"""What lists call a run."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tsk_core.runs import Record
from tsk_core.setting_values import in_words, shown_value
from tsk_core.settings import SETTINGS

KINDS = {
    "training": "training",
    "tuning": "tuning",
    "cross-validation": "cross-validation",
    "rule-stability": "stability of rules",
    "same-size": "tree and rule list of the same size",
    "comparison": "comparison",
    "sweep": "sweep",
    "study-cells": "splits of the study",
    "worked-example": "equations of the paper",
}

_SHORT = ("n_rules", "ur_weight", "batch_norm", "batch_size", "random_state")  # settings that fit into a line


def name_of(record: Record) -> str:
    """The name that its owner gave, else its dataset and the beginning of its id."""
    return record.name or f"{record.dataset} {record.id[:4]}"


def kind_of(record: Record) -> str:
    """The kind of its task, in words."""
    return KINDS.get(record.task, record.task)


def settings_of(record: Record, also: Collection[str] = ()) -> str:
    """The settings in a line: "R 20, λ 1, BN bn, B 64, seed 3"; after them those of the names ``also``, such as "η 0.02"."""
    values = record.settings
    names = [*_SHORT, *(name for name in SETTINGS if name in also and name not in _SHORT)]
    return ", ".join(f"{_word(name)} {in_words(shown_value(name, values[name]))}" for name in names if name in values)


def differing(settings: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of the settings that are not the same in all of these."""
    known = list(settings)
    return {name for name in SETTINGS if len({str(values.get(name)) for values in known if values}) > 1}


def _word(name: str) -> str:
    return "seed" if name == "random_state" else SETTINGS[name].symbol or SETTINGS[name].label.lower()
