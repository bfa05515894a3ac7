"""The parameters of a stack of M equally shaped TSK models, in one flat buffer.

Every tensor leads with the model axis M, so training one model or sixteen is the same code. The flat
buffer lets an elementwise optimiser update everything in one call.
"""

from dataclasses import dataclass, replace

import torch


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

    def sigmas(self) -> torch.Tensor:
        """|σ|, (M, R, D) float64; infinite where 1/σ is 0."""
        widths = self.widths.double().abs()
        return widths.reciprocal() if self.shape.inverse_widths else widths

    def zeros(self, *sizes: int) -> torch.Tensor:
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
