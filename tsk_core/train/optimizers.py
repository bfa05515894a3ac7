"""AdaBound (Luo, Xiong, Liu, Sun: Adaptive Gradient Methods with Dynamic Bound of Learning Rate, ICLR 2019), Adam, and Powerball
AdaBelief (Shi, Wu, Guo, Zhao, Cui, Wang: FCM-RDpA, Information Sciences 574, 2021).

All are elementwise, so one call updates the flat buffer of a whole stack.
"""

import math

import torch
from torch import Tensor

from tsk_core.model import Parameters

LARGEST = 1e38  # that float32 holds, about
SMALLEST = 1e-30  # of a squared gradient: the root of 0 is ten times as slow, and 1e-15 vanishes beside ε


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
        self.scratch = torch.empty_like(parameters.buffer)
        # As tensors, these need no conversion from a Python number at each step.
        self.beta2 = torch.tensor(self.BETA2, dtype=parameters.buffer.dtype, device="cpu")
        self.epsilon = torch.tensor(self.EPSILON, dtype=parameters.buffer.dtype, device="cpu")

    def take(self, models: list[int]) -> None:
        """Keep the state of the given models only."""
        self.first, self.second = self.first.take(models), self.second.take(models)
        self.scratch = torch.empty_like(self.first.buffer)

    def step(self, parameters: Tensor, gradient: Tensor) -> None:
        """Update the flat parameters in place."""
        self.steps += 1
        first = self.first.buffer.lerp_(gradient, 1 - self.BETA1)
        second = self.second.buffer.mul_(self.beta2).addcmul_(gradient, gradient, value=1 - self.BETA2)
        root = math.sqrt(1 - self.BETA2**self.steps)
        self._move(parameters, first, second, self._rate(root), root)

    def _rate(self, root: float) -> float:
        """η_t, as large as float32 can be at most: with more, training diverges all the same."""
        return min(self.learning_rate * root / (1 - self.BETA1**self.steps), LARGEST)

    def _move(self, parameters: Tensor, first: Tensor, second: Tensor, rate: float, root: float) -> None:
        scale = torch.clamp(second, min=SMALLEST, out=self.scratch).sqrt_()
        parameters.addcdiv_(first, scale.add_(self.EPSILON * root), value=-rate)


class AdaBound(Adam):
    """Adam whose elementwise rate is clamped between two bounds that meet at ``FINAL_RATE``."""

    FINAL_RATE, GAMMA = 0.1, 1e-3

    def _move(self, parameters: Tensor, first: Tensor, second: Tensor, rate: float, root: float) -> None:
        lower = self.FINAL_RATE * (1 - 1 / (self.GAMMA * self.steps + 1))
        upper = self.FINAL_RATE * (1 + 1 / (self.GAMMA * self.steps))
        # rate/(√v + ε) within [lower, upper] is v within these two, which are far above 0
        least, most = (min((rate / bound - self.EPSILON) ** 2, LARGEST) for bound in (upper, lower))
        scale = torch.clamp(second, least, most, out=self.scratch).sqrt_().add_(self.epsilon)
        parameters.addcdiv_(first, scale, value=-rate)


class PowerballAdaBelief(Adam):
    """Adam of h = sign(g)|g|^½, with the running mean of (h − m)² for v: AdaBelief on the signed square roots of the gradients.

    Where h is the same at every step, v falls to 0 and the steps grow without bound, as AdaBelief's do.
    """

    def __init__(self, parameters: Parameters, learning_rate: float) -> None:
        super().__init__(parameters, learning_rate)
        self.powered = torch.empty_like(parameters.buffer)

    def take(self, models: list[int]) -> None:
        """Keep the state of the given models only."""
        super().take(models)
        self.powered = torch.empty_like(self.scratch)

    def step(self, parameters: Tensor, gradient: Tensor) -> None:
        """Update the flat parameters in place."""
        self.steps += 1
        powered = torch.abs(gradient, out=self.powered).sqrt_().copysign_(gradient)
        first = self.first.buffer.lerp_(powered, 1 - self.BETA1)
        surprise = powered.sub_(first)
        second = self.second.buffer.mul_(self.beta2).addcmul_(surprise, surprise, value=1 - self.BETA2)
        root = math.sqrt(1 - self.BETA2**self.steps)
        self._move(parameters, first, second, self._rate(root), root)


OPTIMIZERS: dict[str, type[Adam]] = {"adabound": AdaBound, "adam": Adam, "powerball-adabelief": PowerballAdaBelief}


def keep_away_from_zero(sigmas: Tensor, scratch: Tensor | None = None) -> None:
    """Widths may change sign in training, but |σ| < 0.001 becomes copysign(0.001, σ); scratch: like sigmas.

    Done at every step: to check whether it is needed would cost more.
    """
    magnitudes = torch.abs(sigmas, out=scratch).clamp_(min=1e-3)
    torch.copysign(magnitudes, sigmas, out=sigmas)
