"""A trained stack as plain TSK rules: batch normalisation and HTSK merged away, in float64.

Merging is exact. "bn" and "rbn": b' = k b and b_0' = b_0 + Σ_d b_d (β_d − k_d ν_d) with k = γ/√(v+ε).
"gbn" also moves the antecedents, m' = ν + (m − β)/k and σ' = |σ/k|; where k is 0 the membership is a constant that
goes into the rule's log-weight. A softmax at a temperature ("htsk", "scaled") is softmax with σ times the temperature's root.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from tsk_core.model.batch_norm import EPSILON, RunningStatistics
from tsk_core.model.firing import epsilons, firing_temperature, inverse_log, layer_relu, log_membership
from tsk_core.model.parameters import Parameters

__all__ = ["NO_ANTECEDENT", "Rules", "merge"]

NO_ANTECEDENT = 1e18  # σ in a stack's parameters where a rule has no antecedent: z and all gradients are the same as at infinity

_FLAT = 1e-150  # |k| below this: k² leaves float64's range, the membership is constant


@dataclass
class Rules:
    """M plain TSK rule bases, float64. Firing: softmax of z, or exp(z)/(Σ exp(z) + epsilon) where epsilon > 0, or
    1/(log_epsilon − z), normalised, where log_epsilon > 0.

    log_weights: (M, R), added to the log firing level. centers, sigmas: (M, R, D), σ > 0, σ = inf where an antecedent
    was dropped. weights: (M, R, C, D). biases: (M, R, C). scale, shift: γ and β of layer normalisation, (M, R), or None without
    it.
    """

    log_weights: Tensor
    centers: Tensor
    sigmas: Tensor
    weights: Tensor
    biases: Tensor
    epsilon: float = 0.0
    log_epsilon: float = 0.0
    scale: Tensor | None = None
    shift: Tensor | None = None

    def tensors(self) -> tuple[Tensor, ...]:
        """The five tensors in the order of the constructor, and ``layer``."""
        return self.log_weights, self.centers, self.sigmas, self.weights, self.biases, *self.layer

    @property
    def layer(self) -> tuple[Tensor, ...]:
        """γ and β of layer normalisation, (M, R) each; empty without it."""
        return () if self.scale is None or self.shift is None else (self.scale, self.shift)

    def take(self, models: list[int]) -> "Rules":
        """A copy of the given models' rules."""
        return self.with_tensors(tensor[models] for tensor in self.tensors())

    def joined(self, n: int) -> "Rules":
        """One rule base of each n successive ones, whose firing levels are normalised over the rules of all n; without ``layer``.

        (M n, R, …) becomes (M, n R, …).
        """
        if n == 1:
            return self
        return self.with_tensors(tensor.reshape(len(tensor) // n, -1, *tensor.shape[2:]) for tensor in self.tensors())

    def with_tensors(self, tensors: Iterable[Tensor]) -> "Rules":
        """Rules of the same normalisation with these tensors, as ``tensors`` gives them."""
        log_weights, centers, sigmas, weights, biases, *layer = tensors
        return Rules(log_weights, centers, sigmas, weights, biases, self.epsilon, self.log_epsilon, *layer)

    def cpu(self) -> "Rules":
        """The same rules in the memory of the processor, wherever they were trained."""
        return self.with_tensors(tensor.cpu() for tensor in self.tensors())

    def firing_levels(self, z: Tensor, dim: int) -> Tensor:
        """f̄ from log firing levels, whose rules are the axis ``dim``."""
        if self.log_epsilon:
            firing = inverse_log(z, self.log_epsilon)
            return firing / firing.sum(dim, keepdim=True)
        if self.epsilon:
            firing = z.exp()
            return firing / (firing.sum(dim, keepdim=True) + self.epsilon)
        return torch.softmax(z, dim)

    def score_weights(self, firing: Tensor, models: slice = slice(None)) -> Tensor:
        """What the rules' scores are multiplied by, from the f̄ of these models, (M, B, R): f̄ itself, or f̃ of ``layer_relu``."""
        if not self.layer:
            return firing
        scale, shift = (tensor[models].unsqueeze(1) for tensor in self.layer)
        return layer_relu(firing, scale, shift)

    def is_finite(self) -> bool:
        """Whether every number is finite; an infinite σ is a dropped antecedent."""
        tensors = (*self.tensors()[:2], *self.tensors()[3:])
        return all(bool(t.isfinite().all()) for t in tensors) and not bool(self.sigmas.isnan().any())

    def in_units(self, mean: Tensor, scale: Tensor) -> "Rules":
        """The same rules over raw inputs, where this one's inputs are (raw − mean)/scale; both (D,)."""
        return replace(
            self,
            centers=mean + scale * self.centers,
            sigmas=scale * self.sigmas,
            weights=self.weights / scale,
            biases=self.biases - self.weights @ (mean / scale),
        )


def merge(p: Parameters, running: RunningStatistics, firing: str) -> Rules:
    """The plain rules with the same predictions as the trained stack in inference mode; tests hold every variant to 1e-10."""
    centers, sigmas = p.centers.double(), p.sigmas()
    weights, biases = p.weights.double(), p.biases.double()
    if not p.shape.slopes:
        weights = weights.new_zeros(*biases.shape, p.shape.D)
    log_weights = torch.zeros_like(biases[..., 0])
    sigmas = torch.where(sigmas < 0.1 * NO_ANTECEDENT, sigmas, torch.inf)
    if p.shape.batch_norm != "none":
        gamma, beta = p.gamma.double(), p.beta.double()  # (M, G, D)
        mean = running.mean.double().unsqueeze(1)  # (M, 1, D)
        k = gamma / (running.variance.double().unsqueeze(1) + EPSILON).sqrt()
        biases = biases + (weights * (beta - k * mean).unsqueeze(2)).sum(-1)
        weights = weights * k.unsqueeze(2)
        if p.shape.batch_norm == "gbn":
            flat = (k.abs() < _FLAT).expand_as(centers)
            log_weights = torch.where(flat, log_membership(beta, centers, sigmas), 0.0).sum(-1)
            safe = torch.where(k.abs() < _FLAT, 1.0, k)
            centers = torch.where(flat, mean, mean + (centers - beta) / safe)
            sigmas = torch.where(flat, torch.inf, (sigmas / safe).abs())
    if (divisor := firing_temperature(firing, p.shape.D)) != 1:
        log_weights = log_weights / divisor
        sigmas = sigmas * divisor**0.5
    # contiguous, so that sums have the same last digit whether the rules were trained or loaded
    log_weights, centers, sigmas = log_weights.contiguous(), centers.contiguous(), sigmas.contiguous()
    layer = (p.scale.double().contiguous(), p.shift.double().contiguous()) if p.shape.layer_norm else ()
    return Rules(log_weights, centers, sigmas, weights.contiguous(), biases.contiguous(), *epsilons(firing), *layer)
