"""Batch normalisation: batch statistics in training, running ones afterwards. Paper Sec. II-C."""

import torch
from torch import Tensor

__all__ = ["EPSILON", "RunningStatistics", "standardise"]

EPSILON = 1e-5  # the paper prints 1e-8; its authors ran 1e-5
MOMENTUM = 0.1


class RunningStatistics:
    """Exponentially weighted mean ν and variance v of each feature, (M, D); ν = 0 and v = 1 at the start."""

    def __init__(self, mean: Tensor, variance: Tensor) -> None:
        """Take the tensors as they are."""
        self.mean, self.variance = mean, variance

    @classmethod
    def initial(cls, n_models: int, n_features: int, dtype: torch.dtype, device: str | torch.device) -> "RunningStatistics":
        """ν = 0, v = 1."""
        mean = torch.zeros(n_models, n_features, dtype=dtype, device=device)
        return cls(mean, torch.ones_like(mean))

    def take(self, models: list[int]) -> "RunningStatistics":
        """A copy for the given models of the stack."""
        return RunningStatistics(self.mean[models].clone(), self.variance[models].clone())

    def update(self, mean: Tensor, variance: Tensor, batch_size: int) -> None:
        """Move a tenth of the way to this batch's mean and unbiased variance; both (M, 1, D)."""
        self.mean.lerp_(mean.squeeze(1), MOMENTUM)
        unbiased = variance.squeeze(1) * (batch_size / (batch_size - 1))
        self.variance.lerp_(unbiased, MOMENTUM)


def standardise(x: Tensor, running: RunningStatistics) -> Tensor:
    """x̂⁰ = (x − ν)/√(v + ε) with this batch's mean and biased variance; ``running`` is updated. (M, B, D) → (M, B, D)."""
    mean = x.mean(1, keepdim=True)
    centred = x - mean
    variance = (centred * centred).mean(1, keepdim=True)  # var_mean along the batch axis costs eight times this
    running.update(mean, variance, x.shape[1])
    return centred.mul_((variance + EPSILON).rsqrt_())
