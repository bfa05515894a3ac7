"""How κ is best chosen: ``python -m benchmarks.shrinkage FOLDER … [--splits 2] [--class-weight balanced] [--json FILE]``.

FOLDER has CSV files with a column ``class``; the word "paper" stands for the paper's twelve datasets. For each split (70/30,
seeds 0, 1, …) the recommended settings are trained with each of eight κ, and scored on the test rows; and each κ again on the
rest of three hold-outs of 30% of the training rows, scored on these after 20, 30 and 50 epochs. Printed: means over tables of RCA
and BCA and their differences to logistic regression, with tables won and lost, for

- each κ for all tables, and one for all chosen on the other tables (the honest estimate of a fixed κ);
- each table's own κ, chosen by hold-outs. How many, how long, by which score and among which κ is chosen on the other tables,
  once among what costs less than a second fit, once among all;
- each table's best κ on the test rows, which nobody can know;

and, in the last line, the difference in BCA between the two honest estimates, with its 95% t-interval over tables.

``--json FILE`` keeps what was trained, one line a split; a file that is there is not trained again.
"""

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from sklearn.linear_model import LogisticRegression

from benchmarks.settings import dataset_of, tables_of
from tsk_core import TSKClassifier, fit_many
from tsk_core.config import TrainConfig
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.evaluate.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.train import Records, StackMember, train_members
from tsk_core.train.hold_out import hold_out

KAPPAS = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
HOLD_OUTS, EPOCHS, SHARE = 3, (20, 30, 50), 0.3
SETS = (KAPPAS, KAPPAS[2:], (0.003, 0.01, 0.03, 0.1), (0.003, 0.03, 0.3, 1.0), (0.001, 0.01, 0.1, 1.0), (0.01, 0.03, 0.1),
        (0.003, 0.03, 0.3), (0.01, 0.1, 1.0), (0.01, 0.1))  # fmt: skip
Line = dict[str, Any]


def trained(table: Path, seed: int, class_weight: str | None) -> Line:
    """One split: test scores of each κ and of logistic regression, and the scores on hold-outs."""
    dataset = dataset_of(table)
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[part], y[part]) for part in (split.train, split.test))
    config = TrainConfig(random_state=seed, class_weight=class_weight)
    models = [TSKClassifier(**replace(config, shrinkage=kappa).to_dict()) for kappa in KAPPAS]
    fit_many(models, *train, threads=1)
    scores = [accuracy_of_labels(test[1], model.predict(test[0]))._asdict() for model in models]
    linear = LogisticRegression(max_iter=1000, class_weight=class_weight).fit(models[0].encode(train[0]), train[1])
    predicted = linear.predict(models[0].encode(test[0]))
    held_out = list(_held_out(TrainingRows.learn(*train, "cpu"), config))
    return {"table": table.stem, "test": scores, "lr": accuracy_of_labels(test[1], predicted)._asdict(), "held_out": held_out}


def _held_out(learnt: TrainingRows, config: TrainConfig) -> Iterator[tuple[int, float, int, float, float, float]]:
    """Of each hold-out, κ and epoch: cross-entropy, BCA and RCA of the rows held out."""
    spec, rng, members, owners = learnt.spec(config), np.random.default_rng(config.seed), [], []
    for number in range(HOLD_OUTS):
        rows, held = hold_out(learnt.table, spec.rows, SHARE, rng)
        seed = int(rng.integers(2**31))
        for kappa in KAPPAS:
            one, records = replace(config, shrinkage=kappa), Records(None, frozenset(EPOCHS))
            members.append(
                StackMember(one, seed, rows, EPOCHS[-1], held, spec.class_weight, early_stopping=False, records=records)
            )
            owners.append((number, kappa))
    for stack_epoch in train_members(members, learnt.table):
        for at, epoch, _ in stack_epoch:
            if epoch is not None and epoch.ce_validation is not None:
                yield *owners[at], epoch.epoch, epoch.ce_validation, epoch.bca_validation, epoch.rca_validation


Choice = Callable[[Line], float]


