"""Claim: what the training rows and the whole system say of one rule's conclusion. Data and plain text, never markup."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tsk_core.explain.digits import percent
from tsk_core.explain.exported import Label

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
    "coverage": [float],
    "literal": bool,
    "centre_class": Label,
    "n_rows": int,
}
DERIVED = ("lift", "certainty", "dominance")


@dataclass(frozen=True)
class Claim:
    """Shares in [0, 1] of the training rows, each row weighted by the rule's normalised firing level f̄ where "firing" is said.

    confidence: share of the rule's firing on rows of its class, Σ f̄ 1[y=c] / Σ f̄. interval: its 95% bootstrap interval.
    prior: share of the rows that have the class. support: mean f̄, as ``Rule.support``. confused_with: (class, share of the
    rule's firing), the other classes with most of it, largest first. coverage: with at most 1, 2, … conditions, the share of
    rows with f^(1/D) ≥ 0.5, f being the product of the D printed memberships, not normalised. literal: whether the whole
    system says a class that the rule names at the rule's centre; centre_class: the class that it says there. n_rows: rows
    measured.
    """

    confidence: float
    interval: tuple[float, float]
    prior: float
    support: float
    confused_with: tuple[tuple[Label, float], ...]
    coverage: tuple[float, ...]
    literal: bool
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

    def covers(self, conditions: int) -> float:
        """``coverage`` with this number of printed conditions; 1 with none."""
        return self.coverage[min(conditions, len(self.coverage)) - 1] if conditions and self.coverage else 1.0

    def sentences(self, conclusion: Label, conditions: int) -> list[str]:
        """One sentence a metric. conclusion: the class that the metrics are of. conditions: how many are printed."""
        low, high = map(percent, self.interval)
        lines = [
            f"Weighted by its firing level, {percent(self.confidence)} of its rows are {conclusion} (95% interval {low} to"
            f" {high}; {percent(self.prior)} of all training rows are: lift {self.lift:.2f})."
        ]
        if self.confused_with:
            others = ", ".join(f"{name} {percent(share)}" for name, share in self.confused_with)
            lines.append(f"It is confused with: {others}.")
        if not self.literal:
            lines.append(f"At its centre the whole system says {self.centre_class}, since other rules fire there too.")
        if conditions:
            lines.append(f"It covers {percent(self.covers(conditions))} of the training rows.")
        return lines

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        lists = {"interval": list(self.interval), "confused_with": [list(pair) for pair in self.confused_with]}
        derived = {name: getattr(self, name) for name in DERIVED}
        return {**vars(self), **derived, **lists, "coverage": list(self.coverage)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Claim":
        """What ``to_dict`` returned; KeyError or TypeError for anything else."""
        fields = {name: value for name, value in values.items() if name not in DERIVED}
        pairs = tuple((name, share) for name, share in fields["confused_with"])
        tuples = {"interval": tuple(fields["interval"]), "confused_with": pairs, "coverage": tuple(fields["coverage"])}
        return cls(**fields | tuples)


def majority(shares: Sequence[float]) -> list[int]:
    """The positions of the fewest shares that together exceed a half, largest first; all positions where they do not."""
    ranked, total = sorted(range(len(shares)), key=lambda k: -shares[k]), 0.0
    for n, k in enumerate(ranked, 1):
        total += shares[k]
        if total > 0.5:
            return ranked[:n]
    return ranked
