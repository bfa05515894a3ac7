"""Claim: what a rule's firing on the training rows and the whole system say of its class. Data and plain text, never markup."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tsk_core.explain.exported import Label
from tsk_core.numbers import percent

__all__ = ["CLAIM", "Claim", "majority"]

CLAIM = {  # the shape of ``Claim.to_dict``, as ``shapes.check`` reads it
    "confidence": float,
    "interval": (float, float),
    "prior": float,
    "lift": float,
    "certainty": float,
    "support": float,
    "dominance": float,
    "confused_with": [(Label, float)],
    "centre_class": Label,
    "n_rows": int,
}
DERIVED = ("lift", "certainty", "dominance")
ROUNDING = 1e-9  # of a sum of shares


@dataclass(frozen=True)
class Claim:
    """Shares in [0, 1] of the training rows, each row weighted by the rule's normalised firing level f̄ where "firing" is said.

    confidence: share of the rule's firing on rows of its class, Σ f̄ 1[y=c] / Σ f̄. interval: its 95% interval.
    prior: share of the rows that have the class. support: mean f̄, as ``Rule.support``. confused_with: (class, share of the
    rule's firing), the other classes with most of it, largest first. centre_class: the class that the whole system says at the
    rule's centre. n_rows: rows measured. The class of a rule is ``Rule.model_class`` here, whatever its sentence names.
    """

    confidence: float
    interval: tuple[float, float]
    prior: float
    support: float
    confused_with: tuple[tuple[Label, float], ...]
    centre_class: Label
    n_rows: int

    @property
    def lift(self) -> float:
        """Confidence / prior: how many times as often the rule's rows have the class as all rows; 0 where no row has it."""
        return self.confidence / self.prior if self.prior else 0.0

    @property
    def certainty(self) -> float:
        """2·confidence − 1, in [−1, 1]: the class's share less the share of all others; not positive: it is no majority."""
        return 2 * self.confidence - 1

    @property
    def dominance(self) -> float:
        """Support × confidence = mean f̄·1[y=c], the support of "IF … THEN c"; rules are listed by it, largest first."""
        return self.support * self.confidence

    def penalised(self, n_classes: int) -> float:
        """Confidence less the mean share of the other C − 1 classes; with two classes the same as ``certainty``."""
        return self.confidence - (1 - self.confidence) / max(1, n_classes - 1)

    def sentences(self, model_class: Label, then: str | None = None) -> list[str]:
        """One sentence a metric. model_class: the class that the metrics are of. then: what the rule's sentence names, where that
        is another class.
        """
        low, high = map(percent, self.interval)
        lines = [
            f"Confidence: of the training rows, weighted by the rule's firing level, {percent(self.confidence)} are {model_class}"
            f" (95% interval {low} to {high}); {percent(self.prior)} of all training rows are, so lift is"
            f" {self.lift:.2f}."
        ]
        if then is not None:
            lines.append(
                f"By its firing levels the rule stands for {model_class}; by the rows of which its sentence is true, for {then},"
                " since it also fires where a printed condition does not hold."
            )
        lines.append(
            f"Certainty {self.certainty:+.2f} (twice the confidence, minus 1); dominance {self.dominance:.3f} (average firing"
            " level times confidence), which orders the rules."
        )
        if self.confused_with:
            others = ", ".join(f"{name} {percent(share)}" for name, share in self.confused_with)
            lines.append(f"Largest shares of the rest of its firing: {others}.")
        if self.centre_class != model_class:
            lines.append(f"At its centre the whole system predicts {self.centre_class}.")
        return lines

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        lists = {"interval": list(self.interval), "confused_with": [list(pair) for pair in self.confused_with]}
        derived = {name: getattr(self, name) for name in DERIVED}
        return {**vars(self), **derived, **lists}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Claim":
        """What ``to_dict`` returned; KeyError or TypeError for anything else."""
        fields = {name: value for name, value in values.items() if name not in DERIVED}
        pairs = tuple((name, share) for name, share in fields["confused_with"])
        return cls(**fields | {"interval": tuple(fields["interval"]), "confused_with": pairs})


def majority(shares: Sequence[float]) -> list[int]:
    """The positions of the fewest shares that together exceed a half, largest first; all positions where they do not."""
    ranked, total = sorted(range(len(shares)), key=lambda k: -shares[k]), 0.0
    for n, k in enumerate(ranked, 1):
        total += shares[k]
        if total > 0.5 + ROUNDING:
            return ranked[:n]
    return ranked
