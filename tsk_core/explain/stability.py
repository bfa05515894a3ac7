"""How often rules come back when the model is trained again: rules of several trainings, matched by what they say.

Two rules are alike as far as their conditions speak of the same terms, such as "petal length is low", and conclude the same
class: Dice 2|A∩B| / (|A| + |B|) of their sets of terms, else 0. "low or medium" is two terms, a list of categories one each; the
terms are those of one table for all trainings, and a condition of "any value" has none. Rules of two trainings are matched one
to one so that the sum of Dice is largest (the assignment problem). Dice between sets of rules as stability: SIRUS (Bénard, Biau,
Da Veiga and Scornet 2021), where rules count as equal or not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.epoch import never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import LONGEST, Unit, flatness, keep, listed, units
from tsk_core.explain.exported import ExportedColumn, ExportedRules, Label
from tsk_core.explain.labels import Partition, terms_of, words_of
from tsk_core.explain.reader import RuleArrays, firing_levels, read_rules

__all__ = [
    "ALIKE", "RuleStability", "Sentence", "Stability", "compare", "dice", "sentences_of", "stability_of", "words_by_feature",
]  # fmt: skip

ALIKE = 0.5  # least Dice of a rule that counts as the same one
MOST_ROWS = 5_000

Words = Callable[[str], Partition]


@dataclass(frozen=True)
class Sentence:
    """What a rule says. index: its number in the model, from 1. conclusion: the class of largest confidence.

    conditions: the terms of each, (feature, term), the least flat condition first; none where it says "any value".
    """

    index: int
    conditions: tuple[tuple[tuple[str, str], ...], ...]
    conclusion: Label


@dataclass(frozen=True)
class Stability:
    """In how many of ``of`` trainings each rule comes back.

    times, dice: by the rule's number: trainings whose matched rule has Dice ≥ 0.5, and mean Dice to the match (0 without one).
    base: mean Dice of the whole sets, 2 Σ Dice / (R + R'), in [0, 1].
    """

    of: int
    times: dict[int, int]
    dice: dict[int, float]
    base: float

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {
            "of": self.of,
            "times": {str(r): n for r, n in self.times.items()},
            "dice": {str(r): value for r, value in self.dice.items()},
            "base": self.base,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Stability":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        times, dice = ({int(r): value for r, value in values[name].items()} for name in ("times", "dice"))
        return cls(int(values["of"]), times, dice, float(values["base"]))


@dataclass(frozen=True)
class RuleStability:
    """seeds: trainings on the same rows with other seeds. bootstrap: with the same seed, on rows drawn with replacement."""

    seeds: Stability
    bootstrap: Stability

    def text_of(self, rule: int) -> str:
        """How often a rule comes back; "" for a rule that never fires, which says nothing."""
        if rule not in self.seeds.times:
            return ""
        seeds, bootstrap = self.seeds, self.bootstrap
        return (
            f"It comes back in {seeds.times[rule]} of {seeds.of} trainings with other seeds, and in {bootstrap.times[rule]} of"
            f" {bootstrap.of} on bootstrap samples."
        )

    @property
    def text(self) -> str:
        """The rule base as a whole."""
        return (
            f"Trained again with {self.seeds.of} other seeds, the rules are {self.seeds.base:.0%} alike; on {self.bootstrap.of}"
            f" bootstrap samples {self.bootstrap.base:.0%} (mean Dice of matched rules; 100%: the same rules each time)."
        )

    def __str__(self) -> str:
        """The base as a whole, then each rule."""
        return "\n".join([self.text, *(f"Rule {rule}: {self.text_of(rule)}" for rule in self.seeds.times)])

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {"seeds": self.seeds.to_dict(), "bootstrap": self.bootstrap.to_dict()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "RuleStability":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        return cls(Stability.from_dict(values["seeds"]), Stability.from_dict(values["bootstrap"]))


def words_by_feature(columns: list[ExportedColumn], Z: np.ndarray) -> Words:
    """The partition of each number feature over the training rows Z (N, D), for all trainings alike. columns: of Z."""
    words = words_of(Z)
    at = {column["feature"]: d for d, column in enumerate(columns) if column["kind"] == "number"}
    return lambda feature: words(at[feature])


def sentences_of(source: ExportedRules, Z: np.ndarray, y_index: np.ndarray, words: Words) -> list[Sentence]:
    """What the rules that fire say, in the order of the model.

    source: exported rules. Z, y_index: training rows in their columns (N, D), and class positions (N,); at most 5,000 are used.
    words: the same for all trainings that are compared.
    """
    arrays, rows = read_rules(source), measures.evenly_spaced(len(Z), MOST_ROWS)
    Z, y_index = Z[rows], y_index[rows]
    firing = firing_levels(source, Z)
    confidence = measures.confidence(firing, y_index, len(arrays.classes))
    parts = units(arrays.columns)
    flat = flatness(arrays, Z, parts)
    kept = keep(arrays, parts, flat, LONGEST)
    found = []
    for r in np.flatnonzero(~never_fires(firing.mean(0), len(firing))).tolist():
        ranked = sorted(np.flatnonzero(kept[r]).tolist(), key=lambda u: (flat[r, u], u))
        conditions = tuple(_condition(arrays, r, parts[u], words) for u in ranked)
        found.append(Sentence(r + 1, conditions, arrays.classes[int(confidence[r].argmax())]))
    return found


def dice(first: Sequence[Sentence], second: Sequence[Sentence], most: int) -> np.ndarray:
    """Dice of each two rules with their first ``most`` conditions, (len(first), len(second)); 0 for different conclusions."""
    names: dict[tuple[str, str], int] = {}
    for one in (*first, *second):
        for term in _terms(one, most):
            names.setdefault(term, len(names))
    a, b = (_as_rows(sentences, names, most) for sentences in (first, second))
    sizes = a.sum(1)[:, None] + b.sum(1)
    similar = np.divide(2 * (a @ b.T), sizes, out=np.ones_like(sizes), where=sizes > 0)  # two rules without conditions are alike
    same = np.array([[one.conclusion == other.conclusion for other in second] for one in first], bool)
    return np.where(same.reshape(similar.shape), similar, 0.0)


def compare(reference: Sequence[Sentence], trainings: Sequence[Sequence[Sentence]], most: int) -> Stability:
    """How often the rules of ``reference`` come back in other trainings, with at most ``most`` conditions each."""
    from scipy.optimize import linear_sum_assignment  # here, because the import is slow

    matched, bases = np.zeros((len(trainings), len(reference))), []
    for t, sentences in enumerate(trainings):
        similar = dice(reference, sentences, most)
        rows, columns = linear_sum_assignment(similar, maximize=True)
        matched[t, rows] = similar[rows, columns]
        total = len(reference) + len(sentences)
        bases.append(2 * matched[t].sum() / total if total else 1.0)
    return Stability(
        of=len(trainings),
        times={one.index: int((matched[:, k] >= ALIKE).sum()) for k, one in enumerate(reference)},
        dice={one.index: float(matched[:, k].mean()) if len(trainings) else 0.0 for k, one in enumerate(reference)},
        base=float(np.mean(bases)) if bases else 0.0,
    )


def stability_of(
    reference: Sequence[Sentence], seeds: Sequence[Sequence[Sentence]], bootstrap: Sequence[Sequence[Sentence]], most: int
) -> RuleStability:
    """Both kinds of trainings compared with the reference."""
    return RuleStability(compare(reference, seeds, most), compare(reference, bootstrap, most))


def _condition(arrays: RuleArrays, r: int, unit: Unit, words: Words) -> tuple[tuple[str, str], ...]:
    if unit.states:
        chosen = listed(arrays, r, unit)
        return tuple((unit.feature, f"= {name}") for (name, _), yes in zip(unit.states, chosen, strict=True) if yes)
    (d,) = unit.columns
    terms = terms_of(float(arrays.centers[r, d]), float(arrays.sigmas[r, d]), words(unit.feature))
    return tuple((unit.feature, term) for term in terms)


def _terms(sentence: Sentence, most: int) -> list[tuple[str, str]]:
    return [term for condition in sentence.conditions[:most] for term in condition]


def _as_rows(sentences: Sequence[Sentence], names: dict[tuple[str, str], int], most: int) -> np.ndarray:
    """Which terms each rule speaks of, 0 or 1, (rules, terms that occur)."""
    rows = np.zeros((len(sentences), len(names)))
    for k, one in enumerate(sentences):
        rows[k, [names[term] for term in _terms(one, most)]] = 1.0
    return rows
