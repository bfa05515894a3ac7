"""What training minimises, for each model of a stack."""

from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

__all__ = ["LOSS_PARTS", "Objective"]

LOSS_PARTS = ("cross-entropy", "L2", "UR", "shrinkage", "sharpness", "covering", "L1")  # in the order of ``Step.losses``


@dataclass
class Objective:
    """L = CE + α Σ b² + λ Σ_r (mean f̄_r − τ)² + κ Σ_r ‖b_r − mean_r b_r‖² + ρ mean H(f̄) + ζ mean Σ_r f̄_r (−z_r) + γ Σ 1/|σ|.

    H(f̄) = −Σ_r f̄_r log f̄_r, the entropy of a row's firing levels; −z_r, a row's distance to rule r, divided by the temperature of
    the softmax. The sums are over consequents b, which are the slopes of a first-order and the constants of a zero-order model,
    over rules, and over all antecedents; the means are over the rows of a batch. κ is without effect on a zero-order model, whose
    rules differ in nothing but their constants.

    ur_weight (λ), ur_target (τ), l2 (α), shrinkage (κ), sharpness (ρ), covering (ζ), l1 (γ): (M,). firing: the normalisation, for
    all. trains_gamma: (M,) 1 or 0 where models with and without batch normalisation share a stack, else None. drop_rule: (M,) in
    [0, 1), the probability that a row of a batch goes without a rule, or None where no model's does.
    """

    firing: str
    ur_weight: Tensor
    ur_target: Tensor
    l2: Tensor
    shrinkage: Tensor
    sharpness: Tensor
    covering: Tensor
    l1: Tensor
    trains_gamma: Tensor | None = None
    drop_rule: Tensor | None = None

    def take(self, models: list[int]) -> "Objective":
        """The objective of the given models of the stack."""
        weights: dict[str, Any] = {name: value[models] for name, value in vars(self).items() if isinstance(value, Tensor)}
        return replace(self, **weights)
