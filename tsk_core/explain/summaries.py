"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with both numbers for each length.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.encoding import Rows
from tsk_core.data.splitting import row_blocks
from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MEASURED, MeasuredRuleBase, measure, measure_rows
from tsk_core.explain.counting import Counted, count_rows, with_counts, with_test_notes
from tsk_core.explain.describing import describe, shortened
from tsk_core.explain.exported import ExportedRules, is_zero_order, read_rules
from tsk_core.explain.fidelity import mask_of, measure_lengths, measured_text
from tsk_core.explain.labels import words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.readable import readable_text
from tsk_core.explain.rule import RULE, Rule
from tsk_core.explain.rule_base_summary import MOST_ROWS as AVERAGED_ROWS
from tsk_core.explain.rule_base_summary import Groups, RuleBaseSummary, pair
from tsk_core.explain.shapes import OrNull, check

if TYPE_CHECKING:
    import pandas as pd

SHAPE = {
    "rules": [RULE],
    "redundancy": [[float]],
    "evaluated_on": str,
    "whole": bool,
    "fidelity": [float],
    "accuracy": [float],
    "full_accuracy": float,
    "measured": OrNull(MEASURED),
}


@dataclass(frozen=True, eq=False)
class Summaries:
    """Rules with up to 12 antecedents each, and what was measured at each length; ``Summariser`` makes them.

    rules: as in ``RuleBaseSummary``. redundancy: (R, R). fidelity, accuracy: with at most 1, 2, … antecedents, up to the most
    that any rule has. full_accuracy, evaluated_on: as in ``RuleBaseSummary``. complete: whether the longest rules leave no
    antecedent out. measured: the other metrics at each length; None for rules of an epoch.
    """

    rules: tuple[Rule, ...]
    redundancy: np.ndarray = field(repr=False)
    fidelity: tuple[float, ...]
    accuracy: tuple[float | None, ...]
    full_accuracy: float | None
    evaluated_on: str
    complete: bool
    measured: MeasuredRuleBase | None = field(repr=False, default=None)

    def summary(
        self,
        max_antecedents: int | None,
        source: ExportedRules,
        *,
        classes: np.ndarray | None = None,
        encode: Callable[[Rows], np.ndarray] | None = None,
    ) -> RuleBaseSummary:
        """The summary with at most 1 to 12 antecedents per rule; SettingError for other lengths.

        source: the exported rules that were summarised. classes, encode: as in ``RuleBaseSummary.build``.
        """
        if max_antecedents is None or not hasattr(max_antecedents, "__index__") or not 1 <= max_antecedents <= LONGEST:
            raise SettingError(f"max_antecedents is {max_antecedents!r}; these rules were kept with 1 to {LONGEST} conditions.")
        rules, at = shortened(self.rules, max_antecedents), self._position(max_antecedents)
        arrays = read_rules(source)
        return RuleBaseSummary(
            rules=rules,
            classes=np.asarray(source["classes"]) if classes is None else classes,
            source=source,
            mask=mask_of(arrays, rules),
            fidelity=self.fidelity[at],
            accuracy=self.accuracy[at],
            full_accuracy=self.full_accuracy,
            evaluated_on=self.evaluated_on,
            redundancy=self.redundancy,
            max_antecedents=None if is_zero_order(arrays) else max_antecedents,
            encode=encode,
            measured=self.measured,
        )

    def measured_on(
        self,
        source: ExportedRules,
        Z: ArrayLike,
        y_index: ArrayLike | None = None,
        missing: Mapping[str, np.ndarray] | None = None,
        groups: np.ndarray | None = None,
    ) -> "Summaries":
        """The same rules, measured on test rows Z (N, D) with class positions y_index (N,); None where they are unknown.

        missing: feature -> bool (N,), which of these rows lack its value. groups: (N,) integers from 0, equal in rows that belong
        together.
        Without y_index, the accuracies of ``summary`` are None; ``to_dict`` is then not for a file.
        """
        arrays = read_rules(source)
        Z, true = pair(arrays, Z, y_index, "test")
        counted = count_rows(source, self.rules, [(Z, true)], groups, missing)
        rules = with_counts(with_test_notes(self.rules, arrays.columns, missing or {}), test=counted)
        measured = None if self.measured is None else measure_rows(self.measured, source, rules, Z, true, counted)
        lengths = measure_lengths(source, rules, Z, true, printed=False) if measured is None else measured.lengths
        none = (None,) * lengths.longest
        return replace(
            self,
            rules=rules,
            fidelity=lengths.fidelity["linear"],
            accuracy=lengths.accuracy["linear"] or none,
            full_accuracy=lengths.full_accuracy,
            evaluated_on="test rows",
            measured=measured,
        )

    def texts(self, max_antecedents: int) -> tuple[tuple[Rule, ...], str]:
        """``rules`` and ``measured_text`` of the summary with at most 1 to 12 antecedents, without the exported rules."""
        at = self._position(max_antecedents)
        complete = self.complete and all(len(rule.antecedents) <= max_antecedents for rule in self.rules)
        told = self.fidelity[at], self.accuracy[at], self.full_accuracy, self.evaluated_on
        rules = shortened(self.rules, max_antecedents)
        measured = self.measured
        uncovered = None if measured is None else (measured.uncovered[at], measured.n_rows)
        if any(rule.zero_order for rule in rules):
            readable = None if measured is None else measured.readable
            return rules, readable_text(rules, self.full_accuracy, self.evaluated_on, readable, uncovered)
        inferences = () if measured is None else measured.lengths.inferences(max_antecedents, self.evaluated_on)
        return rules, measured_text(len(rules), max_antecedents, complete, *told, inferences, uncovered)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            "redundancy": self.redundancy.tolist(),
            "evaluated_on": self.evaluated_on,
            "whole": self.complete,
            "fidelity": list(self.fidelity),
            "accuracy": list(self.accuracy),
            "full_accuracy": self.full_accuracy,
            "measured": None if self.measured is None else self.measured.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Summaries":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        values = {**values}
        values.pop("version", None)  # which a run's file has besides
        values["rules"] = [_of_today(rule) for rule in values["rules"]]
        check(values, SHAPE)
        fidelity, accuracy = tuple(values["fidelity"]), tuple(values["accuracy"])
        if not fidelity or len(fidelity) != len(accuracy) or not values["evaluated_on"]:
            raise ValueError("not one fidelity and one accuracy for each length, or not said on which rows")
        kept = values["measured"]
        measured = None if kept is None else MeasuredRuleBase.from_dict(kept, values["full_accuracy"])
        if measured is not None and measured.lengths.longest != len(fidelity):
            raise ValueError("not one value for each length")
        return cls(
            rules=tuple(Rule.from_dict(rule) for rule in values["rules"]),
            redundancy=np.asarray(values["redundancy"], float),
            fidelity=fidelity,
            accuracy=accuracy,
            full_accuracy=values["full_accuracy"],
            evaluated_on=values["evaluated_on"],
            complete=values["whole"],
            measured=measured,
        )

    def fit(self, n_rules: int, features: list[str], classes: list[str]) -> bool:
        """Whether these are rules of a model with R rules and these features and classes."""
        rules = self.rules
        return (
            sorted(rule.index for rule in rules) == list(range(1, n_rules + 1))
            and self.redundancy.shape == (n_rules, n_rules)
            and len(self.fidelity) == self._longest <= LONGEST
            and {antecedent.feature for rule in rules for antecedent in rule.antecedents} <= set(features)
            and all(rule.model_class in classes and list(rule.scores) == classes for rule in rules)
            and all(rule.confidence is None or list(rule.confidence) == classes for rule in rules)
            and all(_claims_fit(rule, classes) and _counts_fit(rule, len(classes)) for rule in rules)
            and (self.measured is None or self.measured.fit(n_rules, len(classes)))
        )

    @property
    def _longest(self) -> int:
        """How many lengths the rules have; a readable rule base has one."""
        return max(1, *(1 if rule.zero_order else len(rule.antecedents) for rule in self.rules))

    def _position(self, max_antecedents: int) -> int:
        return min(max_antecedents, len(self.fidelity)) - 1


