"""Readable rule bases beside other classifiers: ``python -m benchmarks.readable [--tables a,b] [--splits 5] --out DIR``.

For each table (of a folder in TSK_DATA_DIR, or of the gallery) and split (70/30): the recommended model, also with balanced
class weights; the starting point *Readable*; what ``TSKClassifierCV(readable=True)`` finds within ``--budget`` seconds; and CART,
a rule list and, with at most ``WEKA_ROWS`` training rows, JRip and PART, with at most as many conditions as that. Of the first
split, also how stable the rules are. Writes one JSON file a table and split into DIR, leaves out those that are there, and writes
``summary.md``, the figures of ``docs/readable.md``. ``--summary`` writes that alone.
"""

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t
from threadpoolctl import threadpool_limits

from tsk_core import TrainConfig, TSKClassifier, TSKClassifierCV, load_dataset, rule_stability
from tsk_core.evaluate.same_size import Peer, equal_size
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_study import weka
from tsk_study.parts import SplitData, split_data
from tsk_study.weka.client import LEAST_ROWS, within

# Crisp rules of a given size on the same splits: CART and the rule list of ``tsk_core.evaluate.same_size``; Weka's JRip and PART
# where Weka is installed.


def peers(split: SplitData, conditions: int) -> list[Peer]:
    """CART, the rule list, and JRip and PART where Weka is installed."""
    y = np.asarray(split.dataset.y)
    found = equal_size(split.frame_train, y[split.train], split.frame_test, y[split.test], conditions, seed=split.seed)
    return found if weka.missing() else [*found, *(within(name, split, conditions) for name in LEAST_ROWS)]


# The results of ``benchmarks.readable`` as Markdown: against the targets, and table by table.


PEERS = ("CART", "JRip", "PART", "rule list")
KINDS = {"search": "Found by tuning", "start": "Starting point"}


def summary(folder: Path, developed_on: list[str]) -> str:
    """All figures of the JSON files in a folder; intervals are 95% t intervals of the mean over tables."""
    records = [json.loads(path.read_text()) | {"table": path.stem.rsplit("-", 1)[0]} for path in sorted(folder.glob("*.json"))]
    frame = pd.json_normalize(records)
    for kind in KINDS:
        frame[f"{kind}.right"] = frame[f"{kind}.winner_right"] - frame[f"{kind}.rca"]
    tables = frame.groupby("table").mean(numeric_only=True)
    old = tables.index.isin(developed_on)
    groups = {"all": tables, "developed on": tables[old], "not developed on": tables[~old]}
    groups = {name: group for name, group in groups.items() if len(group)}
    header = ["", "Target", *(f"{name} ({len(group)} tables)" for name, group in groups.items())]
    by_group = [figures(group) for group in groups.values()]
    lines = [[f"{text}", target, *(each[text, target] for each in by_group)] for text, target in by_group[0]]
    return "\n".join([markdown(header, lines), "", by_table(tables), ""])


def figures(tables: pd.DataFrame) -> dict[tuple[str, str], str]:
    """What it is and its target -> the figure. tables: means over splits, one row per table."""
    found = {}
    for kind, title in KINDS.items():
        lost = tables["recommended.bca"] - tables[f"{kind}.bca"]
        found[f"{title}: BCA lost to the recommended model", "≤ .01; ≤ .03 on 90%"] = (
            f"{with_interval(lost)}; ≤ .03 on {(lost <= 0.03).mean():.0%}"
        )
        lost = tables["balanced.bca"] - tables[f"{kind}.bca"]
        found[f"{title}: BCA lost to it with balanced class weights", ""] = with_interval(lost)
        for text, target, column, digits in (
            ("strongest rule agrees with the model", "≥ .95", "readings.strongest.fidelity", 3),
            ("the sentence of the strongest rule is literally true", "≥ .80", "winner_true", 3),
            ("its class is right there, less the model's RCA on all rows", "≥ 0", "right", 3),
            ("BCA of the strongest rule alone", "", "readings.strongest.bca", 3),
            ("BCA of the sentences alone", "", "readings.sentences.bca", 3),
            ("rules", "≤ 12", "rules", 1),
            ("conditions", "≤ 30", "conditions", 1),
        ):
            found[f"{title}: {text}", target] = f"{tables[f'{kind}.{column}'].mean():.{digits}f}"
        for name in ("seeds", "bootstrap"):
            found[f"{title}: stability over {name} (Dice)", "higher on 70%"] = stability(tables, kind, name)
    for name in PEERS:
        if f"peers.{name}.bca" in tables:
            ahead = (tables["search.bca"] - tables[f"peers.{name}.bca"]).dropna()
            text = f"Found by tuning beside {name} of at most as many conditions: BCA"
            found[text, "ahead on 70%, +.03"] = f"ahead on {(ahead > 0).mean():.0%}, {with_interval(ahead)}"
    found["Found by tuning: seconds", ""] = f"{tables['search.seconds'].mean():.1f}"
    return found


def stability(tables: pd.DataFrame, kind: str, name: str) -> str:
    """Of the tables where it was measured."""
    if f"{kind}.{name}" not in tables:
        return "not measured"
    pairs = tables[[f"{kind}.{name}", f"recommended.{name}"]].dropna().to_numpy()
    higher = (pairs[:, 0] > pairs[:, 1]).mean()
    return f"{pairs[:, 0].mean():.2f}, recommended {pairs[:, 1].mean():.2f}; higher on {higher:.0%} of {len(pairs)}"


