"""The trained numbers of one member of a stack at one moment, to become rules when somebody needs them."""

from dataclasses import dataclass

import torch
from torch import Tensor

from tsk_core.model import Parameters, Rules, RunningStatistics, Shape, merge
from tsk_core.model.batch_norm import EPSILON

__all__ = ["Weights", "flattened", "merged"]


@dataclass(frozen=True)
class Weights:
    """One member's parameters and running statistics; a copy, which later steps leave as it is.

    flat: a row for each of its parts (``parts.py``), most often one: the parameters in the order of their buffer, then ν and v.
    shape: with M = the number of parts. normalised: False where a model without batch normalisation trained in a stack of "bn".
    """

    flat: Tensor
    shape: Shape
    firing: str
    normalised: bool = True

    def rules(self) -> Rules:
        """The plain rules of these weights, float64."""
        parameters, running = self.numbers()
        parameters = parameters if self.normalised else parameters.without_batch_norm()
        return merge(parameters, running, self.firing).joined(len(self.flat))

    def write_batch_norm(self, parameters: Parameters, running: RunningStatistics, model: int) -> None:
        """Write γ, β and the running statistics into one model of a stack of the same variant."""
        own, statistics = self.numbers()
        for name in ("gamma", "beta"):
            parameters.stored[name][model] = own.stored[name][0]
        running.mean[model], running.variance[model] = statistics.mean[0], statistics.variance[0]

    def numbers(self) -> tuple[Parameters, RunningStatistics]:
        """Copies of the parameters of all parts and of their running statistics."""
        D = self.shape.D
        parameters = Parameters(self.shape, self.flat.dtype, self.flat.device)
        sizes = [stored[0].numel() for stored in parameters.stored.values()]
        *own, mean, variance = torch.split(self.flat, [*sizes, D, D], 1)
        for stored, numbers in zip(parameters.stored.values(), own, strict=True):
            stored.copy_(numbers.view(stored.shape))
        return parameters, RunningStatistics(mean.clone(), variance.clone())


def flattened(parameters: Parameters, running: RunningStatistics) -> Tensor:
    """A copy of all numbers of a stack, one row a model, as ``Weights.flat`` has them."""
    parts = (*parameters.stored.values(), running.mean, running.variance)
    return torch.cat([part.reshape(parameters.shape.M, -1) for part in parts], 1)


def merged(parameters: Parameters, running: RunningStatistics, firing: str, normalised: Tensor | None = None) -> Rules:
    """The plain rules of a whole stack. normalised: (M,) bool where only some models use batch normalisation, else None."""
    if normalised is not None:  # the others have γ = 1 and β = ν = 0; with this v nothing is left of it
        variance = torch.where(normalised.unsqueeze(1), running.variance.double(), 1 - EPSILON)
        running = RunningStatistics(running.mean, variance)
    return merge(parameters, running, firing)
