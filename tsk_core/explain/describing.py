"""The rules of a model in words: their conditions, conclusions, metrics and claims, from exported rules and training rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tsk_core.epoch import hardly_fires, never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import (
    LONGEST,
    Conditions,
    antecedents,
    flatness,
    keep,
    restricting,
    units_of,
)
from tsk_core.explain.claims import Claim, claims_of, conclusions_of
from tsk_core.explain.consequents import Consequent, column_text, consequents
from tsk_core.explain.counting import literally, with_notes
from tsk_core.explain.exported import ExportedRules, RuleArrays, firing_levels, is_zero_order, read_rules, scores
from tsk_core.explain.labels import FuzzyPartition, words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.rule import Rule


@dataclass(frozen=True, eq=False)
class Described:
    """Rules with up to ``longest`` conditions each, ordered by dominance, dead ones last; without counts (``counting.py``).

    firing: (n, R) of the training rows that averages are taken over; Z: these rows (n, D); y_index: their classes, or None.
    redundancy: (R, R).
    """

    rules: tuple[Rule, ...]
    Z: np.ndarray
    y_index: np.ndarray | None
    firing: np.ndarray
    redundancy: np.ndarray


def describe(
    source: ExportedRules,
    Z: np.ndarray,
    y_index: np.ndarray | None,
    *,
    most: int | None = LONGEST,
    words: Callable[[int], FuzzyPartition] | None = None,
    missing: Mapping[str, np.ndarray] | None = None,
    most_rows: int,
    claims: bool = True,
    groups: np.ndarray | None = None,
) -> Described:
    """Describe exported rules on their training rows; arguments as in ``RuleBaseSummary.build``.

    most: conditions per rule; None keeps every one, as do readable rule bases. claims: whether to measure them, which takes most
    of the time; without, ``most`` holds for readable rule bases too, which may have every condition while they train.
    groups: (N,) integers, equal in training rows that belong together, which intervals draw together.
    """
    arrays = read_rules(source)
    if is_zero_order(arrays) and claims:
        most = None
    rows = evenly_spaced(len(Z), most_rows)
    firing, y_rows = firing_levels(source, Z[rows]), None if y_index is None else y_index[rows]
    dead = never_fires(measures.support(firing), len(firing))
    words = words or words_of(Z)
    conditions, complete = _conditions(arrays, Z, rows, words, most, dead)
    if missing:
        lacking = {
            name: (float(lacks.mean()), measures.share_of(firing, lacks[rows])) for name, lacks in missing.items() if lacks.any()
        }
        conditions = with_notes(conditions, lacking, arrays.columns)
    then = consequents(arrays, Z, firing, rows)
    made = _Rules(source, arrays, Z[rows], y_rows, firing, conditions, complete, then)
    together = None if groups is None else groups[rows]
    return Described(made.made(claims, together), Z[rows], y_rows, firing, measures.redundancy(firing))


def shortened(rules: tuple[Rule, ...], most: int | None) -> tuple[Rule, ...]:
    """The same rules with at most ``most`` conditions each; None for all."""
    return tuple(rule.shortened(most) for rule in rules)


def uncovered_rows(source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray) -> np.ndarray:
    """The positions of the rows Z (N, D) of which no sentence of a rule that fires is true, rising."""
    arrays, covered = read_rules(source), np.zeros(len(Z), bool)
    units = units_of(arrays.columns)
    for rule in rules:
        if not rule.dead:
            covered |= literally(arrays, rule.index - 1, rule.antecedents, Z, units).all(1)
    return np.flatnonzero(~covered)


class _Rules:
    """The parts of which the rules are made, all in the order of the model."""

    def __init__(
        self,
        source: ExportedRules,
        arrays: RuleArrays,
        Z: np.ndarray,
        y_index: np.ndarray | None,
        firing: np.ndarray,
        conditions: Conditions,
        complete: np.ndarray,
        then: list[Consequent],
    ) -> None:
        self.source, self.arrays, self.Z, self.y_index, self.firing = source, arrays, Z, y_index, firing
        self.conditions, self.complete, self.then = conditions, complete, then
        self.sure = None if y_index is None else measures.confidence(firing, y_index, len(arrays.classes))
        at_centre = np.array([int(consequent.scores.argmax()) for consequent in then])
        predicted = scores(source, Z).argmax(1) if y_index is None else np.empty(0, int)
        self.model_classes = at_centre
        if not is_zero_order(arrays):
            self.model_classes = conclusions_of(self.sure, firing, predicted, at_centre)

    def made(self, with_claims: bool, groups: np.ndarray | None) -> tuple[Rule, ...]:
        """The rules by dominance, dead ones last. with_claims: whether to measure claims. groups: of the rows."""
        support = measures.support(self.firing)
        claims: list[Claim | None] = [None] * len(support)
        if with_claims and self.y_index is not None and self.sure is not None:
            typical = np.array([consequent.typical for consequent in self.then])
            claims = claims_of(self.source, self.firing, self.y_index, self.model_classes, self.sure, typical, groups)
        rules = self._rules(support, never_fires(support, len(self.firing)), claims)
        return tuple(sorted(rules, key=lambda rule: (rule.dead, -rule.dominance)))

    def _rules(self, support: np.ndarray, dead: np.ndarray, claims: list[Claim | None]) -> list[Rule]:
        classes, names = self.arrays.classes, [column_text(column) for column in self.arrays.columns]
        wins, idle = measures.wins(self.firing), hardly_fires(support, len(self.firing))
        priors = None if self.y_index is None else np.bincount(self.y_index, minlength=len(classes)) / len(self.y_index)
        rules = []
        for r, consequent in enumerate(self.then):
            c = int(self.model_classes[r])
            sure = None if self.sure is None or not np.isfinite(self.sure[r]).all() else self.sure[r].tolist()
            rules.append(
                Rule(
                    index=r + 1,
                    antecedents=self.conditions[r],
                    complete=bool(self.complete[r]),
                    model_class=classes[c],
                    scores=dict(zip(classes, consequent.scores.tolist(), strict=True)),
                    typical=dict(zip(names, consequent.typical.tolist(), strict=True)),
                    outside=consequent.outside,
                    effects=consequent.effects,
                    support=float(support[r]),
                    wins=float(wins[r]),
                    confidence=None if sure is None else dict(zip(classes, sure, strict=True)),
                    dead=bool(dead[r]),
                    idle=bool(idle[r]),
                    base_rate=None if priors is None else float(priors[c]),
                    claim=claims[r],
                    zero_order=is_zero_order(self.arrays),
                    log_weight=float(self.arrays.log_weight[r]),
                )
            )
        return rules


def _conditions(
    arrays: RuleArrays,
    Z: np.ndarray,
    rows: np.ndarray | slice,
    words: Callable[[int], FuzzyPartition],
    most: int | None,
    dead: np.ndarray,
) -> tuple[Conditions, np.ndarray]:
    """The conditions kept, R tuples of ``Antecedent``, least flat first; and of which rules these are all, (R,) bool.

    rows: of Z, those that flatness is measured on. The words are those of the longest rules, so that a rule has the same words
    at every length.
    """
    units = units_of(arrays.columns)
    flat, candidates = flatness(arrays, Z[rows], units), restricting(arrays, units, Z.min(0), Z.max(0))
    longest = keep(flat, candidates, most if most is None else max(most, LONGEST))
    texts = [conditions[:most] for conditions in antecedents(arrays, words, units, flat, longest, dead)]
    return texts, np.array([len(conditions) for conditions in texts]) == candidates.sum(1)
