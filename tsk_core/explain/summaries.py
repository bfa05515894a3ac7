"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with what was measured at each length; ``RuleBaseSummary`` is a view at one length.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.encoding import Rows
from tsk_core.data.splitting import row_blocks
from tsk_core.errors import DataError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MeasuredRuleBase, measure_rows, measure_training
from tsk_core.explain.counting import Blocks, Counted, count_rows, with_counts, with_test_notes
from tsk_core.explain.describing import describe
from tsk_core.explain.exported import ExportedRules, RuleArrays, check_rows, read_rules
from tsk_core.explain.fidelity import INFERENCES, Inference, heading_text, measure_lengths, measured_text
from tsk_core.explain.labels import FuzzyPartition, words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.readable import readable_text
from tsk_core.explain.records import Matrix, read, written
from tsk_core.explain.rule import Rule

if TYPE_CHECKING:
    import pandas as pd

Positions: TypeAlias = np.ndarray | None  # of classes, (N,); −1 for a class unknown to the model, None where all are unknown
Groups: TypeAlias = tuple[np.ndarray | None, np.ndarray | None]  # of training rows and of test rows
Lacking: TypeAlias = Mapping[str, np.ndarray]  # feature → bool (N,), which rows lack its value

LabelledRows: TypeAlias = "tuple[pd.DataFrame, np.ndarray]"  # and the class names of the rows


@dataclass(frozen=True, eq=False)
class Summaries:
    """Rules with up to 12 antecedents each, and what was measured at each length; ``summarise`` and ``Summariser`` make them.

    rules: by ``Rule.dominance``, largest first, which is the same order at every length; dead rules last. redundancy: (R, R), in
    the order of the model. evaluated_on: the rows of fidelity and accuracy, such as "test rows", "training rows" or "500 of the
    test rows". fidelity, accuracy: with at most 1, 2, … antecedents, up to the most that any rule has; the accuracies and
    full_accuracy are None where the rows' classes are unknown. measured: what else was measured at each length; None for rules of
    an epoch.
    """

    DERIVED: ClassVar = ("whole",)

    rules: tuple[Rule, ...]
    redundancy: Matrix = field(repr=False)
    evaluated_on: str
    fidelity: tuple[float, ...]
    accuracy: tuple[float | None, ...]
    full_accuracy: float | None
    measured: MeasuredRuleBase | None = field(repr=False)

    @property
    def whole(self) -> bool:
        """Whether the longest rules leave out no antecedent that excludes a training row."""
        return all(rule.complete for rule in self.rules)

    @property
    def zero_order(self) -> bool:
        """Whether they are a readable rule base, which has one length, of all conditions."""
        return any(rule.zero_order for rule in self.rules)

    def position(self, most: int | None) -> int:
        """Where what was measured of the rules with at most so many antecedents stands; None: with all."""
        return (len(self.fidelity) if most is None else min(most, len(self.fidelity))) - 1

    def readings(self, most: int | None) -> tuple[Inference, ...]:
        """How often ways to infer a class from the text agree with the full model, and are right; () for rules of an epoch."""
        if (measured := self.measured) is None:
            return ()
        if measured.readable is not None:
            return measured.readable.inferences(self.evaluated_on)
        at, known = self.position(most), [name for name in INFERENCES if name in measured.fidelity]
        right = {name: shares[at] for name, shares in measured.accuracy.items()}
        return tuple(Inference(name, measured.fidelity[name][at], right.get(name), self.evaluated_on) for name in known)

    def uncovered(self, most: int | None) -> tuple[int, int] | None:
        """Of how many rows no sentence is true, and of how many; None for rules of an epoch."""
        measured = self.measured
        return None if measured is None else (measured.uncovered[self.position(most)], measured.n_rows)

    def texts(self, most: int | None, *, with_readings: bool = True) -> tuple[tuple[Rule, ...], str]:
        """The rules with at most so many antecedents each, and what was measured of them in a few sentences.

        with_readings: without, ``readings`` and ``uncovered`` are shown beside the text, which then leaves them out.
        """
        rules, at = tuple(rule.shortened(most) for rule in self.rules), self.position(most)
        told, uncovered = (self.full_accuracy, self.evaluated_on), self.uncovered(most)
        if self.zero_order:
            readable = None if self.measured is None else self.measured.readable
            return rules, readable_text(rules, *told, readable, uncovered, with_readings=with_readings)
        if not with_readings:
            return rules, heading_text(len(rules), most, *told)
        complete, shares = all(rule.complete for rule in rules), (self.fidelity[at], self.accuracy[at])
        return rules, measured_text(len(rules), most, complete, *shares, *told, self.readings(most), uncovered)

    def measured_on(
        self,
        source: ExportedRules,
        Z: ArrayLike,
        y_index: ArrayLike | None = None,
        missing: Lacking | None = None,
        groups: np.ndarray | None = None,
    ) -> "Summaries":
        """The same rules, measured on test rows Z (N, D) with class positions y_index (N,); None where they are unknown.

        source: the exported rules that were summarised. missing: of these rows. groups: (N,) integers from 0, equal in rows that
        belong together. Without y_index, ``to_dict`` is not for a file.
        """
        arrays = read_rules(source)
        rows = pair(arrays, Z, y_index, "test")
        counted = count_rows(source, self.rules, [rows], groups, missing)
        rules = with_counts(with_test_notes(self.rules, arrays.columns, missing or {}), test=counted)
        return _measured(replace(self, rules=rules, evaluated_on="test rows"), source, *rows, counted)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        values: dict[str, Any] = written(self, Summaries)
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Summaries":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        values = {**values, "rules": [_of_today(rule) for rule in values["rules"]]}
        values.pop("version", None)  # which a run's file has besides
        kept: Summaries = read(values, cls)
        if not kept.fidelity or len(kept.fidelity) != len(kept.accuracy) or not kept.evaluated_on:
            raise ValueError("not one fidelity and one accuracy for each length, or not said on which rows")
        if None in (*kept.accuracy, kept.full_accuracy):
            raise ValueError("not every accuracy is known")
        if kept.measured is not None:
            kept.measured.check(len(kept.fidelity))
        return kept

    def fit(self, n_rules: int, features: list[str], classes: list[str]) -> bool:
        """Whether these are rules of a model with R rules and these features and classes."""
        longest = max([1, *(len(rule.antecedents) for rule in self.rules if not rule.zero_order)])
        return (
            sorted(rule.index for rule in self.rules) == list(range(1, n_rules + 1))
            and self.redundancy.shape == (n_rules, n_rules)
            and len(self.fidelity) == longest <= LONGEST
            and all(_fits(rule, features, classes) for rule in self.rules)
            and (self.measured is None or self.measured.fit(n_rules, len(classes)))
        )


