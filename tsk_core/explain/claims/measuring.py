"""The class that the model gives each rule, and the claims of all rules of a model."""

import numpy as np

from tsk_core.explain.claims.claim import Claim
from tsk_core.explain.claims.intervals import confidence_intervals
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import scores

__all__ = ["claims_of", "conclusions_of"]

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
