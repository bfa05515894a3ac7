"""Rule: one fuzzy rule in words and numbers. Data and plain text, never markup: whoever shows it escapes it."""

from dataclasses import dataclass
from typing import Any

from tsk_core.explain.antecedents import Antecedent
from tsk_core.explain.consequents import Mover
from tsk_core.explain.digits import percent

__all__ = ["Rule"]


@dataclass(frozen=True)
class Rule:
    """One rule of a ``RuleBaseSummary``.

    index: its number in the model, from 1. antecedents: those kept, least flat first.
    conclusion: the class with the largest score at the typical case. scores: {class: score there}, summing to 0.
    typical: {column text: value}, the centre clipped into the range of the training rows. outside: columns that were clipped.
    movers: the columns with the largest effects on the scores.
    support: average firing level on the training rows; 1/R is an equal share. wins: share of rows where it is the strongest rule.
    confidence: {class: share of this rule's firing that falls on rows of the class}; None without classes of the
    training rows, or where the rule fires on no row. dead: support below 0.1/R.
    """

    index: int
    antecedents: tuple[Antecedent, ...]
    conclusion: Any
    scores: dict[Any, float]
    typical: dict[str, float]
    outside: tuple[str, ...]
    movers: tuple[Mover, ...]
    support: float
    wins: float
    confidence: dict[Any, float] | None
    dead: bool

    @property
    def name(self) -> str:
        """Such as "Rule 7", by its number in the model."""
        return f"Rule {self.index}"

    @property
    def text(self) -> str:
        """The sentence, such as "IF petal length is high (between 4.4 and 6.1) AND … THEN virginica"."""
        return f"IF {' AND '.join(a.text for a in self.antecedents) or 'anything'} THEN {self.conclusion}"

    def __str__(self) -> str:
        """The sentence and what was measured, in a few lines."""
        if self.dead:
            return f"{self.name} never fires (its average firing level is {self.support:.2g})."
        scores = [f"{c} {v:+.2f}" for c, v in sorted(self.scores.items(), key=lambda item: -item[1])]
        lines = [f"{self.name}: {self.text}", f"  Scores at a typical case: {_few(scores, 5)}{self._clipped()}."]
        if self.movers:
            lines.append(f"  Largest effects on the scores: {'; '.join(m.text for m in self.movers)}.")
        lines.append(f"  {self._measured()}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
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
            }
        )

    def _clipped(self) -> str:
        if not self.outside:
            return ""
        return f", at the edge of the data in {_few(list(self.outside), 3)}, because the rule's centre lies outside the data"

    def _measured(self) -> str:
        text = f"Average firing level {percent(self.support)}; strongest rule for {percent(self.wins)} of training rows"
        if self.confidence is None:
            return f"{text}."
        share = percent(self.confidence[self.conclusion])
        return f"{text}; {share} of its firing falls on rows of class {self.conclusion}."


def _few(items: list[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