def _of_today(rule: Any) -> Any:
    """A rule as written before imputed values were counted, with none of them."""
    return {"train_imputed": None, "test_imputed": None, **rule} if isinstance(rule, dict) else rule


def _fits(rule: Rule, features: list[str], classes: list[str]) -> bool:
    """Whether a rule speaks of these features and classes, in shares, and its counts are of rows in these classes."""
    named, shares = {rule.model_class}, []
    if (claim := rule.claim) is not None:
        named |= {claim.centre_class, *(name for name, _ in claim.confused_with)}
        shares = [claim.confidence, claim.prior, claim.support, *claim.interval]
    kinds = (rule.train_counts, rule.n_train, rule.train_imputed), (rule.test_counts, rule.n_test, rule.test_imputed)
    return (
        {antecedent.feature for antecedent in rule.antecedents} <= set(features)
        and named <= set(classes)
        and list(rule.scores) == classes
        and (rule.confidence is None or list(rule.confidence) == classes)
        and all(0 <= share <= 1 for share in shares)
        and all(_can_be(*kind, max(1, len(rule.antecedents)), len(classes)) for kind in kinds)
    )


def _can_be(
    by_length: tuple[tuple[int, ...], ...] | None, of: int, imputed: tuple[int, ...] | None, n_lengths: int, n_classes: int
) -> bool:
    """Whether rows can have these counts: not negative, no more rows than there are, and never more with a further condition."""
    if by_length is None:
        return True
    if len(by_length) != n_lengths or {len(counts) for counts in by_length} != {n_classes + 1}:
        return False
    fewer = (0 <= b <= a for counts in pairwise(by_length) for a, b in zip(*counts, strict=True))
    if min(by_length[0]) < 0 or sum(by_length[0]) > of or not all(fewer):
        return False
    return imputed is None or (
        len(imputed) == n_lengths and all(0 <= k <= sum(counts) for k, counts in zip(imputed, by_length, strict=True))
    )


AVERAGED_ROWS = 20_000  # training rows that support, flatness and the other averages are taken over, evenly spaced


