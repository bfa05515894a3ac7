"""Why a row got its class: how much each rule fired, and what each added to each class's score."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import firing_levels, read_rules, rule_outputs

__all__ = ["Contributions", "contributions", "entropy"]


@dataclass(frozen=True)
class Contributions:
    """The contributions of each rule to the scores of N rows.

    firing: (N, R) f̄. weights: (N, R), of the rules' scores, which are f̄, or f̃ under layer normalisation. contribution: (N, R, C)
    weight times y_r^c. scores: (N, C), its sum over rules.
    entropy: (N,) in [0, log R]. effective: (N,) in [1, R], exp(entropy), the effective number of rules.
    """

    firing: np.ndarray
    weights: np.ndarray
    contribution: np.ndarray
    scores: np.ndarray
    entropy: np.ndarray
    effective: np.ndarray


def contributions(rules: ExportedRules, Z: ArrayLike, mask: np.ndarray | None = None) -> Contributions:
    """The contributions of an exported rule base's rules.

    Z: (N, D) cleaned, encoded rows in original units. Returns N·R·C numbers, so pass only the rows to show.
    mask: (R, D) bool, the antecedents to use. DataError if Z does not fit the columns.
    """
    firing = firing_levels(rules, Z, mask)
    weights = read_rules(rules).score_weights(firing)
    contribution = weights[:, :, None] * rule_outputs(rules, Z)
    spread = entropy(firing)
    return Contributions(firing, weights, contribution, contribution.sum(1), spread, np.exp(spread))


def entropy(firing: np.ndarray) -> np.ndarray:
    """E = −Σ_r f̄_r log f̄_r with 0·log 0 = 0, shape (N,), from 0 (one rule fires) to log R (all fire equally).

    firing: (N, R) ≥ 0. Rows that sum to less than 1 (kind "paper" where all rules underflow) are not normalised.
    """
    total: np.ndarray = entr(firing).sum(1)
    return np.maximum(total, 0.0)
