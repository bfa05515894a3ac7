"""How a setting is best chosen: ``python -m benchmarks.own_setting SETTING FOLDER … [--splits 2] [--json FILE]``.

SETTING is ``shrinkage`` (κ), ``rules`` (R) or ``epochs`` (T). FOLDER has CSV files with a column ``class``; the word "paper"
stands for the paper's twelve datasets. For each split (70/30, seeds 0, 1, …) the recommended settings are trained with each of
eight values, and scored on the test rows; and each value again on the rest of three hold-outs of 30% of the training rows, scored
on these: κ and R after 20, 30 and 50 epochs, T at its end. Printed: means over tables of RCA and BCA and their differences to
logistic regression, with tables won and lost, for

- each value for all tables, and one for all chosen on the other tables (the honest estimate of a fixed value);
- each table's own value, chosen by hold-outs. How many, how long, by which score and among which values is chosen on the other
  tables, once among what costs less than a second fit (not for T), once among all;
- each table's best value on the test rows, which nobody can know;

and, in the last lines, the difference of each value from the recommended one, and of a table's own value from one for all, with
its 95% t-interval over tables.

``--class-weight balanced`` trains with balanced class weights. ``--json FILE`` keeps what was trained, one line per split; splits
that it has are not trained again.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats
from sklearn.linear_model import LogisticRegression

from benchmarks.settings import Line, dataset_of, known_lines, on_splits, tables_of
from tsk_core import TSKClassifier, fit_many
from tsk_core.config import TrainConfig
from tsk_core.data.folds import hold_out
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.metrics import accuracy_of_labels
from tsk_core.train import Records, StackMember, train_members


class Setting(NamedTuple):
    """What is chosen. values: eight, the recommended one the fourth. after: epochs of a hold-out; empty: as many as the value."""

    name: str
    symbol: str
    values: tuple[float, ...]
    simpler: Callable[[float], float]  # of equally good values the one for which this is largest is chosen
    after: tuple[int, ...]


SETTINGS = {
    "shrinkage": Setting("shrinkage", "κ", (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0), lambda kappa: kappa, (20, 30, 50)),
    "rules": Setting("n_rules", "R", (2, 4, 6, 8, 10, 12, 16, 24), lambda rules: -rules, (20, 30, 50)),
    "epochs": Setting("max_epochs", "T", (25, 50, 75, 100, 150, 200, 300, 400), lambda epochs: -epochs, ()),
}
HOLD_OUTS, SHARE = 3, 0.3
SETS = (range(8), range(2, 8), (2, 3, 4, 5), (2, 4, 6, 7), (1, 3, 5, 7), (3, 4, 5), (2, 4, 6), (3, 5, 7), (3, 5))  # positions


def trained(setting: Setting, table: Path, seed: int, class_weight: str | None) -> Line:
    """One split: test scores of each value and of logistic regression, and the scores on hold-outs."""
    dataset = dataset_of(table)
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[part], y[part]) for part in (split.train, split.test))
    config = TrainConfig(random_state=seed, class_weight=class_weight)
    models = [TSKClassifier(**config.to_dict() | {setting.name: value}) for value in setting.values]
    fit_many(models, *train, threads=1)
    scores = [accuracy_of_labels(test[1], model.predict(test[0]))._asdict() for model in models]
    linear = LogisticRegression(max_iter=1000, class_weight=class_weight).fit(models[0].encode(train[0]), train[1])
    predicted = linear.predict(models[0].encode(test[0]))
    held_out = list(_held_out(setting, TrainingRows.learn(*train, "cpu"), config))
    return {
        "table": table.stem,
        "seed": seed,
        "test": scores,
        "lr": accuracy_of_labels(test[1], predicted)._asdict(),
        "held_out": held_out,
    }


def _held_out(
    setting: Setting, learnt: TrainingRows, config: TrainConfig
) -> Iterator[tuple[int, float, int, float, float, float]]:
    """Of each hold-out, value and epoch: cross-entropy, BCA and RCA of the rows held out."""
    spec, rng, members, owners = learnt.spec(config), np.random.default_rng(config.seed), [], []
    table, y = learnt.table, learnt.table.y.cpu().numpy()
    for number in range(HOLD_OUTS):
        rows, held = hold_out(spec.rows, SHARE, rng, y, table.groups, table.time)
        seed = int(rng.integers(2**31))
        for value in setting.values:
            one, after = TrainConfig.from_dict(config.to_dict() | {setting.name: value}), setting.after or (int(value),)
            records = Records(None, frozenset(after))
            members.append(
                StackMember(one, seed, rows, after[-1], held, spec.class_weight, early_stopping=False, records=records)
            )
            owners.append((number, value))
    for stack_epoch in train_members(members, learnt.table):
        for at, epoch, _ in stack_epoch:
            if epoch is not None and epoch.ce_validation is not None:
                yield *owners[at], epoch.epoch, epoch.ce_validation, epoch.bca_validation, epoch.rca_validation


Choice = Callable[[Line], float]


def by_hold_outs(setting: Setting, values: Sequence[float], score: str, hold_outs: int, after: int | None) -> Choice:
    """The value of the best sum over the hold-outs; of equal ones the simpler. after: epochs; None: as many as the value."""

    def chosen(line: Line) -> float:
        total = dict.fromkeys(values, 0.0)
        for number, value, epoch, cross_entropy, bca, rca in line["held_out"]:
            if number < hold_outs and epoch == (after or value) and value in total:
                total[value] += {"log loss": -cross_entropy, "BCA": bca, "BCA + RCA": bca + rca}[score]
        return max(total, key=lambda value: (total[value], setting.simpler(value)))

    return chosen


def scores(setting: Setting, lines: list[Line], choice: Choice) -> np.ndarray:
    """RCA, BCA and their differences to logistic regression, a row for each table: the means over its splits."""
    rows = []
    for table in sorted({line["table"] for line in lines}):
        of_splits = []
        for line in (line for line in lines if line["table"] == table):
            one, linear = line["test"][setting.values.index(choice(line))], line["lr"]
            of_splits.append((one["rca"], one["bca"], one["rca"] - linear["rca"], one["bca"] - linear["bca"]))
        rows.append(np.mean(of_splits, axis=0))
    return np.array(rows)


def left_out(choices: list[np.ndarray]) -> np.ndarray:
    """Of each table the scores of that choice which has the best mean of both differences on all others."""
    together = np.stack(choices)  # (choices, tables, 4)
    gains, tables = together[..., 2:].sum(-1), np.arange(together.shape[1])
    return np.array([together[gains[:, tables != table].mean(1).argmax(), table] for table in tables])


def report(setting: Setting, lines: list[Line]) -> str:
    """The table."""
    fixed = {value: scores(setting, lines, lambda line, value=value: value) for value in setting.values}
    own = {}
    for positions, score, number, after in product(SETS, ("log loss", "BCA", "BCA + RCA"), (1, 2, 3), setting.after or (None,)):
        choice = by_hold_outs(setting, [setting.values[i] for i in positions], score, number, after)
        own[positions, number, after, score] = scores(setting, lines, choice)
    cheap = [
        found for (positions, number, after, _), found in own.items() if len(positions) * number <= 6 and (after or 99) <= 30
    ]
    best = scores(setting, lines, lambda line: setting.values[int(np.argmax([one["bca"] for one in line["test"]]))])
    symbol, one = setting.symbol, f"one {setting.symbol}, chosen on the others"
    rows = {f"{symbol} = {value:g}": found for value, found in fixed.items()} | {one: left_out(list(fixed.values()))}
    if cheap:
        rows[f"own {symbol}, below a second fit"] = left_out(cheap)
    rows |= {f"own {symbol}": left_out(list(own.values())), "best on the test rows": best}
    out = [f"{len(best)} tables{'':20} RCA    BCA    RCA − LR  won-lost  BCA − LR  won-lost"]
    for name, found in rows.items():
        rca, bca, more, balanced = found.T
        counts = [f"{(gain > 1e-9).sum():4}-{(gain < -1e-9).sum():<4}" for gain in (more, balanced)]
        out.append(
            f"{name:29} {rca.mean():.4f} {bca.mean():.4f} {more.mean():+.4f} {counts[0]} {balanced.mean():+.4f} {counts[1]}"
        )
    recommended = f"{symbol} = {setting.values[3]:g}"
    pairs = [(f"{symbol} = {value:g}", recommended) for value in setting.values if value != setting.values[3]]
    pairs += [(name, one) for name in rows if name.startswith("own")]
    return "\n".join([*out, *(f"{name} − {other}: {_difference(rows[name], rows[other])}" for name, other in pairs)])


def _difference(found: np.ndarray, other: np.ndarray) -> str:
    """Of RCA and BCA: its mean over tables, the 95% t-interval, and tables won and lost."""
    parts = []
    for name, more in zip(("RCA", "BCA"), (found - other).T[:2], strict=True):
        half = stats.t.ppf(0.975, len(more) - 1) * more.std(ddof=1) / len(more) ** 0.5
        parts.append(f"{name} {more.mean():+.4f} ± {half:.4f} ({(more > 1e-9).sum()}-{(more < -1e-9).sum()})")
    return ", ".join(parts)


def main() -> None:
    """Train and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("setting", choices=SETTINGS)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--class-weight", choices=("balanced",))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    setting = SETTINGS[options.setting]
    splits = [(table, seed) for folder in options.folders for table in tables_of(folder) for seed in range(options.splits)]
    lines = on_splits(
        splits, lambda table, seed: [trained(setting, table, seed, options.class_weight)], options.json, known_lines(options.json)
    )
    print(report(setting, lines))


if __name__ == "__main__":
    main()