def with_interval(values: pd.Series) -> str:
    """The mean with its interval."""
    half = t.ppf(0.975, len(values) - 1) * values.std() / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():+.3f} ± {half:.3f}"


def by_table(tables: pd.DataFrame) -> str:
    """A line a table."""
    columns = {
        "recommended": ("recommended.bca", 3), "balanced": ("balanced.bca", 3), "start": ("start.bca", 3),
        "found": ("search.bca", 3), "rules": ("search.rules", 1), "conditions": ("search.conditions", 1),
        "agrees": ("search.readings.strongest.fidelity", 2), "true": ("search.winner_true", 2),
        **{name: (f"peers.{name}.bca", 3) for name in PEERS},
    }  # fmt: skip
    columns = {name: column for name, column in columns.items() if column[0] in tables}
    lines = [
        [table, *(f"{values[column]:.{digits}f}" for column, digits in columns.values())] for table, values in tables.iterrows()
    ]
    return markdown(["BCA", *columns], lines)


def markdown(header: list[str], lines: list[list[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in [header, ["---"] * len(header), *lines])


DEVELOPED_ON = (
    "anneal,autos,balance-scale,breast-w,bridges-version2,car,cmc,credit-a,cylinder-bands,diabetes,flags,heart-h,hypothyroid"
    ",kr-vs-kp,lymph,nursery,optdigits,pendigits,spambase,splice,tae,tic-tac-toe,vote,zoo"
)
THE_PAPERS = "abalone,biodeg,clave,drd,magic,page-blocks,satellite,segment,steel,vehicle,waveform,yeast"
STABILITY_ROWS, STABILITY_TRAININGS = 2000, 5
WEKA_ROWS = 3000  # training rows, beyond which JRip and PART take minutes


def measured(split: SplitData, budget: float) -> dict[str, Any]:
    """All figures of one split."""
    y, seed = np.asarray(split.dataset.y), split.seed
    train, test = (split.frame_train, y[split.train]), (split.frame_test, y[split.test])
    recommended = TSKClassifier(random_state=seed)
    readable = TSKClassifier(**TrainConfig.readable(random_state=seed).to_dict())
    found = {
        "recommended": _scores(recommended.fit(*train), *test),
        "balanced": _scores(TSKClassifier(random_state=seed, class_weight="balanced").fit(*train), *test),
        "start": _readable(readable.fit(*train), *test),
    }
    began = time.perf_counter()
    search = TSKClassifierCV(budget=budget, readable=True, random_state=seed).fit(*train)
    seconds = {"seconds": time.perf_counter() - began}
    found["search"] = _readable(search.best_estimator_, *test) | seconds | {"config": search.best_params_}
    conditions = max(1, int(found["search"]["conditions"]))
    few = len(train[1]) <= WEKA_ROWS
    others = peers(split, conditions) if few else equal_size(*train, *test, conditions, seed=seed)
    found["peers"] = {peer.name: peer._asdict() for peer in others}
    if seed == 0 and len(train[1]) <= STABILITY_ROWS:
        chosen = TSKClassifier(**search.best_params_)
        for name, classifier in (("recommended", recommended), ("start", readable), ("search", chosen)):
            stability = rule_stability(classifier, *train, n=STABILITY_TRAININGS)
            found[name] |= {"seeds": stability.seeds.base, "bootstrap": stability.bootstrap.base}
    return found


def _scores(classifier: TSKClassifier, X: Any, y: np.ndarray) -> dict[str, float]:
    scores = accuracy_of_labels(y, classifier.predict(X))
    return {"rca": scores.rca, "bca": scores.bca}


def _readable(classifier: TSKClassifier, X: Any, y: np.ndarray) -> dict[str, Any]:
    """Scores, readings and size of a readable rule base. Conditions and rules as they are printed."""
    book = classifier.rules(max_antecedents=12, X=X, y=y)
    figures = book.measured.readable
    readings = {name: reading._asdict() for name, reading in figures.readings.items()}
    truth = {name: getattr(figures, name) for name in ("winner_true", "winner_right", "some_true")}
    size = {"rules": len(book.rules), "conditions": sum(len(rule.antecedents) for rule in book.rules)}
    return _scores(classifier, X, y) | {"readings": readings} | truth | size


def main() -> None:
    """Measure what is not measured yet, and write the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=f"{DEVELOPED_ON},{THE_PAPERS}")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--budget", type=float, default=10)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--summary", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    given.out.mkdir(parents=True, exist_ok=True)
    todo = [] if given.summary else [(seed, table) for seed in range(given.splits) for table in given.tables.split(",")]
    with threadpool_limits(1), torch_threads(1), denormals_as_zero():
        for seed, table in todo:
            path = given.out / f"{table}-{seed}.json"
            if path.exists():
                continue
            found = measured(split_data(load_dataset(table), seed), given.budget)
            path.write_text(json.dumps(found, default=float))
            print(table, seed, *(f"{kind} {found[kind]['bca']:.3f}" for kind in ("recommended", "start", "search")), flush=True)
    (given.out / "summary.md").write_text(summary(given.out, DEVELOPED_ON.split(",")))


if __name__ == "__main__":
    main()
