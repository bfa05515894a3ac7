"""One training step's loss and exact gradient, in closed form over the model axis; no autograd graph, nothing allocated.

Derivation: with g_o = ∂L/∂o for the class scores o, the gradient reaches the consequents through G = f̄ ⊗ g_o and the
antecedents through ∂L/∂f̄. Batch normalisation is an affine map of the standardised input x̂⁰, so it folds into the
consequents (b·γ, b_0 + Σ b β) in the forward pass and unfolds in the backward pass; only "gbn" also reaches the antecedents'
input. Every variant is checked against autograd in float64.

At these sizes a step is some fifty small operations whose fixed costs dominate. So constants are a last column of the inputs,
one product gives a gradient and its bias, and every result is written into a preallocated buffer. The batch is the last axis
wherever rules or classes are summed over, so that vector instructions do all of it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from tsk_core.model.batches import Batch
from tsk_core.model.firing import PAPER_EPSILON, temperature
from tsk_core.model.parameters import Parameters

__all__ = ["Objective", "Step"]


@dataclass
class Objective:
    """What the stack minimises, per model: L = CE + α Σ b² + λ Σ_r (mean f̄_r − τ)² + κ Σ_r ‖b_r − mean_r b_r‖².

    ur_weight (λ), ur_target (τ), l2 (α), shrinkage (κ): (M,). firing: the normalisation, for all.
    trains_gamma: (M,) 1 or 0 where models with and without batch normalisation share a stack, else None.
    """

    firing: str
    ur_weight: Tensor
    ur_target: Tensor
    l2: Tensor
    shrinkage: Tensor
    trains_gamma: Tensor | None = None

    def take(self, models: list[int]) -> "Objective":
        """The objective of the given models of the stack."""
        mask = None if self.trains_gamma is None else self.trains_gamma[models]
        ur_weight, ur_target, l2, shrinkage = (t[models] for t in (self.ur_weight, self.ur_target, self.l2, self.shrinkage))
        return Objective(self.firing, ur_weight, ur_target, l2, shrinkage, mask)


class Step:
    """Loss and gradient of mini-batches of one size, for one stack.

    ``run`` writes the gradient into the stack's ``grad`` and adds the batch's loss parts to what ``losses`` gives.
    """

    def __init__(self, p: Parameters, grad: Parameters, objective: Objective, batch_size: int) -> None:
        """Allocate the buffers of one batch. p, grad: the stack's parameters and gradient; objective: as it will stay."""
        self.p, self.grad, self.objective, self.B = p, grad, objective, batch_size
        s = self.shape = p.shape
        M, R, D, C, B = s.M, s.R, s.D, s.C, batch_size
        self.temperature = temperature(objective.firing, D)

        def buffer(*sizes: int) -> Tensor:
            return torch.zeros(sizes, dtype=p.buffer.dtype, device=p.buffer.device)

        # Taking a view costs as much as a small product, so each is taken once, here.
        self.centers, self.sigmas = p.stored["centers"], p.stored["sigmas"]  # (M, D, R)
        weights = p.stored["consequents"].view(M, D + 1, C * R)  # b, b_0
        self.weights, self.biases = weights[:, :D], weights[:, D:]
        self.weights_t = self.weights.transpose(1, 2)
        self.gamma, self.beta = p.stored["gamma"], p.stored["beta"]  # (M, D, G)
        self.beta_t = self.beta.transpose(1, 2)
        self.g_centers, self.g_sigmas = grad.stored["centers"], grad.stored["sigmas"]
        self.g_consequents = grad.stored["consequents"].view(M, D + 1, C * R)
        self.g_weights, self.g_biases = self.g_consequents[:, :D], self.g_consequents[:, D:]
        self.g_gamma, self.g_beta = grad.stored["gamma"], grad.stored["beta"]
        self.g_beta_t = self.g_beta.transpose(1, 2)

        antecedents = buffer(M, 2 * D + 1, R)  # m/σ², 1/σ², Σ m²/σ²: [u, −u²/2, −1/2] times it is z
        self.antecedents_t = antecedents.transpose(1, 2)
        self.slope, self.inverse, self.constant = antecedents[:, :D], antecedents[:, D : 2 * D], antecedents[:, 2 * D]
        folded = weights if s.batch_norm == "none" else buffer(M, D + 1, C * R)  # b γ, b_0 + Σ b β
        self.folded_t = folded.transpose(1, 2)
        self.folded_weights, self.folded_biases = folded[:, :D], folded[:, D:]
        self.bias_shift = buffer(M, 1, C * R)  # Σ b β
        self.z, self.firing, self.dz = buffer(M, R, B), buffer(M, R, B), buffer(M, R, B)
        self.dz_t = self.dz.transpose(1, 2)
        self.rule_scores, self.flow = buffer(M, C, R, B), buffer(M, C, R, B)  # flow: G = g_o ⊗ f̄
        self.rule_scores_flat, self.flow_t = self.rule_scores.view(M, C * R, B), self.flow.view(M, C * R, B).transpose(1, 2)
        self.flow_of_classes, self.d_firing = self.flow.view(M, C, R * B), buffer(M, R, B)
        self.d_firing_flat, self.ones_of_classes = self.d_firing.view(M, 1, R * B), buffer(M, 1, C).fill_(1)
        self.scores, self.log_p, self.d_scores = buffer(M, C, B), buffer(M, C, B), buffer(M, C, B)
        self.firing_of_rules, self.d_scores_of_classes = self.firing.unsqueeze(1), self.d_scores.unsqueeze(2)
        self.firing_sums, self.pull = buffer(M, R, 1), buffer(M, R, 1)
        moments = buffer(M, 2 * D + 1, R)  # [u, −u²/2, −1/2] dz
        self.moments = moments
        self.first, self.second, self.total = moments[:, :D], moments[:, D : 2 * D], moments[:, 2 * D :]
        self.scratch, self.zeros = buffer(M, D, R), buffer(M, D, R)
        ur_pull = (2 / B) * objective.ur_weight.view(M, 1, 1)
        self.ur_pull_of_sums, self.minus_target_pull = ur_pull / B, -ur_pull * objective.ur_target.view(M, 1, 1)
        self.decay = 2 * (objective.l2 + objective.shrinkage).view(M, 1, 1)
        # Without shrinkage its operations are left out; a model without it in a stack with it subtracts exact zeros.
        self.shrinks = bool((objective.shrinkage > 0).any())
        self.minus_pull_to_shared = -2 * objective.shrinkage.view(M, 1, 1, 1)
        self.rules_of_weights, self.rules_of_g_weights = (w.view(M, D, C, R) for w in (self.weights, self.g_weights))
        self.shared, self.shared_squares = buffer(M, D, C, 1), buffer(M, D, C, 1)  # mean_r b_r
        # The losses' summands, accumulated element by element over the batches and summed at the end of the epoch.
        self.cross_entropies, self.squares, self.pulls = buffer(M, C, B), buffer(M, D, C * R), buffer(M, R, 1)
        self.u = buffer(M, 2 * D + 1, B if s.batch_norm == "gbn" else 0).fill_(-0.5)

    @property
    def losses(self) -> Tensor:
        """Sums over the batches run so far of the weighted parts, (4, M): cross-entropy, L2, UR, shrinkage."""
        ur_weight = self.objective.ur_weight
        to_loss = torch.where(ur_weight > 0, self.B**2 / (4 * ur_weight), 0.0)  # of (2λ/B · (mean f̄ − τ))²
        parts = [tensor.flatten(1).sum(1) for tensor in (self.cross_entropies, self.squares, self.pulls)]
        # Σ_r ‖b_r − mean b‖² = Σ b² − R ‖mean b‖²
        spread = (parts[1] - self.shape.R * self.shared_squares.flatten(1).sum(1)).clamp_(min=0)
        return torch.stack([parts[0], self.objective.l2 * parts[1], to_loss * parts[2], self.objective.shrinkage * spread])

    def forget_losses(self) -> None:
        """Reset the sums to 0."""
        for tensor in (self.cross_entropies, self.squares, self.pulls, self.shared_squares):
            tensor.zero_()

    def run(self, batch: Batch) -> None:
        """One batch: gradient and loss parts."""
        inputs = batch.antecedent_inputs
        if inputs is None:
            inputs = self._shared_inputs(batch)
        self._fire(inputs)
        self._score(batch)
        self._pull_firing()
        self._antecedent_gradient(inputs)
        self._consequent_gradient(batch)

    def _shared_inputs(self, batch: Batch) -> Tensor:
        """Under "gbn" antecedents see u = γ x̂⁰ + β, so their inputs depend on the parameters: (M, 2D+1, B)."""
        D = self.shape.D
        u, halved = self.u[:, :D], self.u[:, D : 2 * D]
        torch.addcmul(self.beta, self.gamma, batch.consequent_inputs[:, :D], out=u)
        torch.mul(u, u, out=halved).mul_(-0.5)
        return self.u

    def _fire(self, inputs: Tensor) -> None:
        """f̄ of the batch, (M, R, B), from z = m/σ²·u − u²/(2σ²) − Σ m²/(2σ²): ``firing.log_membership``, expanded and summed."""
        torch.mul(self.sigmas, self.sigmas, out=self.inverse).reciprocal_()
        torch.mul(self.centers, self.inverse, out=self.slope)
        torch.mul(self.centers, self.slope, out=self.scratch)
        torch.sum(self.scratch, 1, out=self.constant)
        torch.bmm(self.antecedents_t, inputs, out=self.z)
        if self.objective.firing == "paper":
            torch.exp(self.z, out=self.firing)
            self.firing /= self.firing.sum(1, keepdim=True) + PAPER_EPSILON
            return
        if self.temperature != 1:
            self.z.div_(self.temperature)
        torch.softmax(self.z, 1, out=self.firing)

    def _score(self, batch: Batch) -> None:
        """Class scores (M, C, B), cross-entropy, and ∂L/∂scores = w (softmax − onehot), w the rows' weights."""
        if self.shape.batch_norm != "none":
            self._fold()
        torch.bmm(self.folded_t, batch.consequent_inputs, out=self.rule_scores_flat)
        torch.mul(self.rule_scores, self.firing_of_rules, out=self.flow)
        torch.sum(self.flow, 2, out=self.scores)
        torch.log_softmax(self.scores, 1, out=self.log_p)
        self.cross_entropies.addcmul_(self.log_p, batch.minus_target)
        torch._log_softmax_backward_data(batch.minus_target, self.log_p, 1, self.log_p.dtype, out=self.d_scores)

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

    def _pull_firing(self) -> None:
        """∂L/∂z = f̄ ⊙ (df − Σ f̄ df), the same for "paper", divided by the temperature; df has UR's pull in it."""
        torch.mul(self.rule_scores, self.d_scores_of_classes, out=self.flow)
        torch.bmm(self.ones_of_classes, self.flow_of_classes, out=self.d_firing_flat)  # a sum over so few takes longer
        torch.sum(self.firing, 2, keepdim=True, out=self.firing_sums)
        torch.addcmul(self.minus_target_pull, self.firing_sums, self.ur_pull_of_sums, out=self.pull)  # (2λ/B)(mean f̄ − τ)
        self.pulls.addcmul_(self.pull, self.pull)
        self.d_firing.add_(self.pull)
        torch._softmax_backward_data(self.d_firing, self.firing, 1, self.firing.dtype, grad_input=self.dz)
        if self.temperature != 1:
            self.dz.div_(self.temperature)

    def _antecedent_gradient(self, inputs: Tensor) -> None:
        """∂L/∂m = (dz·u − mΣdz)/σ², ∂L/∂σ = (dz·u² − 2m dz·u + m²Σdz)/σ³; ``moments`` holds u² and 1 times −½.

        This is dz times the gradient of ``firing.log_membership``, summed over the batch.
        """
        torch.bmm(inputs, self.dz_t, out=self.moments)
        torch.addcmul(self.first, self.centers, self.total, value=2, out=self.scratch)  # dz·u − mΣdz
        torch.mul(self.scratch, self.inverse, out=self.g_centers)
        self.scratch.add_(self.first)
        torch.addcmul(self.second, self.centers, self.scratch, value=0.5, out=self.scratch)
        self.scratch.mul_(self.inverse)
        torch.addcdiv(self.zeros, self.scratch, self.sigmas, value=-2, out=self.g_sigmas)

    def _consequent_gradient(self, batch: Batch) -> None:
        """∂L/∂b, ∂L/∂b_0 and, under batch normalisation, ∂L/∂γ and ∂L/∂β; the penalties' sums on the way."""
        torch.mul(self.firing_of_rules, self.d_scores_of_classes, out=self.flow)
        torch.bmm(batch.consequent_inputs, self.flow_t, out=self.g_consequents)
        if self.shape.batch_norm != "none":
            self._unfold()
        self.g_weights.addcmul_(self.weights, self.decay)
        self.squares.addcmul_(self.weights, self.weights)
        if self.shrinks:  # 2κ(b_r − mean b): the first part is in ``decay``
            torch.mean(self.rules_of_weights, 3, keepdim=True, out=self.shared)
            self.rules_of_g_weights.addcmul_(self.shared, self.minus_pull_to_shared)
            self.shared_squares.addcmul_(self.shared, self.shared)
        if self.shape.batch_norm == "gbn":
            self._input_gradient(batch)
        if self.objective.trains_gamma is not None:
            self.g_gamma.mul_(self.objective.trains_gamma.view(-1, 1, 1))
            self.g_beta.mul_(self.objective.trains_gamma.view(-1, 1, 1))

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

    def _input_gradient(self, batch: Batch) -> None:
        """The antecedents' share of ∂L/∂γ and ∂L/∂β under "gbn", where their input is u = γ x̂⁰ + β."""
        D = self.shape.D
        x0, u = batch.consequent_inputs[:, :D], self.u[:, :D]
        du = torch.bmm(self.slope, self.dz) - u * torch.bmm(self.inverse, self.dz)  # (M, D, B)
        self.g_beta += du.sum(2, keepdim=True)
        self.g_gamma += (du * x0).sum(2, keepdim=True)
