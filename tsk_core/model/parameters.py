"""The parameters of a stack of M equally shaped TSK models, in one flat buffer.

Every tensor leads with the model axis M, so training one model or sixteen is the same code. The flat
buffer lets an elementwise optimiser update everything in one call.
"""

from dataclasses import dataclass, replace

import torch

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
        """Name and shape of each parameter tensor as it lies in the buffer: features first, rules last.

        Biases are the weights' last row, so that one product gives both gradients.
        """
        M, R, D, C, G = self.M, self.R, self.D, self.C, self.n_gammas
        return {
            "centers": (M, D, R),
            "sigmas": (M, D, R),
            "consequents": (M, D + 1, C, R),
            "gamma": (M, D, G),
            "beta": (M, D, G),
        }


class Parameters:
    """Views into one flat buffer, with axes in the order of the formulas.

    centers, sigmas: antecedents m and σ, (M, R, D); σ may be negative, only σ² matters.
    weights, biases: consequents b, (M, R, C, D), and b_0, (M, R, C).
    gamma, beta: batch normalisation's γ and β, (M, G, D) with G of ``Shape.n_gammas``.
    stored: the same by name, as they lie in the buffer (``Shape.segments``).
    """

    def __init__(self, shape: Shape, dtype: torch.dtype = torch.float32, device: str | torch.device = "cpu") -> None:
        """Allocate zeros; γ starts at 1."""
        self.shape = shape
        segments = shape.segments()
        sizes = [torch.Size(s).numel() for s in segments.values()]
        self.buffer = torch.zeros(sum(sizes), dtype=dtype, device=device)
        flat = torch.split(self.buffer, sizes)
        self.stored = {name: part.view(dims) for (name, dims), part in zip(segments.items(), flat, strict=True)}
        self.centers = self.stored["centers"].transpose(1, 2)
        self.sigmas = self.stored["sigmas"].transpose(1, 2)
        consequents = self.stored["consequents"].permute(0, 3, 2, 1)  # (M, R, C, D+1)
        self.weights, self.biases = consequents[..., : shape.D], consequents[..., shape.D]
        self.gamma = self.stored["gamma"].transpose(1, 2)
        self.beta = self.stored["beta"].transpose(1, 2)
        self.gamma.fill_(1)

    def take(self, models: list[int]) -> "Parameters":
        """A copy that holds only the given models of the stack, in that order."""
        shape = Shape(len(models), self.shape.R, self.shape.D, self.shape.C, self.shape.batch_norm)
        taken = Parameters(shape, self.buffer.dtype, self.buffer.device)
        for name, tensor in self.stored.items():
            taken.stored[name].copy_(tensor[models])
        return taken

    def without_batch_norm(self) -> "Parameters":
        """A copy as a stack of the variant "none", γ and β left out."""
        shape = replace(self.shape, batch_norm="none")
        plain = Parameters(shape, self.buffer.dtype, self.buffer.device)
        for name in ("centers", "sigmas", "consequents"):
            plain.stored[name].copy_(self.stored[name])
        return plain
