"""One training step's loss and exact gradient, in closed form over the model axis; no autograd graph.

Derivation: with g_o = ∂L/∂o for the class scores o, the gradient reaches the consequents through
G = f̄ ⊗ g_o and the antecedents through ∂L/∂f̄. Batch normalisation is an affine map of the standardised
input x̂⁰, so it folds into the consequents (b·γ, b_0 + Σ b β) on the way forth and unfolds on the way back;
only "gbn" also reaches the antecedents' input. Every variant is checked against autograd in float64.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from tsk_core.model.batch_norm import RunningStatistics, standardise
from tsk_core.model.firing import log_firing, normalise, normalise_backward
from tsk_core.model.parameters import Parameters

__all__ = ["Objective", "Step", "loss_and_gradient"]


@dataclass
class Objective:
    """What the stack minimises, per model: L = CE + α Σ b² + λ Σ_r (mean f̄_r − τ)².

    ur_weight (λ), ur_target (τ), l2 (α): (M,). class_weight: (M, C) or None. firing: the normalisation, for all.
    """

    firing: str
    ur_weight: Tensor
    ur_target: Tensor
    l2: Tensor
    class_weight: Tensor | None = None

    def take(self, models: list[int]) -> "Objective":
        """The objective of the given models of the stack."""
        weight = None if self.class_weight is None else self.class_weight[models]
        return Objective(self.firing, self.ur_weight[models], self.ur_target[models], self.l2[models], weight)


@dataclass
class Step:
    """Loss parts of one batch, already weighted, each (M,)."""

    cross_entropy: Tensor
    l2: Tensor
    uniform: Tensor


def loss_and_gradient(
    p: Parameters, running: RunningStatistics, objective: Objective, x: Tensor, y: Tensor, grad: Parameters
) -> Step:
    """Loss of one mini-batch; its gradient is written into ``grad``; ``running`` is updated.

    x: (M, B, D) normalised inputs; y: (M, B) class indices; grad: same shape as p.
    """
    s = p.shape
    M, B, D = x.shape
    x0 = x if s.batch_norm == "none" else standardise(x, running)  # x̂⁰, (M, B, D)
    u = torch.addcmul(p.beta, p.gamma, x0) if s.batch_norm == "gbn" else x  # what the antecedents see
    u2 = u * u
    inverse_variance = (p.sigmas * p.sigmas).reciprocal_()
    firing = normalise(log_firing(u, u2, p.centers, inverse_variance), objective.firing, D)  # (M, B, R)
    weights, biases = _folded_consequents(p)
    rule_scores = torch.baddbmm(biases.view(M, 1, -1), x0, weights.view(M, -1, D).transpose(1, 2))  # (M, B, R·C)
    rule_scores = rule_scores.view(M * B, s.R, s.C)
    scores = torch.bmm(firing.view(M * B, 1, s.R), rule_scores).view(M, B, s.C)

    cross_entropy, d_scores = _cross_entropy(scores, y, objective.class_weight)
    excess = firing.mean(1) - objective.ur_target.unsqueeze(1)  # (M, R)
    d_firing = torch.bmm(rule_scores, d_scores.view(M * B, s.C, 1)).view(M, B, s.R)
    d_firing += ((2 / B) * objective.ur_weight.unsqueeze(1) * excess).unsqueeze(1)
    dz = normalise_backward(firing, d_firing, objective.firing, D)

    _antecedent_gradient(p, dz, u, u2, inverse_variance, grad)
    _consequent_gradient(p, firing, d_scores, x0, objective.l2, grad)
    if s.batch_norm == "gbn":
        _add_input_gradient(p, dz, u, x0, inverse_variance, grad)
    return Step(
        cross_entropy,
        objective.l2 * p.weights.view(M, -1).square().sum(1),
        objective.ur_weight * excess.square().sum(1),
    )


def _folded_consequents(p: Parameters) -> tuple[Tensor, Tensor]:
    """Consequents that take x̂⁰ directly: b γ and b_0 + Σ_d b_d β_d (the paper's printed "β D" is wrong)."""
    if p.shape.batch_norm == "none":
        return p.weights, p.biases
    return p.weights * p.gamma.unsqueeze(2), p.biases + (p.weights * p.beta.unsqueeze(2)).sum(-1)


def _cross_entropy(scores: Tensor, y: Tensor, class_weight: Tensor | None) -> tuple[Tensor, Tensor]:
    """Mean cross-entropy (M,) and its gradient in the scores (M, B, C), class-weighted where asked."""
    log_probabilities = torch.log_softmax(scores, -1)
    index = y.unsqueeze(-1)
    nll = -log_probabilities.gather(-1, index).squeeze(-1)  # (M, B)
    gradient = log_probabilities.exp()
    gradient.scatter_add_(-1, index, torch.full_like(index, -1, dtype=gradient.dtype))
    if class_weight is None:
        return nll.mean(1), gradient.div_(y.shape[1])
    share = class_weight.gather(1, y)
    share = share / share.sum(1, keepdim=True)
    return (nll * share).sum(1), gradient.mul_(share.unsqueeze(-1))


def _antecedent_gradient(p: Parameters, dz: Tensor, u: Tensor, u2: Tensor, inverse_variance: Tensor, grad: Parameters) -> None:
    """∂L/∂m = (dzᵀu − mΣdz)/σ², ∂L/∂σ = (dzᵀu² − 2m dzᵀu + m²Σdz)/σ³."""
    dz_t = dz.transpose(1, 2)
    total = dz.sum(1).unsqueeze(-1)  # (M, R, 1)
    first = torch.bmm(dz_t, u)  # (M, R, D)
    second = torch.bmm(dz_t, u2)
    centred = torch.addcmul(first, p.centers, total, value=-1)  # dzᵀu − mΣdz
    torch.mul(centred, inverse_variance, out=grad.centers)
    spread = second.addcmul_(p.centers, first.add_(centred), value=-1)  # dzᵀu² − m(dzᵀu + dzᵀu − mΣdz)
    torch.mul(spread, inverse_variance, out=grad.sigmas).div_(p.sigmas)


def _consequent_gradient(p: Parameters, firing: Tensor, d_scores: Tensor, x0: Tensor, l2: Tensor, grad: Parameters) -> None:
    """∂L/∂b, ∂L/∂b_0 and, under batch normalisation, the consequents' share of ∂L/∂γ and ∂L/∂β."""
    s = p.shape
    M, B, _ = x0.shape
    flow = (firing.unsqueeze(-1) * d_scores.unsqueeze(2)).view(M, B, s.R * s.C)  # G = f̄ ⊗ g_o
    total = torch.sum(flow, 1, out=grad.biases.view(M, s.R * s.C)).view(M, s.R, s.C, 1)
    products = torch.bmm(flow.transpose(1, 2), x0).view(M, s.R, s.C, s.D)  # Gᵀx̂⁰
    if s.batch_norm == "none":
        grad.weights.copy_(products)
    else:
        axes = 2 if s.batch_norm == "rbn" else (1, 2)
        grad.gamma.copy_((p.weights * products).sum(axes).view_as(p.gamma))
        grad.beta.copy_((p.weights * total).sum(axes).view_as(p.beta))
        torch.mul(products, p.gamma.unsqueeze(2), out=grad.weights).addcmul_(total, p.beta.unsqueeze(2))
    grad.weights.addcmul_(p.weights, l2.view(M, 1, 1, 1), value=2)


def _add_input_gradient(p: Parameters, dz: Tensor, u: Tensor, x0: Tensor, inverse_variance: Tensor, grad: Parameters) -> None:
    """The antecedents' share of ∂L/∂γ and ∂L/∂β under "gbn", where their input is γ x̂⁰ + β."""
    du = torch.bmm(dz, p.centers * inverse_variance) - u * torch.bmm(dz, inverse_variance)  # (M, B, D)
    grad.beta += du.sum(1, keepdim=True)
    grad.gamma += (du * x0).sum(1, keepdim=True)
