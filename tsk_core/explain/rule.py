"""Rule: one fuzzy rule in words and numbers. Data and plain text, never markup: whoever shows it escapes it."""

import math
from dataclasses import dataclass, replace
from typing import Any

from tsk_core.explain.antecedents import Antecedent, in_sentence, one_line
from tsk_core.explain.claims import CLAIM, Claim, majority
from tsk_core.explain.consequents import FeatureEffect
from tsk_core.explain.exported import Label
from tsk_core.explain.measures import Tally, either, headline
from tsk_core.explain.shapes import OrNull
from tsk_core.numbers import percent

# What is said of a rule besides its sentence and its headline: where THEN comes from, and under *More* all that was measured.


def remarks(rule: "Rule") -> tuple[str, ...]:
    """Why THEN names what it names, where the rows of which the sentence is true do not say it."""
    if rule.concluded_from == "score":
        return _other_class(rule)
    if rule.concluded_from == "rows":
        if rule.clear:
            return ()
        return (
            f"No class has more than half of the {rule.train.true:,} training rows of which the sentence is true, so THEN names"
            " the fewest classes that together have more.",
        )
    if rule.base_rate is None:
        return ("The training rows' classes are unknown: THEN names the class that the model predicts for most of its firing.",)
    if not rule.named:
        return ()
    has = "the class with most" if rule.clear else "the fewest classes that together have more than half"
    return (
        f"The sentence is true of no training row of a known class: THEN names {has} of the rule's firing on the training rows.",
    )


def more_about(rule: "Rule") -> tuple[str, ...]:
    """Training rows, firing, scores and effects, one sentence or two each."""
    scores = [f"{c}: {v:+.2f}" for c, v in sorted(rule.scores.items(), key=lambda item: -item[1])]
    where = "Score" if rule.zero_order else "At the rule's centre, score"
    lines = [*_rows(rule), *_firing(rule), f"{where} for {_few(scores, 5)}{_clipped(rule)}."]
    if rule.zero_order and rule.log_weight:
        lines.append(f"Its firing level is multiplied by {_factor(rule.log_weight)}.")
    if rule.effects:
        lines.append(f"Effects: {'; '.join(m.text for m in rule.effects)}.")
    hardly = "It hardly fires: average" if rule.idle else "Average"
    lines.append(
        f"{hardly} firing level on the training rows {percent(rule.support)}; strongest rule for {percent(rule.wins)} of them."
    )
    return (*lines, *(a.note for a in rule.antecedents if a.note))


def _other_class(rule: "Rule") -> tuple[str, ...]:
    """Of a readable rule base: where most of the rows have a class that the sentence does not name."""
    for counts, tally in ((rule.test_counts, rule.test), (rule.train_counts, rule.train)):
        if not counts or tally is None:
            continue
        name, most = max(zip(rule.scores, counts[-1], strict=False), key=lambda pair: pair[1])
        if 2 * most > tally.true and name not in rule.named:
            return (
                f"Most of these {tally.rows} ({most:,} of {tally.true:,}) are {name}: other rules fire there, too, and the scores"
                f" of all decide; {rule.then} has the highest score of this rule.",
            )
    return ()


def _rows(rule: "Rule") -> list[str]:
    """The training rows beside the test rows of the headline, and the classes of both."""
    lines = []
    train, by_class = rule.train, []
    if rule.test is not None and train.true:
        right = "" if train.right is None or train.share is None else (
            f"; {train.right:,} of these ({percent(train.share)}) {'is' if train.right == 1 else 'are'} {either(rule.named)}"
        )  # fmt: skip
        why = ". THEN was chosen on these rows, so this share is optimistic" if rule.concluded_from == "rows" else ""
        lines.append(f"The sentence is true of {train.true_text}{right}{why}.")
    for counts, tally in ((rule.test_counts, rule.test), (rule.train_counts, train)):
        if counts and tally is not None and tally.right is not None and tally.true > tally.right:
            ranked = sorted(zip(rule.scores, counts[-1], strict=False), key=lambda pair: -pair[1])
            named = [f"{n:,} {name}" for name, n in ranked if n]
            if unknown := counts[-1][-1]:
                named.append(f"{unknown:,} of a class that the model does not know")
            by_class.append(f"{tally.rows} {_few(named, 5)}")
    if by_class:
        lines.append(f"The rows of which it is true: {'; '.join(by_class)}.")
    return lines


