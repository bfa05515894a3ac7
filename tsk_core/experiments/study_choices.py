"""Which λ validation chose in the study of the paper, on each of its twelve datasets.

``study_choices.csv`` counts the splits of study/results/results.csv by the λ that was chosen. ``python -m
benchmarks.study_choices`` writes it, and a test counts again.
"""

import csv
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tsk_core.data import Dataset

__all__ = ["FILE", "StudyChoice", "all_study_choices", "study_choices"]

FILE = Path(__file__).with_name("study_choices.csv")


class StudyChoice(NamedTuple):
    """The λ that was chosen in most of the study's splits, in ``splits`` of ``of``; of equally frequent ones the smallest."""

    ur_weight: float
    splits: int
    of: int


def study_choices(dataset: "Dataset | None") -> dict[str, StudyChoice]:
    """By the variant of batch normalisation; {} where the table, as it is used, is none of the study's."""
    from tsk_core.data.gallery import GALLERY

    if dataset is None or dataset.name not in all_study_choices():
        return {}
    entry = GALLERY[dataset.name]
    sizes = len(dataset.y), dataset.X.shape[1], len(dataset.classes)
    return all_study_choices()[dataset.name] if sizes == (entry.rows, entry.features, entry.classes) else {}


@cache
def all_study_choices() -> dict[str, dict[str, StudyChoice]]:
    """By dataset and by the variant of batch normalisation."""
    counts: dict[tuple[str, str], dict[float, int]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            counts.setdefault((line["dataset"], line["batch_norm"]), {})[float(line["lambda"])] = int(line["splits"])
    choices: dict[str, dict[str, StudyChoice]] = {}
    for (dataset, batch_norm), of in counts.items():
        ur_weight = max(of, key=lambda value: (of[value], -value))
        choices.setdefault(dataset, {})[batch_norm] = StudyChoice(ur_weight, of[ur_weight], sum(of.values()))
    return choices
