"""The rules of a model in words: their conditions, conclusions, metrics and claims, from exported rules and training rows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from tsk_core.epoch import hardly_fires, never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import LONGEST, Conditions, antecedents, flatness, keep, restricting, units_of
from tsk_core.explain.claims import Claim, claims_of, conclusions_of
from tsk_core.explain.consequents import Consequent, column_text, consequents
from tsk_core.explain.counting import with_notes
from tsk_core.explain.exported import ExportedRules, RuleArrays, firing_levels, is_zero_order, read_rules, scores
from tsk_core.explain.labels import FuzzyPartition, words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.rule import Rule


class Described(NamedTuple):
    """Rules with up to ``most`` conditions each, ordered by dominance, dead ones last; without counts (``counting.py``).

    Z: (n, D) the training rows that averages are taken over. y_index: their classes, or None. firing: (n, R). redundancy: (R, R).
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
    """Describe exported rules on their training rows Z (N, D) with the class positions y_index (N,), or None.

    most: conditions per rule; None keeps every one, as do readable rule bases. words: ``words_of(Z)``, where several rule bases
    share it. missing: feature → bool (N,), which rows lack its value. most_rows: averages are taken over at most this many evenly
    spaced rows. claims: whether to measure them, which takes most of the time; without, ``most`` holds for readable rule bases
    too, which may have every condition while they train. groups: (N,) integers, equal in rows that belong together, which
    intervals draw together.
    """
    arrays, rows = read_rules(source), evenly_spaced(len(Z), most_rows)
    some, y_rows, zero_order = Z[rows], None if y_index is None else y_index[rows], is_zero_order(arrays)
    firing = firing_levels(source, some)
    dead = never_fires(measures.support(firing), len(firing))
    words, most = words or words_of(Z), None if zero_order and claims else most
    conditions, complete = _conditions(arrays, Z, some, words, most, dead)
    if missing:
        lacking = {
            name: (float(lacks.mean()), measures.share_of(firing, lacks[rows])) for name, lacks in missing.items() if lacks.any()
        }
        conditions = with_notes(conditions, lacking, arrays.columns)
    then = consequents(arrays, Z, firing, rows)
    sure = None if y_rows is None else measures.confidence(firing, y_rows, len(arrays.classes))
    model_classes = np.array([int(one.scores.argmax()) for one in then])
    if not zero_order:
        predicted = scores(source, some).argmax(1) if sure is None else np.empty(0, int)
        model_classes = conclusions_of(sure, firing, predicted, model_classes)
    of_claims: list[Claim | None] = [None] * len(then)
    if claims and y_rows is not None and sure is not None:
        typical, together = np.array([one.typical for one in then]), None if groups is None else groups[rows]
        of_claims = claims_of(source, firing, y_rows, model_classes, sure, typical, together)
    rules = _rules(arrays, firing, y_rows, dead, sure, model_classes, conditions, complete.tolist(), then, of_claims)
    return Described(rules, some, y_rows, firing, measures.redundancy(firing))


def _rules(
    arrays: RuleArrays,
    firing: np.ndarray,
    y_index: np.ndarray | None,
    dead: np.ndarray,
    confidence: np.ndarray | None,
    model_classes: np.ndarray,
    conditions: Conditions,
    complete: list[bool],
    then: list[Consequent],
    claims: list[Claim | None],
) -> tuple[Rule, ...]:
    """The rules by dominance, dead ones last. The arguments have one entry for each rule, or each row."""
    classes, names = arrays.classes, [column_text(column) for column in arrays.columns]
    support, wins, zero_order = measures.support(firing), measures.wins(firing), is_zero_order(arrays)
    idle = hardly_fires(support, len(firing))
    priors = None if y_index is None else np.bincount(y_index, minlength=len(classes)) / len(y_index)
    sure = [None if confidence is None or not np.isfinite(confidence[r]).all() else confidence[r] for r in range(len(then))]
    rules = [
        Rule(
            index=r + 1,
            antecedents=conditions[r],
            complete=complete[r],
            model_class=classes[c],
            scores=dict(zip(classes, then[r].scores.tolist(), strict=True)),
            typical=dict(zip(names, then[r].typical.tolist(), strict=True)),
            outside=then[r].outside,
            effects=then[r].effects,
            support=float(support[r]),
            wins=float(wins[r]),
            confidence=None if (shares := sure[r]) is None else dict(zip(classes, shares.tolist(), strict=True)),
            dead=bool(dead[r]),
            idle=bool(idle[r]),
            base_rate=None if priors is None else float(priors[c]),
            claim=claims[r],
            zero_order=zero_order,
            log_weight=float(arrays.log_weight[r]),
        )
        for r, c in enumerate(model_classes.tolist())
    ]
    return tuple(sorted(rules, key=lambda rule: (rule.dead, -rule.dominance)))


def _conditions(
    arrays: RuleArrays,
    Z: np.ndarray,
    some: np.ndarray,
    words: Callable[[int], FuzzyPartition],
    most: int | None,
    dead: np.ndarray,
) -> tuple[Conditions, np.ndarray]:
    """The conditions kept, R tuples of ``Antecedent``, least flat first; and of which rules these are all, (R,) bool.

    some: of the rows Z, those that flatness is measured on. The words are those of the longest rules, so that a rule has the same
    words at every length.
    """
    units = units_of(arrays.columns)
    flat, candidates = flatness(arrays, some, units), restricting(arrays, units, Z.min(0), Z.max(0))
    longest = keep(flat, candidates, most if most is None else max(most, LONGEST))
    texts = [conditions[:most] for conditions in antecedents(arrays, words, units, flat, longest, dead)]
    return texts, np.array([len(conditions) for conditions in texts]) == candidates.sum(1)
