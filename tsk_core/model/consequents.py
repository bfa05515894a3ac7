"""Consequents with slopes (first order), y = Σ_r f̄_r (b_r0 + Σ_d b_rd x̂_d), and without (zero order), y = Σ_r f̄_r b_r.

Batch normalisation is an affine map of the standardised input x̂⁰, so it folds into the consequents (b·γ, b_0 + Σ b β) in the
forward pass and unfolds in the backward pass.
"""

import torch
from torch import Tensor

from tsk_core.model.batches import Batch
from tsk_core.model.parameters import Objective, Parameters


class LinearConsequents:
    """Class scores of a batch, and the gradient of b, b_0, γ and β."""

    def __init__(
        self, p: Parameters, grad: Parameters, objective: Objective, firing: Tensor, d_firing: Tensor, d_scores: Tensor
    ) -> None:
        """firing: f̄ of the batch, or f̃ of layer normalisation, (M, R, B). d_firing: receives ∂L by it. d_scores: (M, C, B)."""
        s = self.shape = p.shape
        self.objective, self.d_firing = objective, d_firing
        M, R, D, C, B = s.M, s.R, s.D, s.C, firing.shape[2]

        weights = p.stored["consequents"].view(M, D + 1, C * R)  # b, b_0
        self.weights, self.biases = weights[:, :D], weights[:, D:]
        self.weights_t = self.weights.transpose(1, 2)
        self.gamma, self.beta = p.stored["gamma"], p.stored["beta"]  # (M, D, G)
        self.beta_t = self.beta.transpose(1, 2)
        self.g_consequents = grad.stored["consequents"].view(M, D + 1, C * R)
        self.g_weights, self.g_biases = self.g_consequents[:, :D], self.g_consequents[:, D:]
        self.g_gamma, self.g_beta = grad.stored["gamma"], grad.stored["beta"]
        self.g_beta_t = self.g_beta.transpose(1, 2)
        folded = weights if s.batch_norm == "none" else p.zeros(M, D + 1, C * R)  # b γ, b_0 + Σ b β
        self.folded_t = folded.transpose(1, 2)
        self.folded_weights, self.folded_biases = folded[:, :D], folded[:, D:]
        self.bias_shift = p.zeros(M, 1, C * R)  # Σ b β
        self.rule_scores, self.flow = p.zeros(M, C, R, B), p.zeros(M, C, R, B)  # flow: G = g_o ⊗ f̄
        self.rule_scores_flat, self.flow_t = self.rule_scores.view(M, C * R, B), self.flow.view(M, C * R, B).transpose(1, 2)
        self.flow_of_classes, self.d_firing_flat = self.flow.view(M, C, R * B), d_firing.view(M, 1, R * B)
        self.ones_of_classes = p.zeros(M, 1, C).fill_(1)
        self.firing_of_rules, self.d_scores_of_classes = firing.unsqueeze(1), d_scores.unsqueeze(2)
        self.decay = 2 * (objective.l2 + objective.shrinkage).view(M, 1, 1)
        # Without shrinkage its operations are left out; a model without it in a stack with it subtracts exact zeros.
        self.shrinks = bool((objective.shrinkage > 0).any())
        self.minus_pull_to_shared = -2 * objective.shrinkage.view(M, 1, 1, 1)
        self.rules_of_weights, self.rules_of_g_weights = (w.view(M, D, C, R) for w in (self.weights, self.g_weights))
        self.shared, self.shared_squares = p.zeros(M, D, C, 1), p.zeros(M, D, C, 1)  # mean_r b_r
        self.squares = p.zeros(M, D, C * R)

    def losses(self) -> list[Tensor]:
        """Sums over the batches run so far of the weighted penalties, (M,) each: L2 and shrinkage."""
        squares = self.squares.flatten(1).sum(1)
        # Σ_r ‖b_r − mean b‖² = Σ b² − R ‖mean b‖²
        spread = (squares - self.shape.R * self.shared_squares.flatten(1).sum(1)).clamp_(min=0)
        return [self.objective.l2 * squares, self.objective.shrinkage * spread]

    def forget_losses(self) -> None:
        """Reset the sums to 0."""
        self.squares.zero_()
        self.shared_squares.zero_()

    def score(self, batch: Batch, scores: Tensor) -> None:
        """Class scores of the batch, (M, C, B), into ``scores``."""
        if self.shape.batch_norm != "none":
            self._fold()
        torch.bmm(self.folded_t, batch.linear_inputs, out=self.rule_scores_flat)
        torch.mul(self.rule_scores, self.firing_of_rules, out=self.flow)
        torch.sum(self.flow, 2, out=scores)

    def firing_gradient(self) -> None:
        """∂L/∂f̄ = Σ_c g_oc y_rc."""
        torch.mul(self.rule_scores, self.d_scores_of_classes, out=self.flow)
        torch.bmm(self.ones_of_classes, self.flow_of_classes, out=self.d_firing_flat)  # a sum over so few takes longer

    def gradient(self, batch: Batch) -> None:
        """∂L/∂b, ∂L/∂b_0 and, under batch normalisation, ∂L/∂γ and ∂L/∂β; the penalties' sums on the way."""
        torch.mul(self.firing_of_rules, self.d_scores_of_classes, out=self.flow)
        torch.bmm(batch.linear_inputs, self.flow_t, out=self.g_consequents)
        if self.shape.batch_norm != "none":
            self._unfold()
        self.g_weights.addcmul_(self.weights, self.decay)
        self.squares.addcmul_(self.weights, self.weights)
        if self.shrinks:  # 2κ(b_r − mean b): the first part is in ``decay``
            torch.mean(self.rules_of_weights, 3, keepdim=True, out=self.shared)
            self.rules_of_g_weights.addcmul_(self.shared, self.minus_pull_to_shared)
            self.shared_squares.addcmul_(self.shared, self.shared)

    def _fold(self) -> None:
        """Consequents that take x̂⁰ directly: b γ and b_0 + Σ_d b_d β_d (the paper's printed "β D" is wrong)."""
        s = self.shape
        if s.batch_norm == "rbn":
            rules = (s.M, s.D, s.C, s.R)
            weights, folded = self.weights.view(rules), self.folded_weights.view(rules)
            torch.mul(weights, self.beta.unsqueeze(2), out=folded)
            torch.sum(self.folded_weights, 1, keepdim=True, out=self.bias_shift)
            torch.mul(weights, self.gamma.unsqueeze(2), out=folded)
        else:
            torch.mul(self.weights, self.gamma, out=self.folded_weights)
            torch.bmm(self.beta_t, self.weights, out=self.bias_shift)
        torch.add(self.biases, self.bias_shift, out=self.folded_biases)

    def _unfold(self) -> None:
        """Gradients of b, γ and β from those of the folded consequents, b's in place of theirs."""
        s, scratch = self.shape, self.folded_weights  # not needed any more
        torch.mul(self.weights, self.g_weights, out=scratch)
        if s.batch_norm == "rbn":
            rules = (s.M, s.D, s.C, s.R)
            scratch, g_weights, constants = scratch.view(rules), self.g_weights.view(rules), self.g_biases.view(s.M, 1, s.C, s.R)
            torch.sum(scratch, 2, out=self.g_gamma)
            torch.mul(self.weights.view(rules), constants, out=scratch)
            torch.sum(scratch, 2, out=self.g_beta)
            g_weights.mul_(self.gamma.unsqueeze(2)).addcmul_(constants, self.beta.unsqueeze(2))
        else:
            torch.sum(scratch, 2, keepdim=True, out=self.g_gamma)
            torch.bmm(self.g_biases, self.weights_t, out=self.g_beta_t)
            self.g_weights.mul_(self.gamma).addcmul_(self.g_biases, self.beta)


# Consequents without slopes (zero order): a rule has one constant for each class, y = Σ_r f̄_r b_r.


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