def _firing(rule: "Rule") -> list[str]:
    """Confidence and what follows from it, with their definitions."""
    if rule.claim is not None:
        other = rule.concluded_from == "rows" and rule.model_class not in rule.named
        return rule.claim.sentences(rule.model_class, rule.then if other else None)
    if rule.confidence is None:
        return []
    share = percent(rule.confidence[rule.model_class])
    of = "" if rule.base_rate is None else f" ({percent(rule.base_rate)} of all training rows are)"
    return [f"Of the training rows, weighted by the rule's firing level, {share} are {rule.model_class}{of}."]


def _clipped(rule: "Rule") -> str:
    if not rule.outside or rule.zero_order:
        return ""
    return f", at the edge of the data in {_few(list(rule.outside), 3)}, because the rule's centre lies outside the data"


def _factor(log_weight: float) -> str:
    """The weight of a rule, three digits; of one that no number can hold, its power of e."""
    return f"{math.exp(log_weight):.3g}" if abs(log_weight) < 700 else f"e^{log_weight:.3g}"


def _few(items: list[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


_COUNTS = [[int]]
RULE = {  # the shape of ``Rule.to_dict``, as ``shapes.check`` reads it
    "index": int,
    "text": str,
    "headline": str,
    "antecedents": [
        {"feature": str, "label": str, "text": str, "low": float | None, "high": float | None, "flatness": float, "note": str}
    ],
    "complete": bool,
    "conclusion": Label,
    "concluded_from": str,
    "model_class": Label,
    "scores": [(Label, float)],
    "typical": {str: float},
    "outside": [str],
    "movers": [{"column": str, "target": Label, "slope": float, "step": float, "effect": float, "text": str}],
    "support": float,
    "wins": float,
    "confidence": OrNull([(Label, float)]),
    "dead": bool,
    "idle": bool,
    "clear": bool,
    "base_rate": OrNull(float),
    "claim": OrNull(CLAIM),
    "train_counts": _COUNTS,
    "n_train": int,
    "test_counts": OrNull(_COUNTS),
    "n_test": int,
    "test_worth": OrNull([float]),
    "train_imputed": OrNull([int]),
    "test_imputed": OrNull([int]),
    "sampled": bool,
    "zero_order": bool,
    "log_weight": float,
}
DERIVED = ("text", "headline", "conclusion", "concluded_from", "clear")  # written for other readers, and not read


@dataclass(frozen=True)
class Rule:
    """One rule of a ``RuleBaseSummary``.

    index: its number in the model, from 1. antecedents: those kept, least flat first; those that hold for every training row
    are none. complete: whether none that excludes a training row was left out.
    model_class: the class that the model gives the rule: of a readable rule base (zero-order) the one with the rule's highest
    score, of another the one with the largest confidence; where the classes of the training rows are unknown, the one that the
    model predicts for most of the rule's firing.
    scores: {class: score at the typical case}, summing to 0; the same everywhere in a readable rule base.
    typical: {column text: value}, the centre clipped into the range of the training rows, with one category of each feature.
    outside: columns that were clipped. effects: the features with the largest effects on the scores.
    support: average firing level on the training rows; 1/R is an equal share. wins: share of them where it is the strongest rule.
    confidence: {class: share of this rule's firing that falls on training rows of the class}; None without their classes, or
    where the rule fires on no row. dead, idle: it never fires, or hardly (``epoch.never_fires``).
    base_rate: share of the training rows that have ``model_class``; None without their classes.
    claim: what its firing on the training rows and the whole system say of ``model_class``; None without classes of the training
    rows, for a rule that fires on none, and where it was not measured.
    train_counts: of how many of the ``n_train`` training rows the sentence is true, all its printed conditions holding: with at
    most 1, 2, … conditions, by class in the order of ``scores``, and last the rows of an unknown class. test_counts: of the
    ``n_test`` test rows; None where there are none with classes. test_worth: how many independent rows these are worth, at each
    length, where rows belong together; else None. train_imputed, test_imputed: of how many of them, at each length, a condition
    holds by a value that replaces a missing one; None where none is missing. sampled: whether these rows are some of more.
    zero_order: whether the base is readable. log_weight: added to the log firing level.
    """

    index: int
    antecedents: tuple[Antecedent, ...]
    complete: bool
    model_class: Label
    scores: dict[Label, float]
    typical: dict[str, float]
    outside: tuple[str, ...]
    effects: tuple[FeatureEffect, ...]
    support: float
    wins: float
    confidence: dict[Label, float] | None
    dead: bool
    idle: bool
    base_rate: float | None
    claim: Claim | None
    train_counts: tuple[tuple[int, ...], ...] = ()
    n_train: int = 0
    test_counts: tuple[tuple[int, ...], ...] | None = None
    n_test: int = 0
    test_worth: tuple[float, ...] | None = None
    train_imputed: tuple[int, ...] | None = None
    test_imputed: tuple[int, ...] | None = None
    sampled: bool = False
    zero_order: bool = False
    log_weight: float = 0.0

    @property
    def name(self) -> str:
        """Such as "Rule 7", by its number in the model."""
        return f"Rule {self.index}"

    @property
    def concluded_from(self) -> str:
        """What THEN follows from: "score" in a readable rule base; else "rows", the training rows of which the sentence is true;
        "firing", the rule's firing on the training rows, where it is true of none or their classes are unknown.
        """
        if self.zero_order:
            return "score"
        return "rows" if self.train_counts and any(self.train_counts[-1][:-1]) else "firing"

    @property
    def conclusion(self) -> Label:
        """The class that the sentence names, or names first."""
        if self.concluded_from == "rows":
            return list(self.scores)[majority(self._shares())[0]]
        return self.model_class

    @property
    def clear(self) -> bool:
        """Whether one class has more than half of what THEN follows from; only then the sentence names one class."""
        if self.zero_order or (self.concluded_from == "firing" and self.base_rate is None):
            return True
        shares = self._shares()
        return bool(shares) and max(shares) > 0.5

    @property
    def mostly(self) -> tuple[Label, ...]:
        """Where no class has more than half: the fewest that together have more, largest first; else ()."""
        if self.clear:
            return ()
        names = list(self.scores)
        return tuple(names[k] for k in majority(self._shares()))

    @property
    def named(self) -> tuple[Label, ...]:
        """The classes that the sentence names; none where it has "no clear class"."""
        return self.mostly or ((self.conclusion,) if self.clear else ())

    @property
    def then(self) -> str:
        """What the sentence concludes: a class, such as "versicolor", or "mostly versicolor or virginica"."""
        if self.mostly:
            return f"mostly {either([in_sentence(name) for name in self.mostly])}"
        return in_sentence(self.conclusion) if self.clear else "no clear class"

    @property
    def train(self) -> Tally:
        """The training rows of which the sentence is true."""
        known = self.base_rate is not None
        return self._tally(self.train_counts, self.n_train, "training rows", known=known, imputed=self.train_imputed)

    @property
    def test(self) -> Tally | None:
        """The test rows of which the sentence is true; None where there are none with classes."""
        if self.test_counts is None:
            return None
        return self._tally(
            self.test_counts, self.n_test, "test rows", known=True, worth=self.test_worth, imputed=self.test_imputed
        )

    @property
    def headline(self) -> str:
        """What a reader can recount: "True of 28 of 45 test rows; 26 of these (93%, 95% interval 77% to 98%) are virginica."."""
        every = len(self.named) == len(self.scores)  # "100% are n or p" says nothing
        return headline(self.test, self.train, () if every else self.named)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the card says beside the headline: where THEN does not follow from the rows of which the sentence is true."""
        return remarks(self)

    @property
    def literal(self) -> bool | None:
        """Whether the whole system says a class that the rule names at the rule's centre; None without a claim."""
        return None if self.claim is None else self.claim.centre_class in self.named

    @property
    def dominance(self) -> float:
        """Support × confidence of the model's class; the support where the classes of the training rows are unknown. Rules are
        listed by it, so that their order is the same at every length.
        """
        return self.support * (1.0 if self.confidence is None else self.confidence[self.model_class])

    @property
    def text(self) -> str:
        """The sentence, such as "IF petal length is high (between 4.4 and 6.1) AND … THEN virginica"."""
        return f"IF {' AND '.join(a.text for a in self.antecedents) or 'anything'} THEN {self.then}"

    @property
    def measured(self) -> tuple[str, ...]:
        """What else was measured of a rule that fires, mostly on the training rows: one sentence or two each."""
        return more_about(self)

    def shortened(self, most: int | None) -> "Rule":
        """The same with at most ``most`` conditions; None for all. Rules of a readable rule base keep theirs."""
        if self.zero_order or most is None:
            return self
        return replace(
            self,
            antecedents=self.antecedents[:most],
            complete=self.complete and len(self.antecedents) <= most,
            train_counts=self.train_counts[:most],
            test_counts=None if self.test_counts is None else self.test_counts[:most],
            test_worth=None if self.test_worth is None else self.test_worth[:most],
            train_imputed=None if self.train_imputed is None else self.train_imputed[:most],
            test_imputed=None if self.test_imputed is None else self.test_imputed[:most],
        )

    def __str__(self) -> str:
        """The sentence and what was measured, in a few lines."""
        if self.dead:
            return f"{self.name} never fires (its average firing level is {self.support:.2g})."
        return "\n  ".join(map(one_line, [f"{self.name}: {self.text}", self.headline, *self.remarks, *self.measured]))

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values; dictionaries keyed by class become lists of [class, value] pairs."""
        return {
            "index": self.index,
            "text": self.text,
            "headline": self.headline,
            "antecedents": [dict(vars(a)) for a in self.antecedents],
            "complete": self.complete,
            "conclusion": self.conclusion,
            "concluded_from": self.concluded_from,
            "model_class": self.model_class,
            "scores": [[c, v] for c, v in self.scores.items()],
            "typical": dict(self.typical),
            "outside": list(self.outside),
            "movers": [dict(vars(m)) for m in self.effects],
            "support": self.support,
            "wins": self.wins,
            "confidence": None if self.confidence is None else [[c, v] for c, v in self.confidence.items()],
            "dead": self.dead,
            "idle": self.idle,
            "clear": self.clear,
            "base_rate": self.base_rate,
            "claim": None if self.claim is None else self.claim.to_dict(),
            "train_counts": [list(counts) for counts in self.train_counts],
            "n_train": self.n_train,
            "test_counts": None if self.test_counts is None else [list(counts) for counts in self.test_counts],
            "n_test": self.n_test,
            "test_worth": None if self.test_worth is None else list(self.test_worth),
            "train_imputed": None if self.train_imputed is None else list(self.train_imputed),
            "test_imputed": None if self.test_imputed is None else list(self.test_imputed),
            "sampled": self.sampled,
            "zero_order": self.zero_order,
            "log_weight": self.log_weight,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Rule":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else. The texts follow from the rest."""
        fields = {name: value for name, value in values.items() if name not in (*DERIVED, "movers")}
        test = values["test_counts"]
        return cls(
            **fields
            | {
                "antecedents": tuple(Antecedent(**antecedent) for antecedent in values["antecedents"]),
                "effects": tuple(FeatureEffect(**effect) for effect in values["movers"]),
                "scores": dict(values["scores"]),
                "confidence": None if values["confidence"] is None else dict(values["confidence"]),
                "outside": tuple(values["outside"]),
                "train_counts": tuple(map(tuple, values["train_counts"])),
                "test_counts": None if test is None else tuple(map(tuple, test)),
                "test_worth": None if values["test_worth"] is None else tuple(values["test_worth"]),
                "train_imputed": None if values["train_imputed"] is None else tuple(values["train_imputed"]),
                "test_imputed": None if values["test_imputed"] is None else tuple(values["test_imputed"]),
                "claim": None if values["claim"] is None else Claim.from_dict(values["claim"]),
            }
        )

    def _shares(self) -> list[float]:
        """The share of each class in what THEN follows from; [] where nothing is known."""
        if self.concluded_from == "rows":
            counts = self.train_counts[-1]
            return [n / sum(counts) for n in counts[:-1]]
        return [] if self.confidence is None else list(self.confidence.values())

    def _tally(
        self,
        by_length: tuple[tuple[int, ...], ...],
        of: int,
        rows: str,
        *,
        known: bool,
        worth: tuple[float, ...] | None = None,
        imputed: tuple[int, ...] | None = None,
    ) -> Tally:
        counts = by_length[-1] if by_length else ()
        classes = dict(zip(self.scores, counts, strict=False))
        right = sum(classes.get(name, 0) for name in self.named) if self.named and known else None
        rows = f"sampled {rows}" if self.sampled else rows
        return Tally(sum(counts), right, of, rows, worth[-1] if worth else None, imputed[-1] if imputed else 0)
