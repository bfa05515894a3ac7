"""The parameters of a stack of M equally shaped TSK models, in one flat buffer.

Every tensor leads with the model axis M, so training one model or sixteen is the same code. The flat
buffer lets an elementwise optimiser update everything in one call.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

LOSS_PARTS = ("cross-entropy", "L2", "UR", "shrinkage", "sharpness", "covering", "L1")  # in the order of ``Step.losses``


@dataclass
class Objective:
    """What training minimises, for each model of a stack.

    L = CE + α Σ b² + λ Σ_r (mean f̄_r − τ)² + κ Σ_r ‖b_r − mean_r b_r‖² + ρ mean H(f̄) + ζ mean Σ_r f̄_r (−z_r) + γ Σ 1/|σ|.

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


@dataclass(frozen=True)
class Shape:
    """Sizes of a stack: M models of R rules over D encoded features and C classes; ``batch_norm`` is its variant.

    slopes: whether consequents have slopes; without, each is a constant. inverse_widths: whether antecedents are trained by
    1/σ, which is 0 where a rule has no condition, in place of σ. layer_norm: whether firing levels are layer-normalised.
    """

    M: int
    R: int
    D: int
    C: int
    batch_norm: str = "bn"
    slopes: bool = True
    inverse_widths: bool = False
    layer_norm: bool = False

    @property
    def n_slopes(self) -> int:
        """Slopes of one consequent: D or 0."""
        return self.D if self.slopes else 0

    @property
    def n_gammas(self) -> int:
        """Sets of γ, β in one model: none, one for all rules (bn, gbn), or one a rule (rbn)."""
        return {"none": 0, "bn": 1, "gbn": 1, "rbn": self.R}[self.batch_norm]

    def segments(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of each parameter tensor as it lies in the buffer: features first, rules last.

        Biases are the weights' last row, so that one product gives both gradients.
        """
        M, R, D, C, G = self.M, self.R, self.D, self.C, self.n_gammas
        layer = (M, R if self.layer_norm else 0)
        return {
            "centers": (M, D, R),
            "widths": (M, D, R),
            "consequents": (M, self.n_slopes + 1, C, R),
            "gamma": (M, D, G),
            "beta": (M, D, G),
            "scale": layer,
            "shift": layer,
        }


class Parameters:
    """Views into one flat buffer, with axes in the order of the formulas.

    centers, widths: antecedents m and σ, or 1/σ (``Shape.inverse_widths``), (M, R, D); they may be negative, only σ² matters.
    weights, biases: consequents b, (M, R, C, D), with a last axis of 0 without slopes, and b_0, (M, R, C).
    gamma, beta: batch normalisation's γ and β, (M, G, D) with G of ``Shape.n_gammas``.
    scale, shift: layer normalisation's γ and β, (M, R), or (M, 0) without it.
    stored: the same by name, as they lie in the buffer (``Shape.segments``).
    """

    def __init__(self, shape: Shape, dtype: torch.dtype = torch.float32, device: str | torch.device = "cpu") -> None:
        """Allocate zeros; γ starts at 1, of layer normalisation too."""
        self.shape = shape
        segments = shape.segments()
        sizes = [torch.Size(s).numel() for s in segments.values()]
        self.buffer = torch.zeros(sum(sizes), dtype=dtype, device=device)
        flat = torch.split(self.buffer, sizes)
        self.stored = {name: part.view(dims) for (name, dims), part in zip(segments.items(), flat, strict=True)}
        self.centers = self.stored["centers"].transpose(1, 2)
        self.widths = self.stored["widths"].transpose(1, 2)
        consequents = self.stored["consequents"].permute(0, 3, 2, 1)  # (M, R, C, slopes + 1)
        self.weights, self.biases = consequents[..., : shape.n_slopes], consequents[..., shape.n_slopes]
        self.gamma = self.stored["gamma"].transpose(1, 2)
        self.beta = self.stored["beta"].transpose(1, 2)
        self.scale, self.shift = self.stored["scale"], self.stored["shift"]
        self.gamma.fill_(1)
        self.scale.fill_(1)

    def sigmas(self) -> Tensor:
        """|σ|, (M, R, D) float64; infinite where 1/σ is 0."""
        widths = self.widths.double().abs()
        return widths.reciprocal() if self.shape.inverse_widths else widths

    def zeros(self, *sizes: int) -> Tensor:
        """Zeros of the kind of these parameters."""
        return torch.zeros(sizes, dtype=self.buffer.dtype, device=self.buffer.device)

    def take(self, models: list[int]) -> "Parameters":
        """A copy that holds only the given models of the stack, in that order."""
        shape = replace(self.shape, M=len(models))
        taken = Parameters(shape, self.buffer.dtype, self.buffer.device)
        for name, tensor in self.stored.items():
            taken.stored[name].copy_(tensor[models])
        return taken

    def without_batch_norm(self) -> "Parameters":
        """A copy as a stack of the variant "none", γ and β left out."""
        shape = replace(self.shape, batch_norm="none")
        plain = Parameters(shape, self.buffer.dtype, self.buffer.device)
        for name in plain.stored.keys() - {"gamma", "beta"}:
            plain.stored[name].copy_(self.stored[name])
        return plain
