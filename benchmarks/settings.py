"""How good settings are on many tables: ``python -m benchmarks.settings FOLDER [--splits 5] [--what recommended,paper,cv]``.

FOLDER has CSV files with a column ``class``; the word "paper" stands for the paper's twelve datasets. Every split (70/30, seeds
0, 1, …) is the same for all that is compared: the starting points, ``TSKClassifierCV`` ("cv"), logistic regression ("lr"; "lrw"
with balanced class weights) and a random forest ("rf"), these three on the classifier's own encoding. Printed: means over
tables of test RCA and BCA, the difference in BCA (or what ``--of`` names) to "lr" (or what ``--against`` names) with its 95%
t-interval over tables, tables on which it is above and below, and, of the fuzzy classifiers,

- fidelity: share of test rows that rules of three conditions each decide as the whole model does;
- changed: share of decisions that change when every firing level is replaced by its mean over the training rows;
- spread: mean over rules of the SD of the firing level, times R (0: a straight line in disguise);
- dead: rules that never fire on the training rows.

``--set NAME:key=value,…`` adds settings in the words of links; ``--json FILE`` writes each split's numbers.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from tsk_core import TSKClassifier, TSKClassifierCV, load_dataset, read_csv
from tsk_core.config import STARTING_POINTS, TrainConfig
from tsk_core.data import Dataset
from tsk_core.data.gallery import entries
from tsk_core.explain.exported import rule_outputs
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

# What benchmarks measure on many splits: a line for each, kept as JSON so that one that was interrupted goes on where it was.


Line = dict[str, Any]


def known_lines(path: Path | None, **same: object) -> list[Line]:
    """The lines of a file that have these values; none without a file."""
    lines = map(json.loads, path.read_text().splitlines() if path and path.exists() else [])
    return [line for line in lines if all(line[name] == value for name, value in same.items())]


def on_splits(
    splits: Iterable[tuple[Path, int]],
    measure: Callable[[Path, int], Iterable[Line]],
    path: Path | None,
    known: Iterable[Line] = (),
) -> list[Line]:
    """The known lines and those of each further split (a table and a seed), by one torch thread.

    measure: yields the lines of a split, with its "table" and "seed". path: a file to which they are added.
    """
    lines = list(known)
    done = {(line["table"], line["seed"]) for line in lines}
    warnings.simplefilter("ignore")
    with torch_threads(1), denormals_as_zero():
        for table, seed in splits:
            if (table.stem, seed) in done:
                continue
            new = list(measure(table, seed))
            lines += new
            if path:
                with path.open("a") as file:
                    file.writelines(json.dumps(line) + "\n" for line in new)
    return lines


BASELINES = {
    "lr": lambda seed: LogisticRegression(max_iter=1000),
    "lrw": lambda seed: LogisticRegression(max_iter=1000, class_weight="balanced"),
    "rf": lambda seed: RandomForestClassifier(100, random_state=seed),
}
CONDITIONS = 3
COLUMNS = ("fidelity", "changed", "spread", "dead", "seconds")  # printed beside the scores


def tables_of(folder: str) -> list[Path]:
    """The CSV files of a folder, the largest first; for the word "paper", names of the paper's datasets."""
    if folder == "paper":
        return [Path(entry.name) for entry in entries() if entry.group == "paper"]
    return sorted(Path(folder).glob("*.csv"), key=lambda path: -path.stat().st_size)


def dataset_of(table: Path) -> Dataset:
    """One of ``tables_of``."""
    return read_csv(table, "class") if table.suffix else load_dataset(table.stem)


def measured(classifier: TSKClassifier, train: tuple, test: tuple) -> dict[str, float]:
    """The scores of a fitted classifier, and what its rules are worth."""
    X, y = test
    firing = classifier.firing_levels(X)
    mean = classifier.firing_levels(train[0]).mean(0)
    scores = rule_outputs(classifier.to_dict(), classifier.encoder_.transform(X))  # (N, R, C)
    plain, flat = ((levels[..., None] * scores).sum(1).argmax(1) for levels in (firing, np.broadcast_to(mean, firing.shape)))
    rule_base = classifier.rules(CONDITIONS, X=X, training=train)
    found = accuracy_of_labels(y, classifier.classes_[plain])._asdict()
    spread, dead = float(firing.std(0).mean() * firing.shape[1]), classifier.history_[-1].dead_rules
    return found | {"fidelity": rule_base.fidelity, "changed": float((plain != flat).mean()), "spread": spread, "dead": dead}


