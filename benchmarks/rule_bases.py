"""Six readable rule bases as Markdown: ``python -m benchmarks.rule_bases [--tables iris,…] [--search] > docs/rule-bases.md``.

Each is trained on 70% of the rows (seed 0) from the starting point *Readable*, or with the settings that the search for a
readable rule base finds on these rows. A table is one of the gallery, or a file of ``TSK_DATA_DIR``/tables. Nothing here is
written by hand.
"""

import argparse
import os
import textwrap
import warnings
from pathlib import Path

import numpy as np

from tsk_core import TSKClassifier, load_dataset, read_csv
from tsk_core.data import Dataset
from tsk_core.explain import RuleBaseSummary, printed_rules
from tsk_core.explain.printed import HOW, SHARES
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

TABLES = "iris,wine,vehicle,biodeg,heart-h,credit-a"
HEAD = """# Six readable rule bases

Printed by `python -m benchmarks.rule_bases{options}`: for each table, {which}, trained on 70% of the rows (seed 0), beside the
recommended model of the same rows. The rules are the model: conditions and one score per class. Three ways to predict are
measured on the test rows: the model itself; the class of the strongest rule; the sentences alone, in the order in which they are
printed. Rules that never fire are not printed; a sentence that several rules have is printed once.

*In full* has every number that a prediction needs; *agrees* is the share of test rows for which these rounded numbers give the
model's class.

{how}
"""
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
STARTING_POINT = "the starting point *Readable*"
SEARCHED = "the shortest rule base within one standard error of the best that cross-validation finds"


def dataset_of(name: str) -> Dataset:
    """A table of the folders in TSK_DATA_DIR, else of the gallery."""
    folders = (Path(folder) / "tables" for folder in os.environ.get("TSK_DATA_DIR", "").split(":") if folder)
    found = [path for folder in folders if (path := folder / f"{name}.csv").exists()]
    return read_csv(found[0]) if found else load_dataset(name)


def section(name: str, search: bool, seed: int = 0) -> str:
    """One rule base."""
    dataset = dataset_of(name)
    split, y = dataset.split(0.3, seed), np.asarray(dataset.y)
    train, test = ((dataset.X.iloc[rows], y[rows]) for rows in (split.train, split.test))
    full = TSKClassifier(random_state=seed).fit(*train)
    readable = full.make_readable(*train, search=search)
    encoder, summary = readable.encoder_, readable.rules(12, X=test[0], y=test[1])
    printed = printed_rules(readable.to_dict(), encoder.low_, encoder.high_)
    agrees = (readable.classes_[printed.predict_index(encoder.transform(test[0]))] == readable.predict(test[0])).mean()
    rca, bca = accuracy_of_labels(test[1], full.predict(test[0])).numbers
    lines = [
        f"\n## {name.capitalize()}\n",
        f"{len(train[1]):,} training rows, {len(test[1]):,} test rows, {len(readable.classes_)} classes,"
        f" {train[0].shape[1]} features; {_size(summary)}.\n",
        *_readings(summary, rca, bca),
        "",
        *_rule_list(summary),
        "",
        f"<details><summary>In full; agrees on {agrees:.1%}</summary>\n",
        f"```\n{_in_full(printed.text, {rule.index for rule in summary.rules if rule.dead})}\n```\n",
        "</details>",
    ]
    return "\n".join(lines)


def _size(summary: RuleBaseSummary) -> str:
    """Such as "12 rules, 6 of which never fire; 11 conditions in the other 6"."""
    alive = [rule for rule in summary.rules if not rule.dead]
    conditions = sum(len(rule.antecedents) for rule in alive)
    if dead := len(summary.rules) - len(alive):
        return (
            f"{len(summary.rules)} rules, {'one of which never fires' if dead == 1 else f'{dead} of which never fire'};"
            f" {conditions} conditions in the other {len(alive)}"
        )
    return f"{len(alive)} rules, {conditions} conditions"


def _in_full(text: str, dead: set[int]) -> str:
    """Without what the head of the page says, and without the rules that never fire."""
    first, *parts = text.split("\n\n")
    notes = [line.removeprefix(how()).strip() for line in first.splitlines()]
    rules = [part for part in parts if int(part.partition(":")[0].removeprefix("Rule ")) not in dead]
    return "\n\n".join(filter(None, ["\n".join(filter(None, notes)), *rules]))


def how() -> str:
    """How firing levels and scores come about, which is the same in each rule base."""
    return HOW.format(shares=SHARES)


def _readings(summary: RuleBaseSummary, rca: float, bca: float) -> list[str]:
    lines = [
        "| Test rows | Agrees with the model | RCA | BCA |",
        "|---|---|---|---|",
        f"| recommended settings | | {rca:.3f} | {bca:.3f} |",
    ]
    for reading in summary.readings:
        lines.append(f"| {reading.name} | {reading.fidelity:.1%} | {reading.accuracy:.3f} | {reading.bca:.3f} |")
    return lines


def _rule_list(summary: RuleBaseSummary) -> list[str]:
    """The rules in the order in which the first true one decides, each sentence once."""
    told = len(summary.rule_list.told)
    lines = str(summary.rule_list).splitlines()
    sentences: dict[str, list[str]] = {}
    for line in lines[:told]:
        sentence, _, counts = line.partition(". ")[2].partition(": true of ")
        sentences.setdefault(sentence, []).append(counts)
    printed = []
    for at, (sentence, counts) in enumerate(sentences.items(), 1):
        several = f" ({NUMBERS[len(counts)]} rules)" if counts[1:] else ""
        printed.append(f"{at}. {sentence}{several}: true of {counts[0]}")
    return [*printed, "", "\n\n".join(lines[told:])]


def main() -> None:
    """Print them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=TABLES)
    parser.add_argument("--search", action="store_true", help="look for settings table by table")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    options, which = (" --search", SEARCHED) if given.search else ("", STARTING_POINT)
    print(HEAD.format(options=options, which=which, how=textwrap.fill(how(), 130)))
    with torch_threads(1), denormals_as_zero():
        for name in given.tables.split(","):
            print(section(name, given.search), flush=True)


if __name__ == "__main__":
    main()