def summarise(
    source: ExportedRules,
    train: tuple[np.ndarray, Positions],
    rows: tuple[np.ndarray, Positions],
    counted: tuple[Blocks, Blocks | None],
    evaluated_on: str,
    *,
    most: int | None = LONGEST,
    words: Callable[[int], FuzzyPartition] | None = None,
    missing: Lacking | None = None,
    lacking: tuple[Lacking, Lacking] = ({}, {}),
    groups: Groups = (None, None),
    most_rows: int = AVERAGED_ROWS,
    quick: bool = False,
    sampled: bool = False,
) -> Summaries:
    """Describe exported rules on training rows, and measure them at every length on other rows.

    train: rows (N, D), N ≥ 1, and their classes; averages are taken over at most ``most_rows`` of them. rows: those that fidelity
    and accuracy are measured on, named by evaluated_on. counted: the training and the test rows that sentences are counted on,
    None where there are no test rows; sampled: whether they are some of more. most, words, missing, groups: as in ``describe``;
    groups of ``train`` and of the counted test rows. lacking: of the counted rows. quick: measures neither claims nor other
    inferences than "linear", and counts rows alone.
    """
    described = describe(
        source, *train, most=most, words=words, missing=missing, most_rows=most_rows, claims=not quick, groups=groups[0]
    )
    rules = with_test_notes(described.rules, read_rules(source).columns, lacking[1])
    of_test, lacking = (None, ({}, {})) if quick else (groups[1], lacking)
    counts = count_rows(source, rules, counted[0], lacking=lacking[0])
    tests = None if counted[1] is None else count_rows(source, rules, counted[1], of_test, lacking[1])
    rules = with_counts(rules, train=counts, test=tests, sampled=sampled)
    training = None if quick else measure_training(source, rules, described)
    made = Summaries(rules, described.redundancy, evaluated_on, (), (), None, training)
    return _measured(made, source, *rows, tests or counts)


def _measured(made: Summaries, source: ExportedRules, Z: np.ndarray, true: Positions, counted: Counted) -> Summaries:
    """The same with what these rows decide. counted: of them, or of more of them."""
    if made.measured is None:
        measured, lengths = None, measure_lengths(source, made.rules, Z, true, printed=False)
    else:
        measured, lengths = measure_rows(made.measured, source, made.rules, Z, true, counted)
    fidelity = lengths.fidelity["linear"]
    accuracy = lengths.accuracy.get("linear", (None,) * len(fidelity))
    return replace(made, fidelity=fidelity, accuracy=accuracy, full_accuracy=lengths.full_accuracy, measured=measured)


def pair(arrays: RuleArrays, Z: ArrayLike, y_index: ArrayLike | None, which: str) -> tuple[np.ndarray, Positions]:
    """Rows and their class positions, checked against the rules and each other; DataError names ``which`` rows do not fit."""
    Z = check_rows(Z, arrays)
    if not len(Z):
        raise DataError(f"Expected at least 1 {which} row to measure the rules on, got none.")
    if y_index is None:
        return Z, None
    y_index = np.asarray(y_index)
    if y_index.shape != (len(Z),):
        raise DataError(f"Expected one class for each of the {len(Z)} {which} rows, got shape {y_index.shape}.")
    return Z, y_index


# Summariser: summarises the rules of one training at every length, fast enough to do so while it runs.


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
        missing: Lacking | None = None,
    ) -> None:
        size = n_rules * encode(train[0].iloc[:1]).shape[1]
        most = max(2000, AVERAGING // size)
        averaged = _spaced(train, most)
        self._encode, self._parts, self._quick = encode, (train, test), quick
        self._groups = None if groups[0] is None else groups[0][evenly_spaced(len(train[1]), most)], groups[1]
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
        self._lacking = missing or _lacking(train[0]), _lacking(test[0])
        self._words = words_of(self._train[0])

    def summarise(self, rules: ExportedRules) -> Summaries:
        """The summaries of exported rules with these columns and classes."""
        counted: tuple[Blocks, Blocks | None] = [self._counted_train], [self._test]
        if not self._quick:
            counted = self._blocks(*self._parts[0]), self._blocks(*self._parts[1])
        return summarise(
            rules, self._train, self._test, counted if len(self._parts[1][1]) else (counted[0], None), self._evaluated_on,
            words=self._words, missing=self._missing, lacking=self._lacking, groups=self._groups,
            most_rows=QUICK_ROWS if self._quick else AVERAGED_ROWS, quick=self._quick, sampled=self._sampled,
        )  # fmt: skip

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


def _of_rows(missing: Lacking, rows: np.ndarray | slice) -> dict[str, np.ndarray]:
    return {name: lacks[rows] for name, lacks in missing.items() if lacks[rows].any()}