def by_hold_outs(kappas: tuple[float, ...], score: str, hold_outs: int, epochs: int) -> Choice:
    """The κ of the best sum over the hold-outs; of equal ones the larger."""

    def chosen(line: Line) -> float:
        total = dict.fromkeys(kappas, 0.0)
        for number, kappa, epoch, cross_entropy, bca, rca in line["held_out"]:
            if number < hold_outs and epoch == epochs and kappa in total:
                total[kappa] += {"log loss": -cross_entropy, "BCA": bca, "BCA + RCA": bca + rca}[score]
        return max(total, key=lambda kappa: (total[kappa], kappa))

    return chosen


def scores(lines: list[Line], choice: Choice) -> np.ndarray:
    """RCA, BCA and their differences to logistic regression, a row for each table: the means over its splits."""
    rows = []
    for table in sorted({line["table"] for line in lines}):
        of_splits = []
        for line in (line for line in lines if line["table"] == table):
            one, linear = line["test"][KAPPAS.index(choice(line))], line["lr"]
            of_splits.append((one["rca"], one["bca"], one["rca"] - linear["rca"], one["bca"] - linear["bca"]))
        rows.append(np.mean(of_splits, axis=0))
    return np.array(rows)


def left_out(choices: list[np.ndarray]) -> np.ndarray:
    """Of each table the scores of that choice which has the best mean of both differences on all others."""
    together = np.stack(choices)  # (choices, tables, 4)
    gains, tables = together[..., 2:].sum(-1), np.arange(together.shape[1])
    return np.array([together[gains[:, tables != table].mean(1).argmax(), table] for table in tables])


def report(lines: list[Line]) -> str:
    """The table."""
    fixed = {kappa: scores(lines, lambda line, kappa=kappa: kappa) for kappa in KAPPAS}
    own = {
        (kappas, score, number, epochs): scores(lines, by_hold_outs(kappas, score, number, epochs))
        for kappas in SETS for score in ("log loss", "BCA", "BCA + RCA") for number in (1, 2, 3) for epochs in EPOCHS
    }  # fmt: skip
    cheap = [found for (kappas, _, number, epochs), found in own.items() if len(kappas) * number <= 6 and epochs <= 30]
    best = scores(lines, lambda line: KAPPAS[int(np.argmax([one["bca"] for one in line["test"]]))])
    rows = {f"κ = {kappa:g}": found for kappa, found in fixed.items()}
    rows |= {"one κ, chosen on the others": left_out(list(fixed.values()))}
    rows |= {"own κ, below a second fit": left_out(cheap), "own κ": left_out(list(own.values())), "best on the test rows": best}
    out = [f"{len(best)} tables{'':20} RCA    BCA    RCA − LR  won-lost  BCA − LR  won-lost"]
    for name, found in rows.items():
        rca, bca, more, balanced = found.T
        counts = [f"{(gain > 1e-9).sum():4}-{(gain < -1e-9).sum():<4}" for gain in (more, balanced)]
        out.append(
            f"{name:29} {rca.mean():.4f} {bca.mean():.4f} {more.mean():+.4f} {counts[0]} {balanced.mean():+.4f} {counts[1]}"
        )
    more = rows["own κ, below a second fit"][:, 1] - rows["one κ, chosen on the others"][:, 1]
    half = stats.t.ppf(0.975, len(more) - 1) * more.std(ddof=1) / len(more) ** 0.5
    return "\n".join([*out, f"own κ below a second fit − one κ: BCA {more.mean():+.4f} ± {half:.4f}"])


def main() -> None:
    """Train and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--class-weight", choices=("balanced",))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    tables = [table for folder in options.folders for table in tables_of(folder)]
    if options.json and options.json.exists():
        lines = [json.loads(line) for line in options.json.read_text().splitlines()]
    else:
        warnings.simplefilter("ignore")
        with torch_threads(1), denormals_as_zero():
            lines = [trained(table, seed, options.class_weight) for table in tables for seed in range(options.splits)]
        if options.json:
            options.json.write_text("\n".join(map(json.dumps, lines)))
    print(report(lines))


if __name__ == "__main__":
    main()
