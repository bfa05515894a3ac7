"""What a rule claims, and whether it holds: its class against the classes of the training rows, and against the whole system.

claim.py       one rule's claim: confidence with its interval, lift, certainty, what it is confused with, the class at its centre
measuring.py   the claims of all rules of a model
intervals.py   intervals of confidences

Sources: confidence, lift and support of fuzzy rules: Ishibuchi, Nakashima and Nii (2005); certainty: their penalised certainty
factors; literal truth: after Galende, Gacto, Sainz and Alcalá (2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.evaluate.intervals import FEWEST, percentile_interval, wilson
from tsk_core.explain.exported import ExportedRules, Label, scores
from tsk_core.explain.measures import evenly_spaced
from tsk_core.numbers import percent

# Claim: what a rule's firing on the training rows and the whole system say of its class. Data and plain text, never markup.


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


# Bootstrap intervals of the rules' confidences: rows are drawn again, and each draw gives each rule another confidence.
#
# Vectorised over rules: with weights w of the rows, one row of W a draw, all confidences are W(f̄·1[y=c]) / Wf̄, two products of
# matrices. Tables of many rows take a bag of little bootstraps (Kleiner, Talwalkar, Sarkar and Jordan 2014): as many rows are
# drawn as the table has, but from an evenly spaced part of them, so that the interval has the width that all rows deserve. Rows
# that belong together are drawn together. Where hardly a row is a mistake, or hardly one is right, a draw cannot tell; then it is
# Wilson's interval of as many rows as the rule's firing is worth.


DRAWS = 400
MOST_ROWS = 2_000  # distinct rows that are drawn from


def confidence_intervals(firing: np.ndarray, own: np.ndarray, seed: int = 0, groups: np.ndarray | None = None) -> np.ndarray:
    """The 95% interval of each rule's confidence, (R, 2) in [0, 1]; NaN for a rule that fires on no row.

    firing: (N, R) normalised firing levels. own: (N, R) bool, whether the row has the rule's class. The same seed gives the
    same draws. groups: (N,) integers from 0, equal in rows that belong together; None for rows alone.
    """
    fired, covered = firing, firing * own
    if groups is not None:
        fired, covered = _summed(fired, groups), _summed(covered, groups)
    n_units, total = len(fired), fired.sum(0)
    with np.errstate(invalid="ignore"):
        whole = covered.sum(0) / total
    part = evenly_spaced(n_units, MOST_ROWS)
    f, c = fired[part], covered[part]
    drawn = np.random.default_rng(seed).multinomial(n_units, np.full(len(part), 1 / len(part)), size=DRAWS).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = c.sum(0) / f.sum(0)  # of the part; the interval is moved to that of all rows
        values = (drawn @ c) / (drawn @ f) - centre + whole  # (draws, R); NaN without firing
    result = np.full((firing.shape[1], 2), np.nan)
    # Mistakes in the tail of a rule's firing are many rows, and yet next to nothing beside one row at its centre.
    worths = _worth(fired)
    few = np.minimum(_worth(covered), _worth(fired - covered)) < FEWEST
    few |= np.minimum(whole, 1 - whole) * worths < FEWEST
    for r, worth in enumerate(worths):
        if np.isfinite(whole[r]):  # a draw may leave out every row on which the rule fires
            interval = None if few[r] else percentile_interval(values[:, r], n_units)
            result[r] = np.clip(interval or wilson(whole[r] * worth, worth), 0.0, 1.0)
    return result


def _summed(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Over the rows of each group that has some, (G, R)."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.zeros((int(codes.max()) + 1, values.shape[1]))
    np.add.at(sums, codes, values)
    return sums


def _worth(weights: np.ndarray) -> np.ndarray:
    """How many equal weights the weights (N, R) are worth, (Σw)²/Σw² (Kish), (R,); 0 where all are 0."""
    squares = (weights**2).sum(0)
    worth: np.ndarray = np.divide(weights.sum(0) ** 2, squares, out=np.zeros(weights.shape[1]), where=squares > 0)
    return worth


# The class that the model gives each rule, and the claims of all rules of a model.


CONFUSED = 0.05  # least share of a rule's firing on another class that is told
MOST_CONFUSED = 3  # classes


def conclusions_of(confidence: np.ndarray | None, firing: np.ndarray, predicted: np.ndarray, at_centre: np.ndarray) -> np.ndarray:
    """The class that a model of first order gives each rule, as positions (R,): the class with the largest confidence.

    confidence: (R, C), NaN for a rule that fires on no row; None where the rows' classes are unknown: then the class that the
    model predicts for most of the rule's firing. firing: (N, R); predicted: (N,) classes by the whole model. at_centre: (R,) the
    class with the rule's largest score at its centre, for rules that fire on no row.
    """
    if confidence is None:
        onehot = predicted[:, None] == np.arange(predicted.max(initial=0) + 1)
        confidence = firing.T @ onehot.astype(float)
    fires = firing.sum(0) > 0
    return np.where(fires, np.where(np.isfinite(confidence), confidence, -1.0).argmax(1), at_centre)


def claims_of(
    source: ExportedRules,
    firing: np.ndarray,
    y_index: np.ndarray,
    conclusions: np.ndarray,
    confidence: np.ndarray,
    typical: np.ndarray,
    groups: np.ndarray | None,
) -> list[Claim | None]:
    """One ``Claim`` per rule; None for a rule that fires on no row.

    source: the exported rules. firing: (N, R) normalised, of N training rows with the class positions y_index (N,).
    conclusions: (R,) class positions; confidence: (R, C), as ``measures.confidence`` gives it. typical: (R, D) the rules'
    centres, in original units. groups: (N,) integers, equal in rows that belong together; None for rows alone.
    """
    names = list(source["classes"])
    own = y_index[:, None] == conclusions
    intervals, support = confidence_intervals(firing, own, groups=groups), firing.mean(0)
    prior, at_centre = own.mean(0), scores(source, typical).argmax(1)
    claims: list[Claim | None] = []
    for r, c in enumerate(conclusions.tolist()):
        if not np.isfinite(confidence[r]).all() or not np.isfinite(intervals[r]).all():
            claims.append(None)
            continue
        claims.append(
            Claim(
                confidence=float(confidence[r, c]),
                interval=tuple(intervals[r].tolist()),
                prior=float(prior[r]),
                support=float(support[r]),
                confused_with=tuple((names[k], float(confidence[r, k])) for k in _confused(confidence[r], c)),
                centre_class=names[at_centre[r]],
                n_rows=len(firing),
            )
        )
    return claims


def _confused(shares: np.ndarray, own: int) -> list[int]:
    """The other classes with most of the rule's firing, largest first."""
    others = [k for k in np.argsort(-shares, kind="stable").tolist() if k != own and shares[k] >= CONFUSED]
    return others[:MOST_CONFUSED]
