"""Summariser: summarises the rules of one training at every length, fast enough to do so while it runs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tsk_core.data.inputs import Rows
from tsk_core.explain.base import measure
from tsk_core.explain.describing import describe
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.labels import words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.reader import read_rules
from tsk_core.explain.readings import mask_of, measure_lengths
from tsk_core.explain.rule_base_summary import MOST_ROWS as AVERAGED_ROWS
from tsk_core.explain.summaries import LONGEST, Summaries

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Summariser"]

LabelledRows: TypeAlias = "tuple[pd.DataFrame, np.ndarray]"  # and the class names of the rows

MOST_ROWS = 20_000  # that fidelity and accuracy are measured on
LEAST_ROWS = 500  # the same for very large models
QUICK_ROWS = 1000  # training rows that averages are taken over when ``quick``
AVERAGING = 4 * 10**7  # rows × rules × columns that averages are taken over
MEASURING = 3 * 10**7  # rows × rules × (classes + 10) that fidelity and accuracy are measured on


class Summariser:
    """Summarises the rules of one training on its rows: the final rules, or those of any earlier epoch.

    encode: raw table → (N, D) rows as the rules take them. classes: (C,) those that ``predict`` returns. train, test: (X, y) as
    DataFrame and class names, N ≥ 1 training rows. Without test rows, the training rows measure fidelity and accuracy.
    n_rules: R. Large models take evenly spaced rows, or summarising would take longer than training. quick: takes fewer rows
    still, and measures neither the rules' claims nor other readings than "linear", for summarising one epoch after another.
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
    ) -> None:
        size = n_rules * encode(train[0].iloc[:1]).shape[1]
        averaged = _spaced(train, max(2000, AVERAGING // size))
        rows, self._evaluated_on = (test, "test rows") if len(test[1]) else (train, "training rows")
        fit = LEAST_ROWS if quick else max(LEAST_ROWS, min(MOST_ROWS, MEASURING // (n_rules * (len(classes) + 10))))
        measured = _spaced(rows, fit)
        if len(measured[1]) < len(rows[1]):
            self._evaluated_on = f"{len(measured[1]):,} of the {self._evaluated_on}"
        index = {name: at for at, name in enumerate(classes.tolist())}
        self._train, self._test = (
            (encode(X), np.array([index.get(name, -1) for name in y.tolist()], dtype=int)) for X, y in (averaged, measured)
        )
        lacking = {name: averaged[0][name].isna().to_numpy(bool) for name in averaged[0].columns}
        self._missing = {str(name): lacks for name, lacks in lacking.items() if lacks.any()}
        self._words, self._quick = words_of(self._train[0]), quick

    def summarise(self, rules: ExportedRules) -> Summaries:
        """The summaries of exported rules with these columns and classes."""
        found = describe(
            rules, *self._train, most=LONGEST, words=self._words, missing=self._missing,
            most_rows=QUICK_ROWS if self._quick else AVERAGED_ROWS, claims=not self._quick,
        )  # fmt: skip
        measured = None if self._quick else measure(rules, found, *self._test)
        lengths = measure_lengths(rules, found.rules, *self._test, printed=False) if measured is None else measured.lengths
        arrays = read_rules(rules)
        return Summaries(
            rules=found.rules,
            redundancy=found.redundancy,
            evaluated_on=self._evaluated_on,
            complete=bool((mask_of(arrays, found.rules) == arrays.present).all()),
            fidelity=lengths.fidelity["linear"],
            accuracy=lengths.accuracy["linear"] or (None,) * lengths.longest,
            full_accuracy=lengths.full_accuracy,
            measured=measured,
        )


def _spaced(rows: LabelledRows, most: int) -> LabelledRows:
    X, y = rows
    chosen = evenly_spaced(len(y), most)
    return X.iloc[chosen], y[chosen]
