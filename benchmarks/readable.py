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
from threadpoolctl import threadpool_limits

from benchmarks.readable_peers import peers
from benchmarks.readable_summary import summary
from tsk_core import TrainConfig, TSKClassifier, TSKClassifierCV, load_dataset, rule_stability
from tsk_core.evaluate.same_size import equal_size
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.study.parts import SplitData, split_data

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
