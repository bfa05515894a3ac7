"""How small a rule base can be: ``python -m benchmarks.simplify FOLDER [--splits 5] [--tables iris,wine] [--json FILE]``.

FOLDER has CSV files with a column ``class``; ``--tables`` names tables of it or of the gallery. For each split (70/30): the
recommended model; what ``simplify`` makes of it (at most 8 rules of at most 3 conditions); CART with as many splits as the small
base has conditions ("cart"), and as it has conditions and score terms ("cart_all"); RuleFit of imodels with as many rules as the
latter, where it is installed. Test BCA, sizes, and fidelity to the small model: of the text printed in full ("text"), and of the
strongest rule's class alone ("strongest").
"""

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from tsk_core import TSKClassifier, load_dataset, read_csv
from tsk_core.evaluate.metrics import accuracy_of_labels
from tsk_core.explain import printed_rules
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

COLUMNS = ("full", "small", "rules", "conditions", "terms", "text", "strongest", "cart", "cart_all", "rulefit", "seconds")


def measured(dataset: Any, seed: int) -> dict[str, float]:
    """One split of one table."""
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[rows], y[rows]) for rows in split[:2])
    full = TSKClassifier(random_state=seed).fit(*train)
    began = time.process_time()
    small = full.simplify(*train)
    seconds = time.process_time() - began
    changes, predicted = small.simplification_, small.predict(test[0])
    Z, Z_test = small.encoder_.transform(train[0]), small.encoder_.transform(test[0])
    rule_base, printed = small.rules(3, X=test[0], y=test[1]), printed_rules(small.to_dict(), Z.mean(0))
    conclusions = np.array([rule.conclusion for rule in sorted(rule_base.rules, key=lambda rule: rule.index)], dtype=object)
    strongest = conclusions[small.firing_levels(test[0]).argmax(1)]
    names = np.array([str(name) for name in predicted], dtype=object)
    found = {
        "full": _bca(test[1], full.predict(test[0])),
        "small": _bca(test[1], predicted),
        "rules": changes.rules[1],
        "conditions": changes.conditions[1],
        "terms": changes.terms[1],
        "text": float((small.classes_[printed.predict_index(Z_test)] == predicted).mean()),
        "strongest": float((strongest == names).mean()),
        "seconds": seconds,
    }
    x, x_test = full.encode(train[0]), full.encode(test[0])
    for name, size in (("cart", found["conditions"]), ("cart_all", found["conditions"] + found["terms"])):
        tree = DecisionTreeClassifier(max_leaf_nodes=max(2, size + 1), random_state=seed).fit(x, train[1])
        found[name] = _bca(test[1], tree.predict(x_test))
    return found | {"rulefit": _rulefit((x, train[1]), (x_test, test[1]), found["conditions"] + found["terms"], seed)}


def _rulefit(train: tuple, test: tuple, size: int, seed: int) -> float:
    """BCA of imodels' RuleFit with at most ``size`` rules, one against the rest; NaN where it is not installed."""
    try:
        from imodels import RuleFitClassifier
    except ImportError:
        return np.nan
    from sklearn.multiclass import OneVsRestClassifier

    per_class = max(1, size // max(1, len(np.unique(train[1])) - 1))
    model = OneVsRestClassifier(RuleFitClassifier(max_rules=per_class, random_state=seed)).fit(*train)
    return _bca(test[1], model.predict(test[0]))


def _bca(y: np.ndarray, predicted: np.ndarray) -> float:
    return accuracy_of_labels(y, predicted).bca


def tables(folder: Path, wanted: list[str]) -> Iterator[tuple[str, Any]]:
    """The tables by name: files of the folder, or of the gallery."""
    for name in wanted or sorted(path.stem for path in folder.glob("*.csv")):
        path = folder / f"{name}.csv"
        yield name, read_csv(path, "class") if path.exists() else load_dataset(name)


def main() -> None:
    """Print a line a table, and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--tables", default="")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'':18}" + "".join(f"{name:>11}" for name in COLUMNS))
    means, lines = [], []
    with torch_threads(1), denormals_as_zero():
        for name, dataset in tables(given.folder, [table for table in given.tables.split(",") if table]):
            found = [measured(dataset, seed) for seed in range(given.splits)]
            lines += [{"table": name, "seed": seed, **one} for seed, one in enumerate(found)]
            means.append([np.mean([one[column] for one in found]) for column in COLUMNS])
            print(f"{name:18}" + "".join(f"{value:11.3f}" for value in means[-1]), flush=True)
            if given.json:
                given.json.write_text(json.dumps(lines))
    print(f"{f'mean of {len(means)}':18}" + "".join(f"{value:11.3f}" for value in np.nanmean(means, axis=0)))


if __name__ == "__main__":
    main()
