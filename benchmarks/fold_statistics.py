"""What a search's scores owe to the rows held out: ``python -m benchmarks.fold_statistics [TABLE ...] [--seeds 10]``.

Means, scales and values that replace missing ones are learnt once from all rows, or from the training rows of each fold, as
``TSKClassifierCV`` does it. Recommended settings, 40 epochs, five folds; the mean BCA of the folds, and its difference over the
seeds with its standard error. A fifth of the cells is taken away where a name ends with "+gaps".
"""

import argparse

import numpy as np
import torch

from tsk_core import TrainConfig, load_dataset
from tsk_core.data.folds import folds
from tsk_core.estimators.training_rows import FoldTables, TrainingRows
from tsk_core.tuning.fold_trainings import FoldTrainings, Placed
from tsk_core.tuning.trial import Candidate, Work

EPOCHS, FOLDS, GAPS = 40, 5, 0.2


def score(placed: Placed, seed: int) -> float:
    """Mean BCA of the folds after the last epoch."""
    candidate = Candidate(1, TrainConfig(max_epochs=EPOCHS, random_state=seed), "portfolio")
    trainings = FoldTrainings([candidate], placed, 0, {candidate: EPOCHS}, lambda *_: None, seed, Work())
    while trainings.alive and trainings.run_epoch(lambda: False):
        pass
    return float(np.mean([curve[max(curve)].score for curve in candidate.curves.values()]))


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["iris", "wine", "breast_cancer", "wine+gaps"])
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name in options.tables:
        dataset = load_dataset(name.removesuffix("+gaps"))
        X = dataset.X.copy()
        if name.endswith("+gaps"):
            X = X.mask(np.random.default_rng(0).random(X.shape) < GAPS)
        learnt = TrainingRows.learn(X, dataset.y, "cpu")
        labels, tables, found = learnt.table.y.numpy(), FoldTables(learnt, X), []
        for seed in range(options.seeds):
            parts = [(fold.train, fold.test) for fold in folds(labels, FOLDS, seed)]
            found.append((score(Placed(learnt.table, parts), seed), score(tables(parts), seed)))
        all_rows, own = np.array(found).T
        error = (own - all_rows).std(ddof=1) / np.sqrt(options.seeds)
        print(f"{name}: {all_rows.mean():.4f} from all rows; from the fold's own {(own - all_rows).mean():+.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
