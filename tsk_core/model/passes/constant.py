"""Consequents without slopes (zero order): a rule has one constant for each class, y = Σ_r f̄_r b_r."""

import torch
from torch import Tensor

from tsk_core.model.batches import Batch
from tsk_core.model.objective import Objective
from tsk_core.model.parameters import Parameters

__all__ = ["ConstantConsequents"]


class ConstantConsequents:
    """Class scores of a batch, and the gradient of the constants; shrinkage, which pulls slopes together, has nothing to pull."""

    def __init__(
        self, p: Parameters, grad: Parameters, objective: Objective, firing: Tensor, d_firing: Tensor, d_scores: Tensor
    ) -> None:
        """firing: f̄ of the batch, or f̃ of layer normalisation, (M, R, B). d_firing: receives ∂L by it. d_scores: (M, C, B)."""
        s = self.shape = p.shape
        self.objective, self.firing, self.d_firing, self.d_scores = objective, firing, d_firing, d_scores
        self.constants = p.stored["consequents"].view(s.M, s.C, s.R)
        self.constants_t, self.firing_t = self.constants.transpose(1, 2), firing.transpose(1, 2)
        self.g_constants = grad.stored["consequents"].view(s.M, s.C, s.R)
        self.g_gamma, self.g_beta = grad.stored["gamma"], grad.stored["beta"]
        self.decay = 2 * objective.l2.view(s.M, 1, 1)
        self.squares = torch.zeros_like(self.constants)

    def losses(self) -> list[Tensor]:
        """Sums over the batches run so far of the weighted penalties, (M,) each: L2 and shrinkage."""
        l2 = self.objective.l2 * self.squares.flatten(1).sum(1)
        return [l2, torch.zeros_like(l2)]

    def forget_losses(self) -> None:
        """Reset the sums to 0."""
        self.squares.zero_()

    def score(self, batch: Batch, scores: Tensor) -> None:  # noqa: ARG002 - the constants need no inputs
        """Class scores of the batch, (M, C, B), into ``scores``."""
        torch.bmm(self.constants, self.firing, out=scores)

    def firing_gradient(self) -> None:
        """∂L/∂f̄ = Σ_c b_rc g_oc."""
        torch.bmm(self.constants_t, self.d_scores, out=self.d_firing)

    def gradient(self, batch: Batch) -> None:  # noqa: ARG002
        """∂L/∂b = g_o f̄ᵀ + 2αb. Under "gbn" the antecedents add their share to γ and β afterwards."""
        torch.bmm(self.d_scores, self.firing_t, out=self.g_constants)
        self.g_constants.addcmul_(self.constants, self.decay)
        self.squares.addcmul_(self.constants, self.constants)
        self.g_gamma.zero_()
        self.g_beta.zero_()
