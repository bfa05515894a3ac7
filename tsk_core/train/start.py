"""Start: a training that goes on from given rules, and what it may change of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from tsk_core.model import NO_ANTECEDENT, Parameters, Rules, Shape

__all__ = ["FIXED", "Signs", "Start", "Ties"]

FIXED = -1  # the group of what stays as it is


@dataclass(frozen=True)
class Start:
    """Rules to go on from, and which of their numbers are equal and stay so.

    rules: one model, in the units of the inputs, plain softmax; an infinite σ is an antecedent that the rule does not have.
    memberships, slopes: (R, D) int, groups of numbers that change together; FIXED where nothing changes. A membership is a
    centre and a σ; a slope is one for each class. Members of a group start equal. signs: (D, C) of −1, 0 and 1: where it is not
    0, each rule's slope for that class, less the mean over classes, keeps this sign or is 0.
    """

    rules: Rules
    memberships: np.ndarray
    slopes: np.ndarray
    signs: np.ndarray | None = None

    def write(self, p: Parameters, model: int) -> None:
        """Write the rules into one model of a stack without batch normalisation."""
        p.centers[model] = self.rules.centers[0].float()
        p.sigmas[model] = self.rules.sigmas[0].clamp(max=NO_ANTECEDENT).float()
        p.weights[model] = self.rules.weights[0].float()
        p.biases[model] = self.rules.biases[0].float()

    def groups(self, shape: Shape) -> Parameters:
        """The group of each number of one model, as ``Parameters`` of whole numbers; biases are groups of their own."""
        groups = Parameters(shape, torch.int64)
        groups.buffer.copy_(torch.arange(len(groups.buffer)))  # each its own, until the next lines tie some
        sizes = self.rules.weights.shape[2]
        for name, tied in (("centers", self.memberships), ("sigmas", self.memberships)):
            tie(groups.stored[name][0], torch.from_numpy(tied.T.copy()))
        slopes = torch.from_numpy(self.slopes.T.copy())  # (D, R)
        for c in range(sizes):
            tie(groups.stored["consequents"][0, : shape.D, c], slopes)
        return groups


def tie(numbers: Tensor, tied: Tensor) -> None:
    """Give all numbers of one group, (D, R), the number of its first; −1 where ``tied`` is FIXED."""
    flat, index = numbers.reshape(-1), tied.reshape(-1)
    _, inverse = torch.unique(index, return_inverse=True)
    first = torch.full((int(inverse.max()) + 1,), len(flat)).scatter_reduce_(0, inverse, torch.arange(len(flat)), "amin")
    numbers.copy_(torch.where(index == FIXED, FIXED, flat[first[inverse]]).view_as(numbers))


class Signs:
    """Keeps the signs of slopes that are known. signs: (D, C) of each model, as ``Start.signs``."""

    def __init__(self, signs: Sequence[np.ndarray]) -> None:
        self._signs = torch.from_numpy(np.stack(signs)).float().unsqueeze(3)  # (M, D, C, 1)
        self._others = 1 / (self._signs.shape[2] - 1)

    def apply(self, p: Parameters) -> None:
        """Move slopes of the wrong sign to where they have no effect on the class: to the mean of the other classes'."""
        slopes = p.stored["consequents"][:, : p.shape.D]  # (M, D, C, R)
        others = (slopes.sum(2, keepdim=True) - slopes) * self._others
        slopes.copy_(torch.where(self._signs * (slopes - others) < 0, others, slopes))


class Ties:
    """Makes the gradient of a stack respect the groups of each model's ``Start``: one sum a group, nothing where it is fixed."""

    def __init__(self, starts: Sequence[Start], shape: Shape) -> None:
        """shape: of the stack, one start a model."""
        one = Shape(1, shape.R, shape.D, shape.C, shape.batch_norm)
        index, offset = Parameters(shape, torch.int64), 1  # group 0 is that of everything fixed
        for model, start in enumerate(starts):
            groups = start.groups(one)
            for name, numbers in groups.stored.items():
                index.stored[name][model] = torch.where(numbers[0] == FIXED, 0, numbers[0] + offset)
            offset += len(groups.buffer)
        self._index = index.buffer
        self._sums = torch.zeros(offset)

    def apply(self, gradient: Tensor) -> None:
        """Change the flat gradient in place."""
        self._sums.zero_().index_add_(0, self._index, gradient)
        self._sums[0] = 0.0
        torch.index_select(self._sums, 0, self._index, out=gradient)
