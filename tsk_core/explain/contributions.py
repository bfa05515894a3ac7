"""Why one row got its class: how much each rule fired, and what each added to each class's score."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.explain.reader import firing_levels, rule_outputs

__all__ = ["Contributions", "contributions", "effective_rules", "entropy"]


@dataclass(frozen=True)
class Contributions:
    """N rows, explained.

    firing: (N, R) f̄. contribution: (N, R, C) f̄_r y_r^c. scores: (N, C), its sum over rules.
    entropy: (N,) in [0, log R]. effective: (N,) in [1, R], how many rules share the decision.
    """

    firing: np.ndarray
    contribution: np.ndarray
    scores: np.ndarray
    entropy: np.ndarray
    effective: np.ndarray


def contributions(rules: dict[str, Any], Z: Any, mask: np.ndarray | None = None) -> Contributions:
    """Explain rows by an exported rule base.

    Z: (N, D) cleaned, encoded rows in original units; N·R·C numbers are returned, so pass the rows to be shown, not all.
    mask: (R, D) bool, the antecedents to use. DataError if Z does not fit the columns.
    """
    firing = firing_levels(rules, Z, mask)
    contribution = firing[:, :, None] * rule_outputs(rules, Z)
    spread = entropy(firing)
    return Contributions(firing, contribution, contribution.sum(1), spread, np.exp(spread))


def entropy(firing: np.ndarray) -> np.ndarray:
    """E = −Σ_r f̄_r log f̄_r with 0·log 0 = 0, shape (N,), from 0 (one rule decides) to log R (all share).

    firing: (N, R) ≥ 0. Rows that sum to less than 1 (kind "paper" where all rules underflow) are taken as they are.
    """
    firing = np.asarray(firing, float)
    logs = np.log(firing, out=np.zeros_like(firing), where=firing > 0)
    return np.maximum(-(firing * logs).sum(1), 0.0)


def effective_rules(firing: np.ndarray) -> np.ndarray:
    """exp(E), shape (N,): how many rules share each row's decision."""
    return np.exp(entropy(firing))
