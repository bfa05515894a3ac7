"""Rule: one fuzzy rule in words and numbers. Data and plain text, never markup: whoever shows it escapes it."""

from dataclasses import dataclass
from typing import Any

from tsk_core.explain.antecedents import Antecedent
from tsk_core.explain.claims.claim import CLAIM, Claim, majority
from tsk_core.explain.consequents import Mover
from tsk_core.explain.digits import percent
from tsk_core.explain.exported import Label
from tsk_core.explain.shapes import OrNull

__all__ = ["RULE", "Rule"]

RULE = {  # the shape of ``Rule.to_dict``, as ``shapes.check`` reads it
    "index": int,
    "text": str,
    "antecedents": [
        {"feature": str, "label": str, "text": str, "low": float | None, "high": float | None, "flatness": float, "note": str}
    ],
    "conclusion": Label,
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
    "true_of": [(int, int)],
    "n_rows": int,
    "claim": OrNull(CLAIM),
}
# what rules of older versions lack
LATER: dict[str, object] = {"idle": False, "clear": True, "base_rate": None, "true_of": [], "n_rows": 0, "claim": None}


@dataclass(frozen=True)
class Rule:
    """One rule of a ``RuleBaseSummary``.

    index: its number in the model, from 1. antecedents: those kept, least flat first.
    conclusion: the class with the largest confidence; where the classes of the training rows are unknown, the one that the model
    predicts for most of the rule's firing. scores: {class: score at the typical case}, summing to 0.
    typical: {column text: value}, the centre clipped into the range of the training rows, with one category of each feature.
    outside: columns that were clipped. movers: the features with the largest effects on the scores.
    support: average firing level on the training rows; 1/R is an equal share. wins: share of rows where it is the strongest rule.
    confidence: {class: share of this rule's firing that falls on rows of the class}; None without classes of the
    training rows, or where the rule fires on no row. dead, idle: it never fires, or hardly (``epoch.never_fires``).
    base_rate: share of the training rows that have the class ``conclusion``; None without their classes.
    clear: whether its certainty 2·confidence − 1 is positive; only then the sentence names one class.
    true_of: with at most 1, 2, … antecedents, of how many of the ``n_rows`` training rows all conditions hold, and how many of
    these have the class ``conclusion``. claim: what the rows and the whole system say of the conclusion; None without classes of
    the training rows, for a rule that fires on none, and where it was not measured.
    """

    index: int
    antecedents: tuple[Antecedent, ...]
    conclusion: Label
    scores: dict[Label, float]
    typical: dict[str, float]
    outside: tuple[str, ...]
    movers: tuple[Mover, ...]
    support: float
    wins: float
    confidence: dict[Label, float] | None
    dead: bool
    idle: bool = False
    clear: bool = True
    base_rate: float | None = None
    true_of: tuple[tuple[int, int], ...] = ()
    n_rows: int = 0
    claim: Claim | None = None

    @property
    def name(self) -> str:
        """Such as "Rule 7", by its number in the model."""
        return f"Rule {self.index}"

    @property
    def mostly(self) -> tuple[Label, ...]:
        """Where no class has more than half of the rule's firing: the fewest that together have more, largest first; else ()."""
        if self.clear or self.confidence is None:
            return ()
        names = list(self.confidence)
        return tuple(names[k] for k in majority(list(self.confidence.values())))

    @property
    def first_class(self) -> Label:
        """The class that the sentence names, or names first: what the rule says where it is read as one class."""
        return self.mostly[0] if self.mostly else self.conclusion

    @property
    def then(self) -> str:
        """What the sentence concludes: a class, such as "versicolor", or "mostly versicolor or virginica"."""
        if self.mostly:
            *others, last = map(str, self.mostly)
            return f"mostly {', '.join(others)} or {last}" if others else f"mostly {last}"
        return str(self.conclusion) if self.clear else "no clear class"

    @property
    def dominance(self) -> float:
        """Support × confidence of the conclusion; the support where the classes of the training rows are unknown."""
        return self.support * (1.0 if self.confidence is None else self.confidence[self.conclusion])

    @property
    def text(self) -> str:
        """The sentence, such as "IF petal length is high (between 4.4 and 6.1) AND … THEN virginica"."""
        return f"IF {' AND '.join(a.text for a in self.antecedents) or 'anything'} THEN {self.then}"

    @property
    def measured(self) -> tuple[str, ...]:
        """What was measured of a rule that fires, one sentence or two each."""
        scores = [f"{c}: {v:+.2f}" for c, v in sorted(self.scores.items(), key=lambda item: -item[1])]
        lines = [f"At the rule's centre, score for {_few(scores, 5)}{self._clipped()}."]
        if self.movers:
            effects = "; ".join(m.text for m in self.movers)
            lines.append(f"{effects[0].upper()}{effects[1:]}.")
        hardly = "It hardly fires: average" if self.idle else "Average"
        lines.append(f"{hardly} firing level {percent(self.support)}; strongest rule for {percent(self.wins)} of training rows.")
        lines += [*self._rows(), *(a.note for a in self.antecedents if a.note)]
        return tuple(lines)

    def __str__(self) -> str:
        """The sentence and what was measured, in a few lines."""
        if self.dead:
            return f"{self.name} never fires (its average firing level is {self.support:.2g})."
        return "\n  ".join([f"{self.name}: {self.text}", *self.measured])

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values; dictionaries keyed by class become lists of [class, value] pairs."""
        return {
            "index": self.index,
            "text": self.text,
            "antecedents": [dict(vars(a)) for a in self.antecedents],
            "conclusion": self.conclusion,
            "scores": [[c, v] for c, v in self.scores.items()],
            "typical": dict(self.typical),
            "outside": list(self.outside),
            "movers": [dict(vars(m)) for m in self.movers],
            "support": self.support,
            "wins": self.wins,
            "confidence": None if self.confidence is None else [[c, v] for c, v in self.confidence.items()],
            "dead": self.dead,
            "idle": self.idle,
            "clear": self.clear,
            "base_rate": self.base_rate,
            "true_of": [list(pair) for pair in self.true_of],
            "n_rows": self.n_rows,
            "claim": None if self.claim is None else self.claim.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Rule":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        fields = {name: value for name, value in values.items() if name != "text"}  # which follows from the others
        return cls(
            **fields
            | {
                "antecedents": tuple(Antecedent(**antecedent) for antecedent in values["antecedents"]),
                "movers": tuple(Mover(**mover) for mover in values["movers"]),
                "scores": dict(values["scores"]),
                "confidence": None if values["confidence"] is None else dict(values["confidence"]),
                "outside": tuple(values["outside"]),
                "true_of": tuple(map(tuple, values["true_of"])),
                "claim": None if values["claim"] is None else Claim.from_dict(values["claim"]),
            }
        )

    @staticmethod
    def with_later_fields(values: dict[str, Any]) -> dict[str, object]:
        """What ``to_dict`` of an older version returned, with the fields that it lacks."""
        return {**LATER, **values, "antecedents": [{"note": "", **antecedent} for antecedent in values["antecedents"]]}

    def _clipped(self) -> str:
        if not self.outside:
            return ""
        return f", at the edge of the data in {_few(list(self.outside), 3)}, because the rule's centre lies outside the data"

    def _rows(self) -> list[str]:
        """Which rows the rule is about: by firing, and by the sentence."""
        lines = []
        if self.mostly:
            lines.append("No class has more than half of its firing, so it names the classes that together have more.")
        if self.claim is not None:
            lines += self.claim.sentences(self.conclusion, len(self.antecedents))
        elif self.confidence is not None:
            share = percent(self.confidence[self.conclusion])
            of = "" if self.base_rate is None else f" ({percent(self.base_rate)} of all training rows are)"
            lines.append(f"Weighted by its firing level, {share} of its rows are {self.conclusion}{of}.")
        if self.true_of and self.n_rows:
            rows, right = self.true_of[min(max(1, len(self.antecedents)), len(self.true_of)) - 1]
            text = f"The sentence is true of {rows:,} of {self.n_rows:,} training rows"
            known = self.confidence is not None and rows
            lines.append(f"{text}; {right:,} of these ({percent(right / rows)}) are {self.conclusion}." if known else f"{text}.")
        return lines


def _few(items: list[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
