"""Mini-batches ready for ``Step``: everything about a batch that does not depend on the parameters, for many batches at once.

Standardising a batch needs only its rows, so it is done here for a whole block of batches, and not inside each step.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

# Batch normalisation: batch statistics in training, running ones afterwards. Paper Sec. II-C.


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


class Batch(NamedTuple):
    """One mini-batch of each of M models.

    antecedent_inputs: [x, −x²/2, −1/2], (M, 2D+1, B); None under "gbn", where they depend on γ and β.
    consequent_inputs: [x̂⁰, 1], (M, D+1, B); None where nothing takes them.
    minus_target: onehot times the row's weight, negative, (M, C, B); a model's rows weigh 1 together.
    """

    antecedent_inputs: Tensor | None
    consequent_inputs: Tensor | None
    minus_target: Tensor

    @property
    def linear_inputs(self) -> Tensor:
        """[x̂⁰, 1], where consequents have slopes."""
        assert self.consequent_inputs is not None
        return self.consequent_inputs

    def standardised(self, n_features: int) -> Tensor:
        """x̂⁰, (M, D, B), where batch normalisation standardises it."""
        return self.linear_inputs[:, :n_features]


class Batches:
    """Makes blocks of batches for one stack; a block stays as it is until the next one is made.

    x: (N, D) normalised inputs; y: (N,) class indices; variant: of batch normalisation; class_weight: (M, C) or None.
    normalised: (M,) bool where only some models of the stack use batch normalisation, else None.
    row_weight: (N,) positive, for all models, or None. It is multiplied with the weight of the row's class.
    slopes: whether consequents have any.
    """

    def __init__(
        self,
        x: Tensor,
        y: Tensor,
        n_classes: int,
        variant: str,
        class_weight: Tensor | None = None,
        normalised: Tensor | None = None,
        row_weight: Tensor | None = None,
        *,
        slopes: bool = True,
    ) -> None:
        self.y, self.C, self.variant, self.dtype = y, n_classes, variant, x.dtype
        self._buffers: dict[tuple[str, tuple[int, ...]], Tensor] = {}
        self.class_weight, self.row_weight, self.normalised = class_weight, row_weight, normalised
        # Both inputs of every row once, so that making a batch is gathering whole rows.
        N, D = x.shape
        self.consequent_rows = self.antecedent_rows = None
        if slopes or variant == "gbn":
            self.consequent_rows = x.new_empty(N, D + 1)
            self.consequent_rows[:, :D], self.consequent_rows[:, D] = x, 1
        if variant != "gbn":
            self.antecedent_rows = x.new_empty(N, 2 * D + 1)
            self.antecedent_rows[:, :D], self.antecedent_rows[:, 2 * D] = x, -0.5
            torch.mul(x, x, out=self.antecedent_rows[:, D : 2 * D]).mul_(-0.5)

    def block(self, index: Tensor, running: RunningStatistics) -> list[Batch]:
        """The batches of row numbers ``index``, (K, M, B), in order; ``running`` takes in their statistics."""
        K, M, B = index.shape
        flat = index.reshape(-1)
        consequents: Sequence[Tensor | None] = [None] * K
        antecedents: Sequence[Tensor | None] = [None] * K
        if self.consequent_rows is not None:
            inputs = self._gather("consequents", self.consequent_rows, flat).view(K, M, B, -1)
            if self.variant != "none":
                squares = self._buffer("squares", inputs.shape, inputs.dtype)
                standardise(inputs, running, self.normalised, scratch=squares)
            consequents = inputs.transpose(2, 3).unbind(0)
        if self.antecedent_rows is not None:
            gathered = self._gather("antecedents", self.antecedent_rows, flat).view(K, M, B, -1)
            antecedents = gathered.transpose(2, 3).unbind(0)
        target = self._minus_target(flat, index.shape)
        return list(map(Batch, antecedents, consequents, target.unbind(0)))

    def _minus_target(self, rows: Tensor, shape: torch.Size) -> Tensor:
        """Minus the weighted onehot, (K, M, C, B), of row numbers (K·M·B,) that stand for ``shape``, (K, M, B)."""
        K, M, B = shape
        y = self.y.index_select(0, rows).view(shape)
        target = self._buffer("target", (K, M, self.C, B), self.dtype).zero_()
        weight = None if self.row_weight is None else self.row_weight.index_select(0, rows).view(shape)
        if self.class_weight is not None:
            of_class = self.class_weight.unsqueeze(0).expand(K, M, self.C).gather(2, y)
            weight = of_class if weight is None else of_class * weight
        if weight is None:
            return target.scatter_(2, y.unsqueeze(2), -1 / B)
        weight = (weight / weight.sum(-1, keepdim=True)).unsqueeze(2)
        return target.scatter_(2, y.unsqueeze(2), -weight)

    def _gather(self, name: str, rows: Tensor, index: Tensor) -> Tensor:
        return torch.index_select(rows, 0, index, out=self._buffer(name, (len(index), rows.shape[1]), rows.dtype))

    def _buffer(self, name: str, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        """Memory kept from block to block: fresh memory costs more to touch than to fill."""
        key = (name, tuple(shape))
        if key not in self._buffers:
            self._buffers[key] = torch.empty(shape, dtype=dtype, device=self.y.device)
        return self._buffers[key]