def _of_today(rule: Any) -> Any:
    """A rule as written before imputed values were counted, with none of them."""
    return {"train_imputed": None, "test_imputed": None, **rule} if isinstance(rule, dict) else rule


def _claims_fit(rule: Rule, classes: list[str]) -> bool:
    """Whether a rule's claim speaks of these classes, in shares."""
    if rule.claim is None:
        return True
    named = {rule.claim.centre_class, *(name for name, _ in rule.claim.confused_with)}
    shares = (rule.claim.confidence, rule.claim.prior, rule.claim.support, *rule.claim.interval)
    return named <= set(classes) and all(0 <= share <= 1 for share in shares)


def _counts_fit(rule: Rule, n_classes: int) -> bool:
    """Whether a rule's counts are those of rows in C classes: not negative, and never more with a further condition."""
    kinds = (rule.train_counts, rule.n_train, rule.train_imputed), (rule.test_counts, rule.n_test, rule.test_imputed)
    for by_length, of, imputed in kinds:
        if by_length is None:
            continue
        if imputed is not None and not _are_parts(imputed, by_length):
            return False
        if len(by_length) != max(1, len(rule.antecedents)) or {len(counts) for counts in by_length} != {n_classes + 1}:
            return False
        fewer = (all(0 <= b <= a for a, b in zip(*pair, strict=True)) for pair in pairwise(by_length))
        if min(by_length[0]) < 0 or sum(by_length[0]) > of or not all(fewer):
            return False
    return True


def _are_parts(imputed: tuple[int, ...], by_length: tuple[tuple[int, ...], ...]) -> bool:
    return len(imputed) == len(by_length) and all(0 <= k <= sum(row) for k, row in zip(imputed, by_length, strict=True))


# Summariser: summarises the rules of one training at every length, fast enough to do so while it runs.


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
