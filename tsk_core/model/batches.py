"""Mini-batches ready for ``Step``: everything about a batch that does not depend on the parameters, for many batches at once.

Standardising a batch needs only its rows, so it is done here for a whole block of batches, and not inside each step.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from tsk_core.model.batch_norm import RunningStatistics, standardise

__all__ = ["Batch", "Batches"]


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
