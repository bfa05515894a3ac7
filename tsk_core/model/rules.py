"""A trained stack as plain TSK rules, batch normalisation and HTSK merged away; and their firing levels and scores, in float64.

Merging is exact. "bn" and "rbn": b' = k b and b_0' = b_0 + Σ_d b_d (β_d − k_d ν_d) with k = γ/√(v+ε).
"gbn" also moves the antecedents, m' = ν + (m − β)/k and σ' = |σ/k|; where k is 0 the membership is a constant that
goes into the rule's log-weight. A softmax at a temperature ("htsk", "scaled") is softmax with σ times the temperature's root.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from tsk_core.model.batches import EPSILON, RunningStatistics
from tsk_core.model.firing import epsilons, firing_temperature, inverse_log, layer_relu, log_membership
from tsk_core.model.parameters import Parameters

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


# Firing levels and class scores of plain rules in float64, in blocks of rows so that memory stays bounded.


_BLOCK_FLOATS = 2_000_000  # 16 MB of float64 at once


class Expanded:
    """The rules of M models prepared for many rows: the square of the log firing level expanded into matrix products.

    Some five times faster than ``infer``, and good to about 1e-9 at the smallest σ that training allows. The rows are the last
    axis of every result, so that sums over rules and over classes use vector instructions.
    """

    def __init__(self, rules: Rules) -> None:
        """Take rules as they are."""
        M, R, C, D = rules.weights.shape
        self.C, self.rules = C, rules
        inverse = rules.sigmas.square().reciprocal()
        self.slope = rules.centers * inverse  # (M, R, D)
        self.curvature = -0.5 * inverse
        self.constant = (rules.log_weights - 0.5 * (rules.centers * self.slope).sum(-1)).unsqueeze(2)
        self.weights = rules.weights.transpose(1, 2).reshape(M, C * R, D)
        self.biases = rules.biases.transpose(1, 2).reshape(M, C * R, 1)

    def __call__(self, x: Tensor, models: slice = slice(None)) -> tuple[Tensor, Tensor]:
        """Firing levels (M, R, B) and class scores (M, C, B) of each of these models on its own rows x, (M, B, D)."""
        x = x.double()
        rows = x.transpose(1, 2)
        z = torch.baddbmm(self.constant[models], self.slope[models], rows)
        z.baddbmm_(self.curvature[models], x.square().transpose(1, 2))
        firing = self.rules.firing_levels(z, 1)
        rule_scores = torch.baddbmm(self.biases[models], self.weights[models], rows)
        rule_scores = rule_scores.view(len(x), self.C, -1, x.shape[1])  # (M, C, R, B)
        weights = self.rules.score_weights(firing.transpose(1, 2), models).transpose(1, 2)
        return firing, rule_scores.mul_(weights.unsqueeze(1)).sum(2)


def infer(rules: Rules, x: Tensor, *, exact: bool = True) -> tuple[Tensor, Tensor]:
    """Normalised firing levels (M, B, R) and class scores (M, B, C) of one block of rows.

    x: (B, D), the same rows for every model. ``exact`` sums ``log_membership``; without it the square is expanded (``Expanded``).
    """
    M, R, D = rules.centers.shape
    if not exact:
        firing, scores = Expanded(rules)(x.expand(M, -1, -1))
        return firing.transpose(1, 2), scores.transpose(1, 2)
    x = x.double()
    memberships = log_membership(x.view(1, -1, 1, D), rules.centers.unsqueeze(1), rules.sigmas.unsqueeze(1))  # (M, B, R, D)
    z = rules.log_weights.unsqueeze(1) + memberships.sum(-1)
    firing = rules.firing_levels(z, -1)
    rule_scores = torch.baddbmm(
        rules.biases.view(M, 1, -1), x.expand(M, -1, -1), rules.weights.view(M, -1, D).transpose(1, 2)
    ).view(M, x.shape[0], R, -1)
    return firing, (rules.score_weights(firing).unsqueeze(2) @ rule_scores).squeeze(2)


def blocks(rules: Rules, x: Tensor, *, exact: bool = True) -> Iterator[tuple[slice, Tensor, Tensor]]:
    """Yield (rows, firing, scores) over all rows of x, (N, D), block by block."""
    M, R, D = rules.centers.shape
    per_row = M * R * ((D if exact else 1) + rules.biases.shape[-1] + 2)
    size = max(1, _BLOCK_FLOATS // per_row)
    for start in range(0, len(x), size):
        rows = slice(start, min(start + size, len(x)))
        yield rows, *infer(rules, x[rows], exact=exact)


def class_scores(rules: Rules, x: Tensor, *, exact: bool = True) -> Tensor:
    """Class scores (N, C), float64, of the first model for rows x, (N, D)."""
    scores = torch.empty(len(x), rules.biases.shape[-1], dtype=torch.float64, device=x.device)
    for rows, _, block in blocks(rules, x, exact=exact):  # filled in place: pieces to join later would fragment the memory
        scores[rows] = block[0]
    return scores
