"""Firing levels: from inputs to f̄, and the gradient back. Paper Eqs. 2-6; options of ``TrainConfig.firing``."""

import torch
from torch import Tensor

__all__ = ["PAPER_EPSILON", "log_firing", "normalise", "normalise_backward"]

PAPER_EPSILON = 1e-8  # what the authors' code adds to Σ f; it makes f̄ vanish where every rule underflows


def log_firing(u: Tensor, u_squared: Tensor, centers: Tensor, inverse_variance: Tensor) -> Tensor:
    """z_r = −Σ_d (u_d − m_rd)² / (2σ_rd²), with the square expanded into two matrix products.

    u, u_squared: (M, B, D); centers, inverse_variance (1/σ²): (M, R, D). Returns (M, B, R).
    In float32 the expansion loses digits at small σ: good for training, not for final predictions.
    """
    slope = centers * inverse_variance  # (M, R, D)
    constant = (centers * slope).sum(-1).mul_(-0.5).unsqueeze(1)  # (M, 1, R)
    z = torch.baddbmm(constant, u, slope.transpose(1, 2))
    return z.baddbmm_(u_squared, inverse_variance.transpose(1, 2), alpha=-0.5)


def normalise(z: Tensor, kind: str, n_features: int) -> Tensor:
    """Firing levels f̄ from log firing levels, over the last axis.

    "softmax": exact and safe from underflow. "paper": exp(z)/(Σ exp(z) + 1e-8), whose sum falls below 1 where all
    rules underflow. "htsk": softmax(z / D) (Cui, Wu, Xu 2021), for high dimension.
    """
    if kind == "paper":
        f = z.exp()
        return f / (f.sum(-1, keepdim=True) + PAPER_EPSILON)
    return torch.softmax(z / n_features if kind == "htsk" else z, -1)


def normalise_backward(firing: Tensor, grad: Tensor, kind: str, n_features: int) -> Tensor:
    """∂L/∂z from ∂L/∂f̄: f̄ ⊙ (g − Σ f̄ g), the same for "paper", divided by D under "htsk"."""
    weighted = firing * grad
    dz = weighted.addcmul_(firing, weighted.sum(-1, keepdim=True), value=-1)
    return dz.div_(n_features) if kind == "htsk" else dz
