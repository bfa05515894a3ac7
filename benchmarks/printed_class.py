"""Which class a rule should print, measured: ``python -m benchmarks.printed_class [--conditions 4] [--firing softmax]``.

For each of the paper's twelve tables and those of ``TSK_DATA_DIR``/tables: the recommended settings on at most 1,000 training
rows, one split a seed. Printed, as Markdown, means over tables: agreement with the full model, accuracy and BCA on the test rows
of the text read as printed, for each way of naming a rule's class (the strongest rule decides, or rules vote), and for fixed
scores a rule fitted by least squares. "wins": tables with a higher and a lower accuracy than with the class at the centre.
"""

import argparse
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from tsk_core import TSKClassifier, load_dataset, read_csv
from tsk_core.data import Dataset
from tsk_core.data.gallery.paper import PAPER
from tsk_core.explain import RuleBaseSummary, firing_levels, scores

MOST_TRAINING, MOST_TEST, RIDGE = 1000, 3000, 0.01
Scores = dict[str, tuple[float, float, float]]


def tables() -> list[Dataset]:
    """The tables that are at hand."""
    folders = [Path(folder) for folder in os.environ.get("TSK_DATA_DIR", "").split(":") if folder]
    others = sorted(path for folder in folders for path in (folder / "tables").glob("*.csv"))
    return [*(load_dataset(entry.name) for entry in PAPER), *map(read_csv, others)]


def measured(dataset: Dataset, seed: int, conditions: int, settings: dict[str, Any]) -> Scores:
    """(agreement, accuracy, BCA) of each reading on the test rows of one split."""
    split, y, random = dataset.split(test_size=0.3, seed=seed), np.asarray(dataset.y), np.random.default_rng(seed)
    train, test = (
        np.sort(random.permutation(part)[:most]) for part, most in ((split.train, MOST_TRAINING), (split.test, MOST_TEST))
    )
    test = test[np.isin(y[test], y[train])]
    clf = TSKClassifier(random_state=seed, **settings).fit(dataset.X.iloc[train], y[train])
    Z, Z_test = (clf.encoder_.transform(dataset.X.iloc[rows]) for rows in (train, test))
    true, true_test = (np.searchsorted(clf.classes_, y[rows]) for rows in (train, test))
    source = clf.to_dict()
    rule_base = RuleBaseSummary.build(source, Z, true, max_antecedents=conditions)
    full = scores(source, Z_test).argmax(1)
    return {name: _scored(found, full, true_test) for name, found in _read(rule_base, Z, true, Z_test).items()}


def _read(rule_base: RuleBaseSummary, Z: np.ndarray, true: np.ndarray, Z_test: np.ndarray) -> dict[str, np.ndarray]:
    """The class of each test row by each reading."""
    source, C = rule_base.source, len(rule_base.classes)
    dead = np.array([rule.dead for rule in sorted(rule_base.rules, key=lambda rule: rule.index)])
    whole, printed, tested = firing_levels(source, Z), *(firing_levels(source, rows, rule_base.mask) for rows in (Z, Z_test))
    for levels in (printed, tested):
        levels[:, dead] = 0
        levels /= np.maximum(levels.sum(1, keepdims=True), 1e-300)
    onehot, model = np.eye(C)[true], scores(source, Z)
    confidence, says = whole.T @ onehot, whole.T @ np.eye(C)[model.argmax(1)]
    fixed = {"labels": _least_squares(printed, onehot), "scores": _least_squares(printed, model - model.mean(1, keepdims=True))}
    centre = {rule.index - 1: source["classes"].index(max(rule.scores, key=rule.scores.get)) for rule in rule_base.rules}
    named = {rule.index - 1: source["classes"].index(rule.conclusion) for rule in rule_base.rules}
    classes = {
        "at the centre": np.array([centre[r] for r in range(len(dead))]),
        "largest confidence": confidence.argmax(1),
        "largest lift": (confidence / onehot.mean(0)).argmax(1),
        "what the model says of its rows": says.argmax(1),
        "largest fitted score": fixed["scores"].argmax(1),
        "most rows of which the sentence is true": np.array([named[r] for r in range(len(dead))]),
    }
    found = {f"{name}, strongest": own[tested.argmax(1)] for name, own in classes.items()}
    found |= {f"{name}, vote": (tested @ np.eye(C)[own]).argmax(1) for name, own in classes.items()}
    found |= {f"fixed scores fitted to {name}": (tested @ own).argmax(1) for name, own in fixed.items()}
    linear, full = scores(source, Z_test, rule_base.mask).argmax(1), scores(source, Z_test).argmax(1)
    return found | {"hidden linear functions": linear, "the full model": full}


def _least_squares(levels: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    product = levels.T @ levels
    ridge = RIDGE * np.trace(product) / len(product) + 1e-12
    return np.linalg.solve(product + ridge * np.eye(len(product)), levels.T @ wanted)


def _scored(found: np.ndarray, full: np.ndarray, true: np.ndarray) -> tuple[float, float, float]:
    recalls = [(found[true == c] == c).mean() for c in np.unique(true)]
    return float((found == full).mean()), float((found == true).mean()), float(np.mean(recalls))


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conditions", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--firing", default="scaled")
    options = parser.parse_args()
    settings = {} if options.firing == "scaled" else {"firing": options.firing, "shrinkage": 0.0}
    by_reading: dict[str, list[np.ndarray]] = defaultdict(list)
    found = tables()
    for dataset in found:
        runs = [measured(dataset, seed, options.conditions, settings) for seed in range(options.seeds)]
        for name in runs[0]:
            by_reading[name].append(np.mean([run[name] for run in runs], axis=0))
    base = np.array(by_reading["at the centre, strongest"])[:, 1]
    print(f"{len(found)} tables, {options.seeds} splits each, at most {options.conditions} conditions a rule.\n")
    print("| class printed | agrees | accuracy | BCA | wins |\n|---|---|---|---|---|")
    for name, values in by_reading.items():
        agrees, accuracy, bca = np.mean(values, axis=0)
        own = np.array(values)[:, 1]
        print(f"| {name} | {agrees:.3f} | {accuracy:.3f} | {bca:.3f} | {(own > base).sum()}-{(own < base).sum()} |")


if __name__ == "__main__":
    main()
