"""RowExplanation: why one row gets its class, and what would change it, as data; words.py writes it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.explain.antecedents import HOLDS
from tsk_core.explain.reader import firing_levels, read_rules
from tsk_core.explain.row.alike import Alike, nearest_rows
from tsk_core.explain.row.change import Change, nearest_changes
from tsk_core.explain.row.features import RowFeature, typical_row
from tsk_core.explain.row.parts import Parts, parts
from tsk_core.explain.row.words import as_html, as_lines, changed_to
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import memberships

__all__ = ["FiringRule", "RowExplanation", "explain_row"]


@dataclass(frozen=True)
class FiringRule:
    """One rule and what it has to do with the row.

    index: its number, from 1. firing: f̄_r. adds: to the predicted class's score, less the mean over the classes. conditions:
    the text of each printed condition with the row's membership in it, in [0, 1]; it holds from 0.5. conclusion: "" where the
    rule has no text.
    """

    index: int
    firing: float
    adds: float
    conditions: tuple[tuple[str, float], ...]
    conclusion: str


@dataclass(frozen=True)
class RowExplanation:
    """One row explained; ``str`` and notebooks show it in words, ``to_dict`` gives JSON-ready values.

    predicted: the class. probabilities: class → softmax of the scores. x: (D,) the row encoded, in original units. typical:
    (D,) the row that features are compared with: training medians and most frequent values. features: see ``RowFeature``.
    parts: of the scores, by rule and by feature. rules: those that fire, most first. changes: the nearest that turn the
    decision, with one feature and with two; empty where there is none. alike: training rows; empty where they are not at hand.
    warnings: what makes the row unlike the training rows. wanted: the class that the changes lead to; None for any.
    """

    classes: tuple[str, ...]
    predicted: str
    probabilities: dict[str, float]
    x: np.ndarray
    typical: np.ndarray
    features: tuple[RowFeature, ...]
    parts: Parts
    rules: tuple[FiringRule, ...]
    changes: tuple[Change, ...]
    alike: tuple[Alike, ...]
    warnings: tuple[str, ...]
    wanted: str | None = None

    def contributions(self, label: Any = None) -> dict[str, dict[str, float]]:
        """What adds up to the score of a class (default: the predicted one): {"rules": {"Rule 1": …}, "features": {name: …},
        "typical row": …, "which rules fire": …, "score": …}. The rules' sum is the score; so is that of the features and
        of the two constants.
        """
        c = self.classes.index(self.predicted if label is None else str(label))
        return {
            "rules": {f"Rule {r + 1}": float(v) for r, v in enumerate(self.parts.by_rule[:, c])},
            "features": {one.name: float(v) for one, v in zip(self.features, self.parts.by_feature[:, c], strict=True)},
            "typical row": float(self.parts.typical[c]),
            "which rules fire": float(self.parts.by_firing[c]),
            "score": float(self.parts.scores[c]),
        }

    def __str__(self) -> str:
        """The explanation in words."""
        return "\n".join(as_lines(self))

    def _repr_html_(self) -> str:
        return as_html(self)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "predicted": self.predicted,
            "probabilities": dict(self.probabilities),
            "row": {one.name: one.written(self.x) for one in self.features},
            "contributions": {name: self.contributions(name) for name in self.classes},
            "rules": [
                vars(one) | {"conditions": [{"text": text, "membership": level} for text, level in one.conditions]}
                for one in self.rules
            ],
            "changes": [
                {
                    "features": {f.name: {"from": f.written(self.x), "to": f.written(one.x)} for f in one.features},
                    "distance": one.distance,
                    "predicted": self.classes[one.predicted],
                    "text": changed_to(self, one),
                }
                for one in self.changes
            ],
            "alike": [
                {
                    "distance": one.distance,
                    "overlap": one.overlap,
                    "class": one.label,
                    "row": {f.name: f.written(one.x) for f in self.features},
                }
                for one in self.alike
            ],
            "warnings": list(self.warnings),
        }


def explain_row(
    rules: dict[str, Any],
    x: np.ndarray,
    features: list[RowFeature],
    *,
    sentences: tuple[Rule, ...] = (),
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
    found = parts(rules, x, typical, features)
    shares = np.exp(found.scores - found.scores.max())
    shares /= shares.sum()
    best = int(found.scores.argmax())
    near: tuple[Alike, ...] = ()
    if training is not None and len(training[0]):
        Z, y = training
        near = nearest_rows(
            x, found.firing, Z, lambda some: firing_levels(rules, some), np.asarray(classes)[y], features, alike, by
        )
    firing = _firing(rules, x, found, best, sentences)
    if sentences and not any(covers(one) for one in firing):
        warnings = (*warnings, "no rule covers this row: on average, the printed conditions of none hold")
    return RowExplanation(
        classes,
        classes[best],
        dict(zip(classes, shares.tolist(), strict=True)),
        x,
        typical,
        tuple(features),
        found,
        firing,
        nearest_changes(rules, x, features, None if wanted is None else classes.index(wanted)),
        near,
        warnings,
        wanted,
    )


def covers(one: FiringRule) -> bool:
    """Whether a rule with D printed conditions covers the row: the geometric mean of its memberships, f^(1/D), is at least 0.5.

    On the raw memberships, since normalised firing levels sum to 1 in every row and cannot show that no rule applies.
    """
    if not one.conditions:
        return bool(one.conclusion)
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log([level for _, level in one.conditions]).mean())) >= HOLDS


def _firing(rules: dict[str, Any], x: np.ndarray, found: Parts, best: int, sentences: tuple[Rule, ...]) -> tuple[FiringRule, ...]:
    """All rules, those that fire most first."""
    arrays, known, adds = read_rules(rules), {one.index: one for one in sentences}, found.centred().by_rule[:, best]
    result = []
    for r in np.argsort(-found.firing, kind="stable").tolist():
        text = known.get(r + 1)
        levels = memberships(arrays, r, text.antecedents, x[None])[0].tolist() if text else []
        conditions = tuple((one.text, level) for one, level in zip(text.antecedents if text else (), levels, strict=True))
        conclusion = text.then if text else ""
        result.append(FiringRule(r + 1, float(found.firing[r]), float(adds[r]), conditions, conclusion))
    return tuple(result)
