"""Input and output of training: what to train and what to record, a model of a stack, its outcome."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.model import Parameters, Rules, RunningStatistics, Shape, merge
from tsk_core.model.batches import EPSILON

# The trained numbers of one member of a stack at one moment, to become rules when somebody needs them.


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


@dataclass(frozen=True)
class Records:
    """At which epochs rows are measured: every k-th one, or those of a set, and always the last; None for the last alone.

    train: accuracy, firing levels and entropy on training rows, about a quarter of the time of a training at every epoch.
    held_out: scores on validation and test rows. Validation rows that choose the best epoch are measured at each.
    Loss parts, gradient norms and seconds cost nothing and are in every record. Where epoch 1 is measured, its record has the
    firing levels before training too (``Epoch.initial_firing``).
    start: whether there is a record of epoch 0 too. It measures the initial parameters as plain rules, since the statistics of
    batch normalisation do not exist before the first batch; its loss is the cross-entropy of the training rows alone.
    """

    train: int | frozenset[int] | None = 1
    held_out: int | frozenset[int] | None = 1
    start: bool = False


EVERY_EPOCH, AT_THE_END = Records(), Records(None, None)


@dataclass(frozen=True)
class StackMember:
    """One model of a stack.

    rows: indices of its training rows. validation: indices of rows to measure, or None. With ``early_stopping`` they choose the
    best epoch, and ``config.patience`` epochs without a better one end the training; else it takes ``epochs``, whatever they say.
    test: indices of rows that are only measured (``Epoch.rca_test``), or None. class_weight: (C,) or None. initial_width: of the
    antecedents, as a multiple of the usual σ. batch_norm: weights whose γ, β, ν and v
    batch normalisation goes on from, as the paper's authors ran it; None: from γ = 1, β = 0. start: rules to start from
    (``starting_rules``) in place of ``config.init``.
    """

    config: TrainConfig
    seed: int
    rows: np.ndarray
    epochs: int
    validation: np.ndarray | None = None
    class_weight: Tensor | None = None
    stage: str = "training"
    early_stopping: bool = True
    records: Records = EVERY_EPOCH
    test: np.ndarray | None = None
    initial_width: float = 1.0
    batch_norm: Weights | None = None
    start: Rules | None = None

    @property
    def stops_early(self) -> bool:
        """Whether it has validation rows that choose its best epoch."""
        return self.early_stopping and self.validation is not None


@dataclass(frozen=True)
class TrainingSpec:
    """One model to train to its end, early stopping included.

    rows: indices of its training rows; class_weight: (C,) or None. validation: indices of rows that are only measured
    (``Epoch.bca_validation``, ``ce_validation``): they neither stop the training nor choose its weights. Early stopping's own
    validation rows are a part of ``rows``. test, initial_width, start: as for ``StackMember``.
    """

    config: TrainConfig
    seed: int
    rows: np.ndarray
    class_weight: Tensor | None = None
    validation: np.ndarray | None = None
    records: Records = EVERY_EPOCH
    test: np.ndarray | None = None
    initial_width: float = 1.0
    start: Rules | None = None


@dataclass
class Outcome:
    """The result of a member: its weights at ``best_epoch``, and a sentence where training had to stop early."""

    weights: Weights
    best_epoch: int
    message: str = ""

    @cached_property
    def rules(self) -> Rules:
        """The plain rules of these weights, made when first asked for."""
        return self.weights.rules()
