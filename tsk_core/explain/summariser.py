"""Summariser: summarises the rules of one training at every length, fast enough to do so while it runs."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tsk_core.data.inputs import Rows
from tsk_core.data.some_rows import row_blocks
from tsk_core.explain.base import measure
from tsk_core.explain.counting import Counted, count_rows, with_counts
from tsk_core.explain.describing import describe
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.fidelity import mask_of, measure_lengths
from tsk_core.explain.labels import words_of
from tsk_core.explain.missing import with_test_notes
from tsk_core.explain.reader import read_rules
from tsk_core.explain.rule import Rule
from tsk_core.explain.rule_base_summary import MOST_ROWS as AVERAGED_ROWS
from tsk_core.explain.rule_base_summary import Groups
from tsk_core.explain.spaced_rows import evenly_spaced
from tsk_core.explain.summaries import LONGEST, Summaries

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Summariser"]

LabelledRows: TypeAlias = "tuple[pd.DataFrame, np.ndarray]"  # and the class names of the rows

MOST_ROWS = 20_000  # that fidelity and accuracy are measured on
LEAST_ROWS = 500  # the same for very large models
QUICK_ROWS = 1000  # training rows that averages are taken over when ``quick``
AVERAGING = 4 * 10**7  # rows × rules × columns that averages are taken over
COUNTING = 4 * 10**6  # training rows × rules × columns that sentences are counted on when ``quick``
BLOCK = 20_000  # rows that are encoded at once to be counted
MEASURING = 3 * 10**7  # rows × rules × (classes + 10) that fidelity and accuracy are measured on


class Summariser:
    """Summarises the rules of one training on its rows: the final rules, or those of any earlier epoch.

    encode: raw table → (N, D) rows as the rules take them. classes: (C,) those that ``predict`` returns. train, test: (X, y) as
    DataFrame and class names, N ≥ 1 training rows. Without test rows, the training rows measure fidelity and accuracy.
    n_rules: R. Large models take evenly spaced rows, or summarising would take longer than training; only the rows of which a
    sentence is true are counted among all. quick: takes fewer rows still, counts among these, and measures neither the rules'
    claims nor other inferences than "linear", for summarising one epoch after another.
    groups: of the training rows and of the test rows: integers from 0, equal in rows that belong together. missing: feature →
    which training rows lack its value, bool (N,), where X is encoded and has a number in its place.
    """

    def __init__(
        self,
        encode: Callable[[Rows], np.ndarray],
        classes: np.ndarray,
        train: LabelledRows,
        test: LabelledRows,
        n_rules: int,
        *,
        quick: bool = False,
        groups: Groups = (None, None),
        missing: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        size = n_rules * encode(train[0].iloc[:1]).shape[1]
        most = max(2000, AVERAGING // size)
        averaged = _spaced(train, most)
        self._encode, self._parts, self._groups = encode, (train, test), groups
        self._averaged_groups = None if groups[0] is None else groups[0][evenly_spaced(len(train[1]), most)]
        rows, self._evaluated_on = (test, "test rows") if len(test[1]) else (train, "training rows")
        fit = LEAST_ROWS if quick else max(LEAST_ROWS, min(MOST_ROWS, MEASURING // (n_rules * (len(classes) + 10))))
        measured = _spaced(rows, fit)
        if len(measured[1]) < len(rows[1]):
            self._evaluated_on = f"{len(measured[1]):,} of the {self._evaluated_on}"
        self._index = {name: at for at, name in enumerate(classes.tolist())}
        self._train, self._test = (self._encoded(*part) for part in (averaged, measured))
        spaced = evenly_spaced(len(self._train[1]), max(QUICK_ROWS, COUNTING // size))
        self._counted_train = self._train[0][spaced], self._train[1][spaced]
        self._sampled = quick and (len(spaced), len(measured[1])) != (len(train[1]), len(rows[1]))
        self._missing = _lacking(averaged[0]) if missing is None else _of_rows(missing, evenly_spaced(len(train[1]), most))
        self._missing_train, self._missing_test = missing or _lacking(train[0]), _lacking(test[0])
        self._words, self._quick = words_of(self._train[0]), quick

    def summarise(self, rules: ExportedRules) -> Summaries:
        """The summaries of exported rules with these columns and classes."""
        described = describe(
            rules, *self._train, most=LONGEST, words=self._words, missing=self._missing,
            most_rows=QUICK_ROWS if self._quick else AVERAGED_ROWS, claims=not self._quick,
            groups=self._averaged_groups,
        )  # fmt: skip
        train, test = self._counted(rules, described.rules)
        noted = with_test_notes(described.rules, read_rules(rules).columns, self._missing_test)
        made = with_counts(noted, train=train, test=test, sampled=self._sampled)
        measured = None if self._quick else measure(rules, made, described, *self._test, test or train)
        lengths = measure_lengths(rules, made, *self._test, printed=False) if measured is None else measured.lengths
        arrays = read_rules(rules)
        return Summaries(
            rules=made,
            redundancy=described.redundancy,
            evaluated_on=self._evaluated_on,
            complete=bool((mask_of(arrays, made) == arrays.present).all()),
            fidelity=lengths.fidelity["linear"],
            accuracy=lengths.accuracy["linear"] or (None,) * lengths.longest,
            full_accuracy=lengths.full_accuracy,
            measured=measured,
        )

    def _counted(self, source: ExportedRules, rules: tuple[Rule, ...]) -> tuple[Counted, Counted | None]:
        """The rows of which the sentences are true: of the training rows, and of the test rows, None where there are none."""
        train, test = self._parts
        if self._quick:
            found = count_rows(source, rules, [self._counted_train])
            return found, count_rows(source, rules, [self._test]) if len(test[1]) else None
        return count_rows(source, rules, self._blocks(*train), lacking=self._missing_train), (
            count_rows(source, rules, self._blocks(*test), self._groups[1], self._missing_test) if len(test[1]) else None
        )

    def _blocks(self, X: "pd.DataFrame", y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return (self._encoded(X.iloc[rows], y[rows]) for rows in row_blocks(len(y), 1, BLOCK))

    def _encoded(self, X: "pd.DataFrame", y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows as the rules take them, with their class positions; −1 for a class unknown to the model."""
        return self._encode(X), np.array([self._index.get(name, -1) for name in y.tolist()], dtype=int)


def _spaced(rows: LabelledRows, most: int) -> LabelledRows:
    X, y = rows
    chosen = evenly_spaced(len(y), most)
    return X.iloc[chosen], y[chosen]


def _lacking(X: "pd.DataFrame") -> dict[str, np.ndarray]:
    lacking = {str(name): X[name].isna().to_numpy(bool) for name in X.columns}
    return {name: lacks for name, lacks in lacking.items() if lacks.any()}


def _of_rows(missing: Mapping[str, np.ndarray], rows: np.ndarray | slice) -> dict[str, np.ndarray]:
    return {name: lacks[rows] for name, lacks in missing.items() if lacks[rows].any()}
