"""AdaBound (Luo, Xiong, Liu, Sun: Adaptive Gradient Methods with Dynamic Bound of Learning Rate, ICLR 2019) and Adam.

Both are elementwise, so one call updates the flat buffer of a whole stack.
"""

import math

import torch
from torch import Tensor

from tsk_core.model import Parameters

__all__ = ["OPTIMIZERS", "AdaBound", "Adam"]


class Adam:
    """Adam (Kingma, Ba 2015): p ← p − η_t m/(√v + ε), betas (0.9, 0.999), ε = 1e-8, bias correction in η_t."""

    BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

    def __init__(self, parameters: Parameters, learning_rate: float) -> None:
        """Start with both moments at 0."""
        self.learning_rate = learning_rate
        self.steps = 0
        self.first = Parameters(parameters.shape, parameters.buffer.dtype, parameters.buffer.device)
        self.second = Parameters(parameters.shape, parameters.buffer.dtype, parameters.buffer.device)
        self.first.buffer.zero_()
        self.second.buffer.zero_()

    def take(self, models: list[int]) -> None:
        """Keep the state of the given models only."""
        self.first, self.second = self.first.take(models), self.second.take(models)

    def step(self, parameters: Tensor, gradient: Tensor) -> None:
        """Update the flat parameters in place."""
        self.steps += 1
        first = self.first.buffer.lerp_(gradient, 1 - self.BETA1)
        second = self.second.buffer.mul_(self.BETA2).addcmul_(gradient, gradient, value=1 - self.BETA2)
        root = math.sqrt(1 - self.BETA2**self.steps)
        self._move(parameters, first, second.sqrt(), self.learning_rate * root / (1 - self.BETA1**self.steps), root)

    def _move(self, parameters: Tensor, first: Tensor, scale: Tensor, rate: float, root: float) -> None:
        parameters.addcdiv_(first, scale.add_(self.EPSILON * root), value=-rate)


class AdaBound(Adam):
    """Adam whose elementwise rate is clamped between two bounds that meet at ``FINAL_RATE``."""

    FINAL_RATE, GAMMA = 0.1, 1e-3

    def _move(self, parameters: Tensor, first: Tensor, scale: Tensor, rate: float, root: float) -> None:
        lower = self.FINAL_RATE * (1 - 1 / (self.GAMMA * self.steps + 1))
        upper = self.FINAL_RATE * (1 + 1 / (self.GAMMA * self.steps))
        rates = scale.add_(self.EPSILON).reciprocal_().mul_(rate).clamp_(lower, upper)
        parameters.addcmul_(rates, first, value=-1)


OPTIMIZERS: dict[str, type[Adam]] = {"adabound": AdaBound, "adam": Adam}


@torch.no_grad()
def keep_away_from_zero(sigmas: Tensor, least: float = 1e-3) -> None:
    """Widths may change sign in training, but |σ| < ``least`` becomes copysign(``least``, σ)."""
    magnitude = sigmas.abs()
    if bool((magnitude < least).any()):
        torch.copysign(magnitude.clamp_(min=least), sigmas, out=sigmas)
