"""Settings that do well on the gallery's tables: ``python -m benchmarks.gallery [NAME …] [--json]``.

Trains a dozen settings on each table that needs no internet, over five splits (seeds 0 to 4, 30% test rows), and prints the mean
test RCA and BCA with the corrected 95% interval of the difference from the paper's. It ends with the lines of
``tsk_core/data/gallery/measured.py``: the setting with the highest BCA of a table, if it was higher than the paper's in at least
four of the five splits, and by at least 0.005 on average.
"""

import argparse
import json
from dataclasses import replace

import numpy as np

from tsk_core import TSKClassifier, fit_many
from tsk_core.config import STARTING_POINTS
from tsk_core.data import Dataset, load_dataset
from tsk_core.data.gallery import GALLERY
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero

SPLITS, TEST_SIZE = 5, 0.3
AHEAD, GAIN = 4, 0.005  # what a card asks of a setting: the splits in which it is ahead, its mean gain in BCA
PAPER = ("paper", {})
CANDIDATES = (
    PAPER,
    ("paper", {"n_rules": 5}),
    ("paper", {"n_rules": 40}),
    ("paper", {"ur_weight": 10.0}),
    ("paper", {"firing": "htsk"}),
    ("paper", {"class_weight": "balanced"}),
    ("recommended", {}),
    ("recommended", {"n_rules": 4}),
    ("recommended", {"n_rules": 20}),
    ("recommended", {"n_rules": 40, "shrinkage": 0.0}),
    ("recommended", {"shrinkage": 0.0}),
    ("recommended", {"shrinkage": 0.1}),
    ("recommended", {"class_weight": "balanced"}),
)


def scores_of(dataset: Dataset, seed: int) -> np.ndarray:
    """(candidates, 2): test RCA and BCA of each candidate on one split."""
    split = dataset.split(test_size=TEST_SIZE, seed=seed)
    X, y = dataset.X, np.asarray(dataset.y)
    configs = [replace(STARTING_POINTS[start], random_state=seed, **changes) for start, changes in CANDIDATES]
    models = [TSKClassifier(**config.to_dict()) for config in configs]
    with denormals_as_zero():
        fit_many(models, X.iloc[split.train], y[split.train], threads=1)
        predicted = [model.predict(X.iloc[split.test]) for model in models]
    return np.array([accuracy_of_labels(y[split.test], labels) for labels in predicted])


def measure(name: str) -> list[dict]:
    """One entry per candidate, in order: its scores over the splits, and its difference in BCA from the paper's."""
    dataset = load_dataset(name)
    scores = np.stack([scores_of(dataset, seed) for seed in range(SPLITS)])  # (splits, candidates, 2)
    gained = scores[:, :, 1] - scores[:, [CANDIDATES.index(PAPER)], 1]
    found = []
    for k, (start, changes) in enumerate(CANDIDATES):
        rca, bca = scores[:, k].mean(0)
        low, high = corrected_t_interval(gained[:, k], TEST_SIZE / (1 - TEST_SIZE)) or (np.nan, np.nan)
        found.append({
            "start": start, "settings": changes, "rca": rca, "bca": bca, "gain": gained[:, k].mean(), "low": low, "high": high,
            "ahead": int((gained[:, k] > 0).sum()),
        })  # fmt: skip
    return found


def named(found: list[dict]) -> dict | None:
    """The candidate that a card names, or None."""
    best = max(found, key=lambda one: one["bca"])
    return best if best["ahead"] >= AHEAD and best["gain"] >= GAIN else None


def figures(one: dict, found: list[dict]) -> str:
    """The scores as a sentence."""
    papers = found[CANDIDATES.index(PAPER)]["bca"]
    return f"Test BCA {one['bca']:.3f} against {papers:.3f} with Paper, better in {one['ahead']} of {SPLITS} splits."


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables of the gallery; all that need no internet if not given")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = options.names or [entry.name for entry in GALLERY.values() if entry.group in ("bundled", "generated")]
    results = {}
    for name in names:
        results[name] = measure(name)
        if not options.json:
            print(name)
            for one in results[name]:
                print(
                    f"  {one['start']:<12}{one['settings']!s:<36} RCA {one['rca']:.3f}  BCA {one['bca']:.3f}"
                    f"  {one['gain']:+.3f} [{one['low']:+.3f}, {one['high']:+.3f}]  ahead in {one['ahead']} of {SPLITS}",
                    flush=True,
                )
    if options.json:
        print(json.dumps(results))
        return
    for name, found in results.items():
        if one := named(found):
            print(
                f'    "{name}": MeasuredSettings("{one["start"]}", {one["settings"]}, "{figures(one, found)}"),'.replace("'", '"')
            )


if __name__ == "__main__":
    main()