def fit_by_search(train: tuple, seed: int, budget: float) -> TSKClassifier:
    """The best of a search of so many seconds of processor time, so that a busy machine does not shorten it."""
    search = TSKClassifierCV(budget, random_state=seed, threads=1)
    for _ in search.fit_iter(*train, clock=time.process_time):
        pass
    return search.best_estimator_


def results(table: Path, seed: int, settings: dict[str, TrainConfig | None], budget: float) -> Iterator[Line]:
    """One split: a line for each of ``settings`` (None: the search) and of the baselines."""
    dataset = dataset_of(table)
    rows, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[part], y[part]) for part in rows[:2])
    line = {"table": table.stem, "seed": seed, "rows": len(dataset.frame)}
    encoded = TSKClassifier(n_rules=1, max_epochs=1, random_state=0).fit(*train)
    for name, make in BASELINES.items():
        began = time.process_time()
        predicted = make(seed).fit(encoded.encode(train[0]), train[1]).predict(encoded.encode(test[0]))
        scores = accuracy_of_labels(test[1], predicted)._asdict()
        yield {**line, "what": name, **scores, "seconds": time.process_time() - began}
    for name, config in settings.items():
        began = time.process_time()
        if config is None:
            classifier = fit_by_search(train, seed, budget)
        else:
            classifier = TSKClassifier(**config.to_dict() | {"random_state": seed}).fit(*train)
        yield {**line, "what": name, "seconds": time.process_time() - began, **measured(classifier, train, test)}


def summary(lines: list[Line], reference: str = "lr", key: str = "bca") -> str:
    """A row for each of what was compared: means over tables, each over its splits; differences of ``key`` to ``reference``."""
    tables = sorted({line["table"] for line in lines})

    def means(what: str, key: str) -> np.ndarray:
        values = [[line[key] for line in lines if line["what"] == what and line["table"] == t and key in line] for t in tables]
        return np.array([np.mean(of) if of else np.nan for of in values])

    against = means(reference, key)
    head = f"{len(tables)} tables, {len({line['seed'] for line in lines})} splits each\n"
    head += f"{'':16} RCA    BCA    {key.upper()} − {reference:11} above-below fidelity  changed spread  dead    seconds\n"
    rows = []
    for what in dict.fromkeys(line["what"] for line in lines):
        difference = means(what, key) - against
        half = stats.t.ppf(0.975, len(tables) - 1) * difference.std(ddof=1) / len(tables) ** 0.5 if len(tables) > 1 else np.nan
        won, lost = int((difference > 1e-9).sum()), int((difference < -1e-9).sum())
        more = "  ".join(f"{means(what, column).mean():8.3f}" for column in COLUMNS)
        rows.append(
            f"{what:16} {means(what, 'rca').mean():.4f} {means(what, 'bca').mean():.4f} {difference.mean():+.4f} ± {half:.4f}"
            f" {won:4}-{lost:<3}  {more}"
        )
    return head + "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--what", default="recommended,paper", help="recommended, paper, cv; comma-separated")
    parser.add_argument("--set", action="append", default=[], metavar="NAME:key=value,…", help="settings beside these")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of processor time for cv")
    parser.add_argument("--against", default="lr", help="what the differences are counted against")
    parser.add_argument("--of", default="bca", choices=("rca", "bca", *COLUMNS), help="their quantity")
    parser.add_argument("--part", default="1/1", help="2/3: the second third of the tables")
    parser.add_argument("--json", type=Path, help="a file to add each split's numbers to, one line of JSON each")
    options = parser.parse_args()
    settings = {name: None if name == "cv" else STARTING_POINTS[name] for name in options.what.split(",") if name}
    for text in options.set:
        name, _, values = text.partition(":")
        settings[name] = TrainConfig.from_url(dict(pair.split("=") for pair in values.split(",")))
    part, parts = map(int, options.part.split("/"))
    tables = tables_of(options.folder)[part - 1 :: parts]
    splits = [(table, seed) for table in tables for seed in range(options.splits)]
    lines = on_splits(splits, lambda table, seed: results(table, seed, settings, options.budget), options.json)
    print(summary(lines, options.against, options.of))


if __name__ == "__main__":
    main()
