"""The rules of a model in words: their conditions, conclusions, metrics and claims, from exported rules and training rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.epoch import hardly_fires, never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import LONGEST, Conditions, antecedents, flatness, keep, units_of, with_notes
from tsk_core.explain.claims import Coverage, claims_of, conclusions_of
from tsk_core.explain.claims.claim import Claim
from tsk_core.explain.consequents import Consequent, column_text, consequents
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.labels import FuzzyPartition, words_of
from tsk_core.explain.reader import RuleArrays, firing_levels, read_rules, scores
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import memberships, true_of

__all__ = ["Described", "describe", "shortened", "uncovered_rows"]


@dataclass(frozen=True, eq=False)
class Described:
    """Rules with up to ``longest`` conditions each, ordered by dominance, and what was measured of them all.

    firing: (n, R) of the training rows that averages are taken over; Z: these rows (n, D); y_index: their classes, or None.
    redundancy: (R, R). uncovered: of how many of the n rows no rule covers, with at most 1, 2, … conditions each.
    """

    rules: tuple[Rule, ...]
    Z: np.ndarray
    y_index: np.ndarray | None
    firing: np.ndarray
    redundancy: np.ndarray
    uncovered: tuple[int, ...]


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
) -> Described:
    """Describe exported rules on their training rows; arguments as in ``RuleBaseSummary.build``.

    most: conditions per rule; None keeps every one. claims: whether to measure them, which takes most of the time.
    """
    arrays = read_rules(source)
    rows = measures.evenly_spaced(len(Z), most_rows)
    firing, y_rows = firing_levels(source, Z[rows]), None if y_index is None else y_index[rows]
    dead = never_fires(measures.support(firing), len(firing))
    conditions = _conditions(arrays, Z[rows], words or words_of(Z), most, dead)
    if missing:
        shares = {name: measures.share_of(firing, lacks[rows]) for name, lacks in missing.items()}
        conditions = with_notes(conditions, shares, arrays.columns)
    then = consequents(arrays, Z, firing, rows)
    made = _Rules(source, arrays, Z[rows], y_rows, firing, conditions, then)
    rules, uncovered = made.made(claims)
    return Described(rules, Z[rows], y_rows, firing, measures.redundancy(firing), uncovered)


def shortened(rules: tuple[Rule, ...], most: int | None) -> tuple[Rule, ...]:
    """The same rules with at most ``most`` conditions each; None for all."""
    return tuple(replace(rule, antecedents=rule.antecedents[:most], true_of=rule.true_of[:most]) for rule in rules)


def uncovered_rows(source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray) -> np.ndarray:
    """The positions of the rows Z (N, D) that no rule which fires covers with its conditions, rising."""
    arrays, alive = read_rules(source), [rule for rule in rules if not rule.dead]
    units, covering = units_of(arrays.columns), Coverage(len(Z), max((len(rule.antecedents) for rule in alive), default=0))
    for rule in alive:
        covering.add(memberships(arrays, rule.index - 1, rule.antecedents, Z, units))
    return covering.rows()


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
        then: list[Consequent],
    ) -> None:
        self.source, self.arrays, self.Z, self.y_index, self.firing = source, arrays, Z, y_index, firing
        self.conditions, self.then = conditions, then
        self.sure = None if y_index is None else measures.confidence(firing, y_index, len(arrays.classes))
        at_centre = np.array([int(consequent.scores.argmax()) for consequent in then])
        predicted = scores(source, Z).argmax(1) if y_index is None else np.empty(0, int)
        self.conclusions = conclusions_of(self.sure, firing, predicted, at_centre)

    def made(self, with_claims: bool) -> tuple[tuple[Rule, ...], tuple[int, ...]]:
        """The rules by dominance, dead ones last, and how many rows none of those that fire covers at each length.

        with_claims: whether to measure claims and coverage; without, no row is covered.
        """
        support = measures.support(self.firing)
        dead, units = never_fires(support, len(self.firing)), units_of(self.arrays.columns)
        covering = Coverage(len(self.Z), max((len(conditions) for conditions in self.conditions), default=0))
        nothing = Coverage(len(self.Z), 0)  # dead rules have no printed conditions
        true, covered = [], []
        for r, conditions in enumerate(self.conditions):
            levels = memberships(self.arrays, r, conditions, self.Z, units)
            true.append(true_of(levels, self.y_index, self.conclusions[r]))
            if with_claims:
                covered.append((nothing if dead[r] else covering).add(levels))
        claims: list[Claim | None] = [None] * len(support)
        if with_claims and self.y_index is not None and self.sure is not None:
            typical = np.array([consequent.typical for consequent in self.then])
            claims = claims_of(self.source, self.firing, self.y_index, self.conclusions, self.sure, typical, covered)
        rules = self._rules(support, dead, true, claims)
        return tuple(sorted(rules, key=lambda rule: (rule.dead, -rule.dominance))), covering.uncovered

    def _rules(
        self, support: np.ndarray, dead: np.ndarray, true: list[tuple[tuple[int, int], ...]], claims: list[Claim | None]
    ) -> list[Rule]:
        classes, names = self.arrays.classes, [column_text(column) for column in self.arrays.columns]
        wins, idle = measures.wins(self.firing), hardly_fires(support, len(self.firing))
        priors, clear = None, np.ones(len(support), bool)
        if self.y_index is not None and self.sure is not None:
            priors = np.bincount(self.y_index, minlength=len(classes)) / len(self.y_index)
            clear = measures.clear(self.sure, self.conclusions)
        rules = []
        for r, consequent in enumerate(self.then):
            c = int(self.conclusions[r])
            sure = None if self.sure is None or not np.isfinite(self.sure[r]).all() else self.sure[r].tolist()
            rules.append(
                Rule(
                    index=r + 1,
                    antecedents=self.conditions[r],
                    conclusion=classes[c],
                    scores=dict(zip(classes, consequent.scores.tolist(), strict=True)),
                    typical=dict(zip(names, consequent.typical.tolist(), strict=True)),
                    outside=consequent.outside,
                    effects=consequent.effects,
                    support=float(support[r]),
                    wins=float(wins[r]),
                    confidence=None if sure is None else dict(zip(classes, sure, strict=True)),
                    dead=bool(dead[r]),
                    idle=bool(idle[r]),
                    clear=bool(clear[r]),
                    base_rate=None if priors is None else float(priors[c]),
                    true_of=true[r],
                    n_rows=len(self.Z),
                    claim=claims[r],
                )
            )
        return rules


def _conditions(
    arrays: RuleArrays, Z: np.ndarray, words: Callable[[int], FuzzyPartition], most: int | None, dead: np.ndarray
) -> Conditions:
    """The conditions kept, R tuples of ``Antecedent``, least flat first. Z: the rows that flatness is measured on.

    The words are those of the longest rules, so that a rule has the same words at every length.
    """
    units = units_of(arrays.columns)
    flat = flatness(arrays, Z, units)
    longest = keep(arrays, units, flat, most if most is None else max(most, LONGEST))
    texts = antecedents(arrays, words, units, flat, longest, dead)
    return [conditions[:most] for conditions in texts]
