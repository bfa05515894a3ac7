"""Which settings together cover many tables: ``python -m benchmarks.portfolio FOLDER … [--scorings neg_log_loss,roc_auc]``.

FOLDER and ``--splits`` are as for ``benchmarks.settings``. Each of a list of settings is trained on at most 490 rows, and
scored on 210 others after every fifth of 200 epochs; its score is that of its best epoch, as in a search. Settings are then
chosen greedily: each is the one that adds most to the mean over tables of the best score so far, by several scorings to the mean
of these, each in units of what the best settings of each table have more than the recommended ones. Printed: for each place the
setting, and for each scoring the mean over all tables, and the mean over tables of what a portfolio of that length reaches that
was chosen on the other tables.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
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
from tsk_core.tuning.trial import Candidate, Work

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
    {"firing": "htsk", "n_rules": 5, "shrinkage": 1.0, "l2": 0.3},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.3, "l2": 0.1},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.01, "l2": 0.001, "optimizer": "adam"},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.03, "l2": 0.01, "optimizer": "adam"},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.01, "l2": 0.001, "optimizer": "adam"},
    {"firing": "scaled", "n_rules": 30, "shrinkage": 0.03, "l2": 0.01},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.03, "l2": 0.03, "learning_rate": 0.005},
    {"firing": "htsk", "n_rules": 10, "shrinkage": 0.1, "l2": 0.1, "learning_rate": 0.005},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.03, "l2": 0.01, "optimizer": "adam"},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.1, "l2": 0.03, "optimizer": "adam"},
    {"firing": "scaled", "n_rules": 40, "shrinkage": 0.1, "l2": 0.01},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.3, "l2": 0.1},
)


def settings_for(scorings: list[str]) -> list[dict[str, Any]]:
    """Those of the portfolio and more, without class weights and, where these may be good for all scorings, with them."""
    weights = ["balanced", None] if set(scorings) <= WEIGHED else [None]
    named = [{**one, "class_weight": weight} for one in (*PORTFOLIO, *MORE) for weight in weights]
    return [one for at, one in enumerate(named) if one not in named[:at]]


def scores(table: Path, seed: int, scoring: str, settings: list[dict[str, Any]]) -> Iterator[Line]:
    """One split of a table: a line for each of the settings."""
    dataset, rng = dataset_of(table), np.random.default_rng(seed)
    learnt = TrainingRows.learn(dataset.X, dataset.y, "cpu")
    labels, classes = learnt.table.y.cpu().numpy(), learnt.classes
    rows = rng.permutation(len(labels))[:MOST_ROWS]
    held = rows[: int(SHARE * len(rows))]
    train = rows[len(held) :]
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
    """Columns of the scores (scorings, tables, settings): each next one adds most to the mean of the best so far."""
    chosen: list[int] = []
    best = np.full(found.shape[:2], -np.inf)
    for _ in range(min(LONGEST, found.shape[2])):
        together = np.maximum(best[..., None], found).mean((0, 1))
        together[chosen] = -np.inf
        chosen.append(int(together.argmax()))
        best = np.maximum(best, found[..., chosen[-1]])
    return chosen


def found_scores(lines: list[Line], settings: list[dict[str, Any]], tables: list[str]) -> np.ndarray:
    """Of one scoring, means over splits (tables, settings); one that diverged has the score of the table's worst."""
    found = np.full((len(tables), len(settings)), np.nan)
    for at, name in enumerate(tables):
        own = [line for line in lines if line["table"] == name]
        worst = min(line["score"] for line in own if line["score"] is not None)
        for number, one in enumerate(settings):
            found[at, number] = np.mean([worst if s is None else s for s in (k["score"] for k in own if k["settings"] == one)])
    return found


def report(lines: dict[str, list[Line]], settings: list[dict[str, Any]]) -> str:
    """The table. lines: by scoring."""
    tables = sorted({line["table"] for of in lines.values() for line in of})
    found = np.stack([found_scores(of, settings, tables) for of in lines.values()])
    recommended = next(at for at, one in enumerate(settings) if not TrainConfig().differing(TrainConfig(**one)))
    headroom = (found.max(2) - found[..., recommended]).mean(1)
    scaled, rest = found / headroom[:, None, None], np.arange(len(tables))
    chosen, others = greedy(scaled), [greedy(scaled[:, rest != at]) for at in rest]
    every = ", ".join(f"{name} {mean:.4f}" for name, mean in zip(lines, found.max(2).mean(1), strict=True))
    rows = [f"{len(tables)} tables; the best of all {len(settings)} settings: {every}"]
    for length in range(1, len(chosen) + 1):
        reached = found[..., chosen[:length]].max(2).mean(1)
        left_out = np.mean([found[:, at, others[at][:length]].max(1) for at in rest], 0)
        means = "  ".join(f"{mean:.4f} ({honest:.4f})" for mean, honest in zip(reached, left_out, strict=True))
        rows.append(f"{length:2}  {means}  {settings[chosen[length - 1]]}")
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--scorings", default="balanced_accuracy")
    parser.add_argument("--json", type=Path, help="a file to add each line to as JSON; splits that it has are not trained again")
    options = parser.parse_args()
    splits = [(table, seed) for folder in options.folders for table in tables_of(folder) for seed in range(options.splits)]
    scorings = options.scorings.split(",")
    settings = settings_for(scorings)
    lines = {
        scoring: on_splits(
            splits,
            partial(scores, scoring=scoring, settings=settings),
            options.json,
            known_lines(options.json, scoring=scoring),
        )
        for scoring in scorings
    }
    print(report(lines, settings))


if __name__ == "__main__":
    main()
