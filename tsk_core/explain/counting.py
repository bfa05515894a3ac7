"""Of how many rows the printed sentences are true, by class and at every length: what a reader can recount."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.evaluate.shares import overlaps
from tsk_core.explain.antecedents import LONGEST, units_of
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import read_rules
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import literally

__all__ = ["Blocks", "Counted", "count_rows", "with_counts"]

Blocks = Iterable[tuple[np.ndarray, np.ndarray | None]]  # rows (N, D) in original units, with class positions (N,) or None


@dataclass(frozen=True)
class Counted:
    """What was counted.

    counts: of each rule, in the order given, with its first condition, its first two, and so on (one entry for a rule without):
    the rows of which the sentence is true, by class. C + 1 numbers, the last of rows whose class is unknown, or none of the
    model's. uncovered: rows of which no sentence of a rule that fires is true, with at most 1, 2, … up to 12 conditions each, and
    with all. n_rows: rows counted. labelled: whether their classes are known.
    worth: how many independent rows the rows of ``counts`` are worth, those of a group being alike; None for rows alone.
    imputed: of how many of these a printed condition holds by a value that replaces a missing one; None where none is missing.
    """

    counts: tuple[tuple[tuple[int, ...], ...], ...]
    uncovered: tuple[int, ...]
    n_rows: int
    labelled: bool
    worth: tuple[tuple[float, ...], ...] | None = None
    imputed: tuple[tuple[int, ...], ...] | None = None


def count_rows(
    source: ExportedRules,
    rules: tuple[Rule, ...],
    rows: Blocks,
    groups: np.ndarray | None = None,
    lacking: Mapping[str, np.ndarray] | None = None,
) -> Counted:
    """Count the rows of all blocks. rules: of ``source``, with all their conditions. groups: integers from 0, equal in rows that
    belong together, of the rows of all blocks. lacking: feature -> bool, which of these rows lack its value.
    """
    arrays = read_rules(source)
    units, C = units_of(arrays.columns), len(arrays.classes)
    lengths = max(1, min(max((len(rule.antecedents) for rule in rules), default=0), LONGEST + 1))
    counts = [np.zeros((max(1, len(rule.antecedents)), C + 1)) for rule in rules]
    uncovered, n_rows, labelled = np.zeros(lengths, int), 0, True
    n_groups = 0 if groups is None else int(groups.max(initial=-1)) + 1
    by_group = [np.zeros((n_groups, len(count)), np.int32) for count in counts]
    lacking, imputed = (
        {name: lacks for name, lacks in (lacking or {}).items() if lacks.any()},
        [0 * count[:, 0] for count in counts],
    )
    for Z, y_index in rows:
        labelled, n_rows = labelled and y_index is not None, n_rows + len(Z)
        position = np.full(len(Z), C) if y_index is None else np.where(y_index < 0, C, y_index)
        of_class = (position[:, None] == np.arange(C + 1)).astype(float)  # (N, C + 1)
        covered = np.zeros((lengths, len(Z)), bool)
        block = slice(n_rows - len(Z), n_rows)
        here = None if groups is None else groups[block]
        for rule, count, grouped, by_imputed in zip(rules, counts, by_group, imputed, strict=True):
            holds = np.logical_and.accumulate(literally(arrays, rule.index - 1, rule.antecedents, Z, units), axis=1)
            holds = holds if holds.shape[1] else np.ones((len(Z), 1), bool)
            count += holds.T.astype(float) @ of_class
            if lacking and rule.antecedents:
                none = np.zeros(len(Z), bool)
                lacks = [lacking[a.feature][block] if a.feature in lacking else none for a in rule.antecedents]
                by_imputed += (holds & np.logical_or.accumulate(np.stack(lacks, 1), axis=1)).sum(0)
            if here is not None:
                np.add.at(grouped, here, holds)
            if not rule.dead:
                for at in range(lengths):
                    covered[at] |= holds[:, -1 if at == LONGEST else min(at, holds.shape[1] - 1)]
        uncovered += (~covered).sum(1)
    found = tuple(tuple(tuple(map(int, row)) for row in count.tolist()) for count in counts)
    worth = None if groups is None else tuple(tuple(overlaps(grouped.astype(float)).worth.tolist()) for grouped in by_group)
    by_values = tuple(tuple(map(int, one)) for one in imputed) if lacking else None
    return Counted(found, tuple(uncovered.tolist()), n_rows, labelled, worth, by_values)


def with_counts(
    rules: tuple[Rule, ...], *, train: Counted | None = None, test: Counted | None = None, sampled: bool = False
) -> tuple[Rule, ...]:
    """The rules with these counts of training rows and of test rows; where there are none, as they were.

    sampled: whether the rows are some of more.
    """
    if train is not None:
        rules = tuple(
            replace(rule, train_counts=counts, n_train=train.n_rows, sampled=sampled, train_imputed=imputed)
            for rule, counts, imputed in zip(rules, train.counts, train.imputed or [None] * len(rules), strict=True)
        )
    if test is not None:
        known, none = test.labelled, [None] * len(rules)
        each = zip(rules, test.counts, test.worth or none, test.imputed or none, strict=True)
        rules = tuple(
            replace(
                rule,
                test_counts=counts if known else None,
                n_test=test.n_rows if known else 0,
                sampled=sampled,
                test_worth=worth,
                test_imputed=imputed,
            )
            for rule, counts, worth, imputed in each
        )
    return rules
