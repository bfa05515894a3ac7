"""The parameters of a stack of M equally shaped TSK models, in one flat buffer.

Every tensor leads with the model axis M, so training one model or sixteen is the same code. The flat
buffer lets an elementwise optimiser update everything in one call.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

__all__ = ["Parameters", "Shape"]


@dataclass(frozen=True)
class Shape:
    """Sizes of a stack: M models of R rules over D encoded features and C classes; ``batch_norm`` is its variant."""

    M: int
    R: int
    D: int
    C: int
    batch_norm: str = "bn"

    @property
    def n_gammas(self) -> int:
        """Sets of γ, β in one model: none, one for all rules (bn, gbn), or one a rule (rbn)."""
        return {"none": 0, "bn": 1, "gbn": 1, "rbn": self.R}[self.batch_norm]

    def segments(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of each parameter tensor, in buffer order."""
        M, R, D, C, G = self.M, self.R, self.D, self.C, self.n_gammas
        return {
            "centers": (M, R, D),
            "sigmas": (M, R, D),
            "weights": (M, R, C, D),
            "biases": (M, R, C),
            "gamma": (M, G, D),
            "beta": (M, G, D),
        }


class Parameters:
    """Views into one flat buffer.

    centers, sigmas: antecedents m and σ, (M, R, D); σ may be negative, only σ² matters.
    weights, biases: consequents b, (M, R, C, D), and b_0, (M, R, C).
    gamma, beta: batch normalisation's γ and β, (M, G, D) with G of ``Shape.n_gammas``.
    """

    centers: Tensor
    sigmas: Tensor
    weights: Tensor
    biases: Tensor
    gamma: Tensor
    beta: Tensor

    def __init__(self, shape: Shape, dtype: torch.dtype = torch.float32, device: str | torch.device = "cpu") -> None:
        """Allocate zeros; γ starts at 1."""
        self.shape = shape
        segments = shape.segments()
        sizes = [torch.Size(s).numel() for s in segments.values()]
        self.buffer = torch.zeros(sum(sizes), dtype=dtype, device=device)
        for (name, dims), flat in zip(segments.items(), self.buffer.split(sizes), strict=True):
            setattr(self, name, flat.view(dims))
        self.gamma.fill_(1)

    def take(self, models: list[int]) -> "Parameters":
        """A copy that holds only the given models of the stack, in that order."""
        shape = Shape(len(models), self.shape.R, self.shape.D, self.shape.C, self.shape.batch_norm)
        taken = Parameters(shape, self.buffer.dtype, self.buffer.device)
        for name in shape.segments():
            getattr(taken, name).copy_(getattr(self, name)[models])
        return taken
