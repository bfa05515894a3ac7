"""Searches by a score, with several budgets: ``python -m benchmarks.searches FOLDER [--scoring roc_auc] [--budgets 10,30]``.

FOLDER and ``--splits`` are as for ``benchmarks.settings``. On each split (70/30) ``TSKClassifierCV`` looks for settings by the
scoring within each budget, and ends by its estimates of work alone, so that every machine finds the same. So do logistic
regression and a random forest (``evaluate.tuned_baselines``: as many settings, on as many folds, at most as long as the longest
budget); the explainable boosting machine of interpret-core has its default settings, or is left out where it is not installed
(``--baselines`` names what is wanted of them). Printed: the mean over tables of the score on the test rows, and the difference to
the first budget with its 95% t-interval over tables, tables won and lost. Seconds are those of the processor.
"""

import argparse
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
from scipy import stats

from benchmarks.settings import Line, dataset_of, known_lines, on_splits, tables_of
from tsk_core import TSKClassifierCV
from tsk_core.data.folds import folds
from tsk_core.evaluate.baselines import fitted_baseline, tuned_baselines
from tsk_core.evaluate.scorings import scoring_of

try:
    from interpret.glassbox import ExplainableBoostingClassifier
except ImportError:
    ExplainableBoostingClassifier = None

BASELINES = ("logistic_regression", "random_forest", "ebm")


def results(table: Path, seed: int, scoring: str, budgets: list[float], baselines: Collection[str]) -> Iterator[Line]:
    """One split: a line for each budget and each baseline."""
    dataset = dataset_of(table)
    rows, y = dataset.split(0.3, seed), np.asarray(dataset.y).astype(str)
    train, test = ((dataset.X.iloc[part], y[part]) for part in rows[:2])
    names = np.unique(y)
    line = {"table": table.stem, "seed": seed, "rows": len(y), "scoring": scoring}

    def score(classes: np.ndarray, probabilities: np.ndarray) -> float:
        whole = np.zeros((len(probabilities), len(names)))
        whole[:, np.searchsorted(names, classes)] = probabilities
        return scoring_of(scoring).score(np.searchsorted(names, test[1]), whole)

    for budget in budgets:
        began = time.process_time()
        search = TSKClassifierCV(budget, scoring=scoring, random_state=seed)
        for _ in search.fit_iter(*train, clock=lambda: 0.0):  # no time passes: the search ends by its work
            pass
        seconds = time.process_time() - began
        found = {"tried": len(search.trials_), "validated": search.best_score_, "notes": search.notes_}
        yield {
            **line,
            "what": f"tsk {budget:g} s",
            "score": score(search.classes_, search.predict_proba(test[0])),
            "seconds": seconds,
            **found,
        }
    if not baselines:
        return
    model = search.best_estimator_
    Z, Z_test = model.encode(train[0]), model.encode(test[0])
    parts = folds(train[1], search.n_splits_, seed)
    tuned = tuned_baselines(
        Z, train[1], parts, most=len(search.trials_), seconds=max(budgets), scoring=scoring, seed=seed, clock=time.process_time,
    )  # fmt: skip
    for key, baseline in ((key, tuned[key]) for key in tuned if key in baselines):
        predicted = fitted_baseline(key, seed, baseline.settings, Z, train[1], Z_test)
        yield {**line, "what": key, "score": score(*predicted), "seconds": baseline.seconds, "tried": baseline.tried}
    if ExplainableBoostingClassifier is not None and "ebm" in baselines:
        began = time.process_time()
        machine = ExplainableBoostingClassifier(random_state=seed, n_jobs=1).fit(Z, train[1])
        seconds = time.process_time() - began
        yield {**line, "what": "ebm", "score": score(machine.classes_, machine.predict_proba(Z_test)), "seconds": seconds}


def summary(lines: list[Line]) -> str:
    """A row for each of what was compared: means over tables, each over its splits, and the difference to the first."""
    tables = sorted({line["table"] for line in lines})
    whats = list(dict.fromkeys(line["what"] for line in lines))

    def means(what: str, key: str) -> np.ndarray:
        values = [[line[key] for line in lines if line["what"] == what and line["table"] == t] for t in tables]
        return np.array([np.mean(of) if of else np.nan for of in values])

    first, rows = means(whats[0], "score"), [f"{len(tables)} tables{'':14} score   − {whats[0]:18} won-lost  seconds"]
    for what in whats:
        difference = means(what, "score") - first
        known = difference[np.isfinite(difference)]
        half = stats.t.ppf(0.975, len(known) - 1) * known.std(ddof=1) / len(known) ** 0.5 if len(known) > 1 else np.nan
        won, lost = int((known > 1e-9).sum()), int((known < -1e-9).sum())
        score, seconds = np.nanmean(means(what, "score")), np.nanmean(means(what, "seconds"))
        rows.append(f"{what:22} {score:.4f}  {known.mean():+.4f} ± {half:.4f}  {won:4}-{lost:<4}  {seconds:7.1f}")
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--scoring", default="balanced_accuracy")
    parser.add_argument("--budgets", default="10,30,120")
    parser.add_argument("--baselines", default=",".join(BASELINES), help=f"of {', '.join(BASELINES)}; '' for none")
    parser.add_argument("--json", type=Path, help="a file to add each line to as JSON; splits that it has are not measured again")
    options = parser.parse_args()
    baselines = list(filter(None, options.baselines.split(",")))
    if unknown := set(baselines) - set(BASELINES):
        parser.error(f"no baseline is called {', '.join(sorted(unknown))}")
    budgets = [float(budget) for budget in options.budgets.split(",")]
    splits = [(table, seed) for seed in range(options.splits) for table in sorted(tables_of(options.folder))]
    lines = on_splits(
        splits, lambda table, seed: results(table, seed, options.scoring, budgets, baselines), options.json,
        known_lines(options.json, scoring=options.scoring),
    )  # fmt: skip
    print(summary(lines))


if __name__ == "__main__":
    main()
