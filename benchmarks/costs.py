"""What a decision with costs saves on test rows: ``python -m benchmarks.costs [--cost 5] [--seeds 10] breast_cancer FILE.csv …``.

Each table has two classes; the rarer one is that whose missed cases cost. Of each seed (a split of 70/30 and a training with the
recommended settings) the mean cost of a test row, in false alarms, at the largest probability and at the threshold 1/(1 + cost),
on the same model. Printed: their means over seeds, the mean difference with its 95% interval (corrected resampled t: the splits
share rows), how many seeds are lower and higher, recall and false alarms at both, the mean ECE, and of the rows that are decided
differently, all seeds together, the mean probability and the share of the rarer class.
"""

import argparse
from pathlib import Path

import numpy as np

from tsk_core import TSKClassifier, load_dataset, read_csv
from tsk_core.evaluate import Decision, corrected_t_interval, effect_of
from tsk_core.evaluate.confusion import reliability
from tsk_core.evaluate.intervals import rows_alone
from tsk_core.runtime.torch_settings import torch_threads

TEST_SIZE = 0.3


def main() -> None:
    """Print the lines of each table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="a dataset's name, or a CSV file")
    parser.add_argument("--cost", type=float, default=5.0, help="of a missed case, in false alarms (default 5)")
    parser.add_argument("--seeds", type=int, default=10, help="(default 10)")
    options = parser.parse_args()
    with torch_threads(1):
        for table in options.tables:
            print(measured(table, options.cost, options.seeds), flush=True)


def measured(table: str, cost: float, seeds: int) -> str:
    """One table, as a few lines."""
    dataset = read_csv(Path(table)) if table.endswith(".csv") else load_dataset(table)
    y = np.asarray(dataset.y).astype(str)
    classes, rows = np.unique(y, return_counts=True)
    positive = int(rows.argmin())
    decision = Decision(str(classes[positive]), cost)
    effects, eces, moved = [], [], []
    for seed in range(seeds):
        split = dataset.split(TEST_SIZE, seed)
        clf = TSKClassifier(random_state=seed).fit(dataset.X.iloc[split.train], y[split.train])
        p = clf.predict_proba(dataset.X.iloc[split.test])
        true, predicted = np.searchsorted(classes, y[split.test]), p.argmax(1)
        effects.append(effect_of(decision, classes.tolist(), true, predicted, p, rows_alone(len(true)), seed))
        eces.append(reliability(p.max(1), predicted == true)["ece"])
        changed = decision.decide(predicted, p, classes.tolist()) != predicted
        moved += zip(p[changed, positive], true[changed] == positive, strict=True)
    return _lines(table, decision, effects, eces, np.array(moved, float).reshape(-1, 2))


def _lines(table: str, decision: Decision, effects: list, eces: list, moved: np.ndarray) -> str:
    differences = np.array([one.cost.difference for one in effects])
    low, high = corrected_t_interval(differences, TEST_SIZE / (1 - TEST_SIZE)) or (np.nan, np.nan)
    means = {
        way: [
            np.mean([getattr(getattr(one, way), score).value for one in effects]) for score in ("cost", "recall", "false_alarms")
        ]
        for way in ("before", "after")
    }
    clearly = [sum(one.cost.high < 0 for one in effects), sum(one.cost.low > 0 for one in effects)]
    (cost, recall, alarms), (cost_now, recall_now, alarms_now) = means["before"], means["after"]
    rows, seeds = effects[0].after.cost.rows, len(effects)
    return (
        f"{table}: missing {decision.positive} costs {decision.miss_cost:g}, {seeds} seeds of {rows} test rows\n"
        f"  mean cost {cost:.3f} at 1/2, {cost_now:.3f} at {decision.threshold:.3f}: {differences.mean():+.3f} ({low:+.3f} to"
        f" {high:+.3f}); lower in {(differences < 0).sum()}, higher in {(differences > 0).sum()} seeds;"
        f" by more than chance on a seed's own rows: lower in {clearly[0]}, higher in {clearly[1]}\n"
        f"  recall {recall:.3f} -> {recall_now:.3f}, false alarms {alarms:.3f} -> {alarms_now:.3f}; ECE {np.mean(eces):.3f}\n"
        f"  decided differently: {len(moved)} rows, mean probability {moved[:, 0].mean():.3f}, share {moved[:, 1].mean():.3f}"
    )


if __name__ == "__main__":
    main()
