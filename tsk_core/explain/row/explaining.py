"""Making a RowExplanation: why one row gets its class, and what would change it, from the exported rules."""

import numpy as np
from scipy.special import softmax

from tsk_core.explain.antecedents import units_of
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import firing_levels, read_rules
from tsk_core.explain.row.alike import Alike, nearest_rows
from tsk_core.explain.row.change import nearest_changes
from tsk_core.explain.row.decomposition import decompose
from tsk_core.explain.row.explanation import FiringRule, RowExplanation
from tsk_core.explain.row.features import RowFeature, typical_row
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import literally, memberships

__all__ = ["explain_row", "firing_rules"]


def explain_row(
    rules: ExportedRules,
    x: np.ndarray,
    features: list[RowFeature],
    *,
    sentences: tuple[Rule, ...],
    training: tuple[np.ndarray, np.ndarray] | None = None,
    warnings: tuple[str, ...] = (),
    wanted: str | None = None,
    alike: int = 5,
    by: str = "distance",
) -> RowExplanation:
    """The explanation of the row x, (D,) encoded and in original units, by exported rules.

    features: of ``row_features``. sentences: the rules in words. training: encoded training rows (n, D) and the positions of
    their classes (n,), where they are at hand. wanted: a class that the nearest change has to lead to. alike, by: see
    ``nearest_rows``.
    """
    arrays = read_rules(rules)
    classes = tuple(map(str, arrays.classes))
    typical = typical_row(arrays.columns)
    decomposition = decompose(rules, x, typical, features)
    shares = softmax(decomposition.scores + arrays.log_prior)
    best = int(decomposition.scores.argmax())
    near: tuple[Alike, ...] = ()
    if training is not None and len(training[0]):
        Z, y = training
        near = nearest_rows(
            x, decomposition.firing, Z, lambda some: firing_levels(rules, some), np.asarray(classes)[y], features, alike, by
        )
    firing = firing_rules(rules, x, decomposition.firing, decomposition.by_rule, best, sentences)
    if sentences and not any(rule.is_true for rule in firing if not _dead(rule.index, sentences)):
        scores = "fixed" if sentences[0].zero_order else "linear"
        warnings = (
            *warnings,
            "for this row no rule's conditions all hold; the model classifies it by the firing levels and"
            f" {scores} scores of the rules",
        )
    return RowExplanation(
        classes,
        classes[best],
        dict(zip(classes, shares.tolist(), strict=True)),
        x,
        typical,
        tuple(features),
        decomposition,
        firing,
        nearest_changes(rules, x, features, None if wanted is None else classes.index(wanted)),
        near,
        warnings,
        wanted,
    )


def _dead(index: int, sentences: tuple[Rule, ...]) -> bool:
    return any(rule.dead for rule in sentences if rule.index == index)


def firing_rules(
    rules: ExportedRules, x: np.ndarray, firing: np.ndarray, by_rule: np.ndarray, best: int, sentences: tuple[Rule, ...] = ()
) -> tuple[FiringRule, ...]:
    """All rules and what they have to do with the row x, (D,) encoded and in original units; those that fire most first.

    firing: (R,) f̄ of the row. by_rule: (R, C), their contributions to the scores. best: the position of the predicted class.
    sentences: the rules in words, which have the conditions.
    """
    arrays, known, adds = read_rules(rules), {rule.index: rule for rule in sentences}, by_rule[:, best] - by_rule.mean(1)
    units = units_of(arrays.columns)
    result = []
    for r in np.argsort(-firing, kind="stable").tolist():
        text = known.get(r + 1)
        antecedents = text.antecedents if text else ()
        levels = memberships(arrays, r, antecedents, x[None], units)[0].tolist()
        holds = literally(arrays, r, antecedents, x[None], units)[0].tolist()
        conditions = tuple(
            (condition.text, level, held) for condition, level, held in zip(antecedents, levels, holds, strict=True)
        )
        conclusion = text.then if text else ""
        result.append(FiringRule(r + 1, float(firing[r]), float(adds[r]), conditions, conclusion))
    return tuple(result)
