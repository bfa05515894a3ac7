"""Which settings together cover many tables: ``python -m benchmarks.portfolio FOLDER … [--scoring neg_log_loss]``.

FOLDER and ``--splits`` are as for ``benchmarks.settings``. Each of a list of settings is trained on at most 490 rows, and
scored on 210 others after every fifth of 200 epochs; its score is that of its best epoch, as in a search. Settings are then
chosen greedily: each is the one that adds most to the mean over tables of the best score so far. Printed: for each place the
setting, the mean over all tables, and the mean over tables of what a portfolio of that length reaches that was chosen on the
other tables.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.settings import dataset_of, tables_of
from benchmarks.splits import Line, known_lines, on_splits
from tsk_core.config import TrainConfig
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.train.table import class_weights
from tsk_core.tuning.fold_trainings import FoldTrainings
from tsk_core.tuning.portfolio import PORTFOLIO, RUNGS
from tsk_core.tuning.trial import Candidate
from tsk_core.tuning.work import Work

MOST_ROWS, SHARE, LONGEST = 700, 0.3, 12
WEIGHED = {"balanced_accuracy", "f1_macro", "roc_auc", "matthews_corrcoef"}  # scorings for which class weights may be good
MORE: tuple[dict[str, Any], ...] = (
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.1, "l2": 0.01},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.1, "l2": 0.1},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.01, "l2": 0.01},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.03, "l2": 0.03},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.3, "l2": 0.1},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.01, "l2": 0.01},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.01, "learning_rate": 0.005},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.03, "l2": 0.03, "learning_rate": 0.005},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.03, "l2": 0.03, "learning_rate": 0.005},
    {"firing": "softmax", "n_rules": 30, "shrinkage": 0.003, "l2": 0.003, "learning_rate": 0.005},
    {"firing": "scaled", "n_rules": 3, "shrinkage": 0.01, "l2": 0.003},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.01, "batch_norm": "none"},
)


def settings_for(scoring: str) -> list[dict[str, Any]]:
    """Those of the portfolio and more, without class weights and, where these may be good, with them."""
    weights = ["balanced", None] if scoring in WEIGHED else [None]
    named = [{**one, "class_weight": weight} for one in (*PORTFOLIO, *MORE) for weight in weights]
    return [one for at, one in enumerate(named) if one not in named[:at]]


def scores(table: Path, seed: int, scoring: str) -> Iterator[Line]:
    """One split of a table: a line for each setting."""
    dataset, rng = dataset_of(table), np.random.default_rng(seed)
    learnt = TrainingRows.learn(dataset.X, dataset.y, "cpu")
    labels, classes = learnt.table.y.cpu().numpy(), learnt.classes
    rows = rng.permutation(len(labels))[:MOST_ROWS]
    held = rows[: int(SHARE * len(rows))]
    train = rows[len(held) :]
    settings = settings_for(scoring)
    candidates = [
        Candidate(at, replace(TrainConfig(random_state=seed, max_epochs=RUNGS[-1]), **one), "portfolio")
        for at, one in enumerate(settings)
    ]
    trainings = FoldTrainings(
        candidates, [(train, held)], 0, learnt.table, dict.fromkeys(candidates, RUNGS[-1]),
        lambda config, part: class_weights(config.class_weight, labels[part], classes, None), seed, Work(), RUNGS, scoring,
    )  # fmt: skip
    while trainings.alive:
        trainings.run_epoch(lambda: False)
    for candidate, one in zip(candidates, settings, strict=True):
        trial = candidate.trial(scoring)
        yield {"table": table.stem, "seed": seed, "scoring": scoring, "settings": one, "score": trial and trial.score}


def greedy(found: np.ndarray) -> list[int]:
    """Columns of the scores (tables, settings): each next one adds most to the mean over tables of the best so far."""
    chosen: list[int] = []
    best = np.full(len(found), -np.inf)
    for _ in range(min(LONGEST, found.shape[1])):
        together = np.maximum(best[:, None], found).mean(0)
        together[chosen] = -np.inf
        chosen.append(int(together.argmax()))
        best = np.maximum(best, found[:, chosen[-1]])
    return chosen


def report(lines: list[Line], scoring: str) -> str:
    """The table."""
    settings = settings_for(scoring)
    tables = sorted({line["table"] for line in lines})
    found = np.full((len(tables), len(settings)), np.nan)
    for at, name in enumerate(tables):
        own = [line for line in lines if line["table"] == name]
        worst = min(line["score"] for line in own if line["score"] is not None)  # of a setting that diverged
        for number, one in enumerate(settings):
            found[at, number] = np.mean([worst if s is None else s for s in (k["score"] for k in own if k["settings"] == one)])
    chosen, rest = greedy(found), np.arange(len(tables))
    others = [greedy(found[rest != at]) for at in rest]
    rows = [f"{len(tables)} tables, {scoring}; all {len(settings)} settings: {found.max(1).mean():.4f}"]
    for length in range(1, len(chosen) + 1):
        left_out = np.mean([found[at, others[at][:length]].max() for at in rest])
        rows.append(f"{length:2}  {found[:, chosen[:length]].max(1).mean():.4f}  {left_out:.4f}  {settings[chosen[length - 1]]}")
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--scoring", default="balanced_accuracy")
    parser.add_argument("--json", type=Path, help="a file to add each line to as JSON; splits that it has are not trained again")
    options = parser.parse_args()
    splits = [(table, seed) for folder in options.folders for table in tables_of(folder) for seed in range(options.splits)]
    known = known_lines(options.json, scoring=options.scoring)
    lines = on_splits(splits, lambda table, seed: scores(table, seed, options.scoring), options.json, known)
    print(report(lines, options.scoring))


if __name__ == "__main__":
    main()
