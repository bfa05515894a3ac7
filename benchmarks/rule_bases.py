"""Six rule bases as Markdown: ``python -m benchmarks.rule_bases [--tables iris,wine,…] > docs/rule-bases.md``.

Each is what ``simplify`` makes of the recommended model (seed 0, 70/30 split): the smallest base of at most 8 rules of at most 3
conditions within 0.01 of the full model's cross-validated balanced accuracy. Nothing here is written by hand.
"""

import argparse
import warnings
from typing import Any

import numpy as np

from tsk_core import TSKClassifier, load_dataset
from tsk_core.evaluate.metrics import accuracy_of_labels
from tsk_core.explain import printed_rules
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

TABLES = "iris,wine,vehicle,biodeg,abalone,satellite"
HEAD = """# Six rule bases

Printed by `python -m benchmarks.rule_bases`: for each table, the recommended model trained on 70% of the rows (seed 0), and the
small rule base that `simplify` made of it. *Agrees* is the share of test rows for which the text in full, with its rounded
numbers, gives the class that the small model predicts. *True of*: the training rows for which all conditions hold (memberships of
at least 0.5), and how many of them have the class. A rule without a clear class corrects scores that other features decide.
"""


def section(name: str, seed: int = 0) -> str:
    """One rule base."""
    dataset = load_dataset(name)
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[rows], y[rows]) for rows in split[:2])
    full = TSKClassifier(random_state=seed).fit(*train)
    small = full.simplify(*train)
    rule_base, changes = small.rules(3, X=test[0], y=test[1], training=train), small.simplification_
    printed, Z = printed_rules(small.to_dict(), small.encoder_.mean_), small.encoder_.transform(test[0])
    agrees = (small.classes_[printed.predict_index(Z)] == small.predict(test[0])).mean()
    sizes = [f"{before} → {now}" for before, now in (changes.rules, changes.conditions, changes.terms)]
    scores = [accuracy_of_labels(test[1], model.predict(test[0])) for model in (full, small)]
    lines = [
        f"\n## {name.capitalize()}\n",
        f"{len(train[1]):,} training rows, {len(test[1]):,} test rows, {len(small.classes_)} classes,"
        f" {train[0].shape[1]} features.\n",
        "| Rules | Conditions | Score terms | Test RCA | Test BCA | Agrees |",
        "|---|---|---|---|---|---|",
        f"| {' | '.join(sizes)} | {scores[0].rca:.3f} → {scores[1].rca:.3f} | {scores[0].bca:.3f} → {scores[1].bca:.3f} "
        f"| {agrees:.1%} |\n",
        "| | Rule | Average firing level | True of |",
        "|---|---|---|---|",
        *(_row(rule) for rule in rule_base.rules),
        "",
        "<details><summary>In full: every number that a prediction needs</summary>\n",
        f"```\n{printed.text}\n```\n",
        "</details>",
    ]
    return "\n".join(lines)


def _row(rule: Any) -> str:
    rows, right = rule.true_of[min(len(rule.antecedents), len(rule.true_of)) - 1] if rule.true_of else (0, 0)
    true = f"{rows:,} rows; {right:,} ({right / rows:.0%}) are {rule.conclusion}" if rows else "no row"
    return f"| {rule.index} | {rule.text.replace('|', chr(92) + '|')} | {rule.support:.1%} | {true} |"


def main() -> None:
    """Print them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=TABLES)
    warnings.simplefilter("ignore")
    with torch_threads(1), denormals_as_zero():
        print("\n".join([HEAD, *(section(name) for name in parser.parse_args().tables.split(","))]))


if __name__ == "__main__":
    main()
