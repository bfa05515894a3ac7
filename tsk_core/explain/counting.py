"""Of how many rows the printed sentences are true, by class and at every length: what a reader can recount."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.evaluate.intervals import overlaps
from tsk_core.explain.antecedents import LONGEST, Antecedent, Conditions, Unit, listed, log_levels, names_others, units_of
from tsk_core.explain.exported import ExportedColumn, ExportedRules, RuleArrays, read_rules
from tsk_core.explain.labels import writer
from tsk_core.explain.rule import Rule
from tsk_core.numbers import percent

# Whether a rule's conditions hold for a row: how far, by their memberships, and whether they do as printed.
#
# A text names the range and the categories where a membership is at least 0.5, a category's being scaled to 1 at the likeliest of
# its states. Ranges are rounded in print: ``literally`` takes the text at its word.


def memberships(
    arrays: RuleArrays, r: int, antecedents: Iterable[Antecedent], Z: np.ndarray, of_columns: list[Unit] | None = None
) -> np.ndarray:
    """The membership of each row in each of these antecedents of rule r (from 0), in [0, 1]: shape (N, antecedents).

    Z: (N, D) rows in original units. of_columns: ``units_of`` of the columns, where several rules share them.
    """
    units = of_columns or units_of(arrays.columns)
    levels = np.empty((len(Z), len(antecedents := tuple(antecedents))))
    for at, antecedent in enumerate(antecedents):
        unit = unit_of(antecedent, units)
        levels[:, at] = np.minimum(log_levels(arrays, r, unit, Z[:, list(unit.columns)]), 0.0)
    return np.exp(levels)


def literally(
    arrays: RuleArrays, r: int, antecedents: Iterable[Antecedent], Z: np.ndarray, of_columns: list[Unit] | None = None
) -> np.ndarray:
    """Whether each row satisfies each of these conditions of rule r (from 0), bool (N, antecedents); arguments as above.

    A number does from ``low`` to ``high``, both included, a category where it is one of those listed. A category that the model
    does not know is none of them, and satisfies a condition that names those left out ("not red"). Missing values are those that
    replace them.
    """
    units = of_columns or units_of(arrays.columns)
    holds = np.ones((len(Z), len(antecedents := tuple(antecedents))), bool)
    for at, antecedent in enumerate(antecedents):
        unit = unit_of(antecedent, units)
        values = Z[:, list(unit.columns)]
        if unit.states:
            holds[:, at] = _is_named(arrays, r, unit, values)
            continue
        if antecedent.low is not None:
            holds[:, at] &= values[:, 0] >= antecedent.low
        if antecedent.high is not None:
            holds[:, at] &= values[:, 0] <= antecedent.high
    return holds


def _is_named(arrays: RuleArrays, r: int, unit: Unit, values: np.ndarray) -> np.ndarray:
    """Whether each row has a state that the condition names, (N,) bool. values: (N, columns of the unit)."""
    named = listed(arrays, r, unit)
    by_others = not unit.ordered and names_others(unit.states, named)
    counted = ~named if by_others else named
    of_columns = len(unit.columns) > 1  # a column of 0 and 1 for each state
    has = (values[:, counted] == 1).any(1) if of_columns else np.isin(values[:, 0], unit.values[counted, 0])
    return ~has if by_others else has


def unit_of(antecedent: Antecedent, units: list[Unit]) -> Unit:
    """The unit that a condition is about. A feature may be two: its number, and whether it is missing. units: ``units_of``."""
    is_number = not (antecedent.low is None and antecedent.high is None)
    own = [unit for unit in units if unit.feature == antecedent.feature]
    return next((unit for unit in own if is_number != bool(unit.states)), own[0])


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


# What a missing value counts as: notes on conditions, without which nobody could recount the rows of a sentence.


NOTED = 0.2  # largest share of a rule's firing on rows without the feature's value that is not told
_OF_TEST = " of the test rows; "


def with_notes(conditions: Conditions, lacking: dict[str, tuple[float, np.ndarray]], columns: list[ExportedColumn]) -> Conditions:
    """The conditions with a note where training rows lack the feature's value.

    lacking: feature → the share of the rows that lack it, and the share of each rule's firing on such rows, (R,). columns: of the
    rules; they know what replaces the value.
    """
    counts_as = _counts_as(columns)

    def note(r: int, feature: str) -> str:
        if feature not in lacking:
            return ""
        share, of_firing = lacking[feature]
        firing = f" ({percent(of_firing[r])} of the rule's firing)" if of_firing[r] > NOTED else ""
        return f"{feature} is missing in {percent(share)} of the training rows{firing}; {counts_as[feature]}."

    return [tuple(replace(a, note=note(r, a.feature)) for a in of_rule) for r, of_rule in enumerate(conditions)]


def with_test_notes(
    rules: tuple[Rule, ...], columns: list[ExportedColumn], lacking: Mapping[str, np.ndarray]
) -> tuple[Rule, ...]:
    """The rules with a note also on conditions whose feature test rows alone lack; notes on other test rows go.

    lacking: feature → bool, which of the test rows lack it. columns: as for ``with_notes``.
    """
    counts_as = _counts_as(columns)

    def note(feature: str, known: str) -> str:
        if known and _OF_TEST not in known:
            return known
        share = float(lacking[feature].mean()) if feature in lacking else 0.0
        return f"{feature} is missing in {percent(share)}{_OF_TEST}{counts_as[feature]}." if share else ""

    return tuple(
        replace(rule, antecedents=tuple(replace(a, note=note(a.feature, a.note)) for a in rule.antecedents)) for rule in rules
    )


def _counts_as(columns: list[ExportedColumn]) -> dict[str, str]:
    """Of each feature, such as "a missing one counts as 5"."""
    dates = {column["feature"]: writer(column["date"], None) for column in columns if column.get("date")}
    texts = {}
    for column in columns:
        feature, fill = column["feature"], column["impute"]
        value = fill
        if isinstance(fill, float):
            levels = column.get("levels")
            value = dates[feature](fill) if feature in dates else levels[int(fill)] if levels else f"{fill:.10g}"
        texts[feature] = f"a missing one counts as {value}"
    return texts
