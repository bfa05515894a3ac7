"""Batch normalisation: batch statistics in training, running ones afterwards. Paper Sec. II-C."""

import torch
from torch import Tensor

__all__ = ["EPSILON", "RunningStatistics", "standardise"]

EPSILON = 1e-5  # the paper prints 1e-8; its authors ran 1e-5
MOMENTUM = 0.1


class RunningStatistics:
    """Exponentially weighted mean ν and variance v of each feature, (M, D); ν = 0 and v = 1 at the start.

    least: what v never falls below, (M, D), or None: where the values of a column are rare, v is near 0 between two of them.
    """

    def __init__(self, mean: Tensor, variance: Tensor, least: Tensor | None = None) -> None:
        """Take the tensors as they are."""
        self.mean, self.variance, self.least = mean, variance, least

    @classmethod
    def initial(cls, n_models: int, n_features: int, dtype: torch.dtype, device: str | torch.device) -> "RunningStatistics":
        """ν = 0, v = 1."""
        mean = torch.zeros(n_models, n_features, dtype=dtype, device=device)
        return cls(mean, torch.ones_like(mean))

    def take(self, models: list[int]) -> "RunningStatistics":
        """A copy for the given models of the stack."""
        least = None if self.least is None else self.least[models].clone()
        return RunningStatistics(self.mean[models].clone(), self.variance[models].clone(), least)

    def update(self, means: Tensor, variances: Tensor, batch_size: int, normalised: Tensor | None = None) -> None:
        """Move a tenth of the way to each of K batches' means and unbiased variances, (K, M, D), one after the other.

        normalised: (M,) bool, the models that take part; None for all.
        """
        K = len(means)
        kept = (1 - MOMENTUM) ** K
        weights = MOMENTUM * (1 - MOMENTUM) ** torch.arange(K - 1, -1, -1, dtype=means.dtype, device=means.device)
        unbiased = batch_size / (batch_size - 1)
        for running, seen, scale in ((self.mean, means, 1), (self.variance, variances, unbiased)):
            moved = torch.addmv(running.flatten(), seen.flatten(1).T, weights, beta=kept, alpha=scale).view_as(running)
            running.copy_(moved if normalised is None else torch.where(normalised.unsqueeze(1), moved, running))
        if self.least is not None:
            torch.maximum(self.variance, self.least, out=self.variance)


def standardise(x: Tensor, running: RunningStatistics, normalised: Tensor | None = None, scratch: Tensor | None = None) -> None:
    """X ← x̂⁰ = (x − ν)/√(v + ε), in place, with each batch's own mean ν and biased variance v; ``running`` takes them in.

    x: (K, M, B, D+1), K batches of M models; the last column, of ones, stays. normalised: (M,) bool, the models
    it is done for; None for all. scratch: like x.
    """
    D = x.shape[3] - 1
    means = x.mean(2)  # (K, M, D+1)
    means[..., D] = 0
    shift = means if normalised is None else means * normalised.view(1, -1, 1)
    x.sub_(shift.unsqueeze(2))
    variances = torch.mul(x, x, out=scratch).mean(2)  # var_mean along the batch axis costs eight times this
    if normalised is not None:
        variances = torch.where(normalised.view(1, -1, 1), variances, 1 - EPSILON)
    variances[..., D] = 1 - EPSILON
    running.update(means[..., :D], variances[..., :D], x.shape[2], normalised)
    x.mul_((variances + EPSILON).rsqrt_().unsqueeze(2))
