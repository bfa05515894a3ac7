"""Does the order of categories serve? The same tables with it and without, readable rules, paired over seeds.

``python -m benchmarks.ordinal FOLDER [--seeds 10]`` reads FOLDER/car.csv and so on, whose last column, class, is the target. Each
seed is a split and a training. It prints means, and the mean difference (with the order less without) with its 95% t-interval.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.metrics import recall_score

from tsk_core import TrainConfig, TSKClassifier, read_csv
from tsk_core.data import Choices, Dataset

MOST_ROWS = 2_000  # a sample of a longer table
ORDERS = {  # of the columns that have one, as the tables' descriptions say
    "car": {
        "buying": "low med high vhigh",
        "maint": "low med high vhigh",
        "doors": "2 3 4 5more",
        "persons": "2 4 more",
        "lug_boot": "small med big",
        "safety": "low med high",
    },
    "nursery": {
        "parents": "usual pretentious great_pret",
        "has_nurs": "proper less_proper improper critical very_crit",
        "form": "complete completed incomplete foster",
        "children": "1 2 3 more",
        "housing": "convenient less_conv critical",
        "finance": "convenient inconv",
        "social": "nonprob slightly_prob problematic",
        "health": "recommended priority not_recom",
    },
    "cmc": dict.fromkeys(("Wifes_education", "Husbands_education", "Standard-of-living_index"), "1 2 3 4"),
    "bridges-version2": {
        "ERECTED": "CRAFTS EMERGING MATURE MODERN",
        "LENGTH": "SHORT MEDIUM LONG",
        "SPAN": "SHORT MEDIUM LONG",
        "REL-L": "S S-F F",
    },
    "balance-scale": dict.fromkeys(("left-weight", "left-distance", "right-weight", "right-distance"), "1 2 3 4 5"),
}
METRICS = ("BCA", "BCA by sentences", "conditions", "no range", "rules")  # "no range": conditions with "or" or "not"


def measured(dataset: Dataset, seed: int) -> tuple[float, ...]:
    """``METRICS`` of one split and training, of the test rows."""
    split, X, y = dataset.split(seed=seed), dataset.X, dataset.y
    classifier = TSKClassifier(**TrainConfig.readable(random_state=seed).to_dict())
    classifier.fit(X.iloc[split.train], y[split.train])
    test, true = X.iloc[split.test], y[split.test]
    rules = classifier.rules(X=test, y=true)
    alive = [rule for rule in rules.rules if not rule.dead]
    sentences = classifier.classes_[rules.rule_list.predict_index(classifier.encoder_.transform(test))]
    return (
        *(
            recall_score(true, predicted, average="macro", labels=np.unique(true), zero_division=0)
            for predicted in (classifier.predict(test), sentences)
        ),
        sum(len(rule.antecedents) for rule in alive),
        sum(" or " in one.label or one.label.startswith("not ") for rule in alive for one in rule.antecedents),
        len(alive),
    )


def table(folder: Path, name: str, role: str) -> Dataset:
    """A table whose ordered columns have this role."""
    rows = (folder / f"{name}.csv").read_text("utf-8").splitlines()
    if len(rows) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(0).choice(len(rows) - 1, MOST_ROWS, replace=False)) + 1
        rows = [rows[0], *(rows[k] for k in kept)]
    orders = {column: tuple(order.split()) for column, order in ORDERS[name].items()}
    choices = Choices(roles=dict.fromkeys(orders, role), orders=orders if role == "ordinal" else {}, rare="merge")
    return read_csv("\n".join(rows).encode(), "class", choices=choices)


def main() -> None:
    """Print one line per table and metric."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ordinal")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tables", nargs="+", default=list(ORDERS))
    options = parser.parse_args()
    for name in options.tables:
        without, with_order = (
            np.array([measured(table(options.folder, name, role), seed) for seed in range(options.seeds)])
            for role in ("category", "ordinal")
        )
        for k, metric in enumerate(METRICS):
            difference = with_order[:, k] - without[:, k]
            half = stats.t.ppf(0.975, options.seeds - 1) * difference.std(ddof=1) / np.sqrt(options.seeds)
            print(
                f"{name:18} {metric:18} one-hot {without[:, k].mean():7.3f}  ordinal {with_order[:, k].mean():7.3f}"
                f"  difference {difference.mean():+7.3f} ({difference.mean() - half:+.3f} to {difference.mean() + half:+.3f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
