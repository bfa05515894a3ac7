"""Makes the Epoch records of the models of a stack; what ``Records`` does not ask for is not measured."""

import math
import time
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from tsk_core.metrics import accuracy
from tsk_core.model import LOSS_PARTS, Expanded, Rules, infer
from tsk_core.model.firing import log_membership
from tsk_core.train.initialise import sampled_rows
from tsk_core.train.spec import StackMember
from tsk_core.train.stack import Stack, of_parts
from tsk_core.train.table import Table

# What records say of rows: accuracy, cross-entropy, firing levels and their entropy, of a whole stack at once.
#
# Every number is what the merged rules give in float64. Models go through in groups and rows in blocks that the cache holds; how
# many rows a block has does not depend on how many models there are, so that a model's numbers do not either.


BLOCK_ROWS = 1024  # rows of one model at once
BLOCK_FLOATS = 1_000_000  # numbers at once, in all models: eight megabytes
SMALLEST = 1e-300


class Measured(NamedTuple):
    """One model on its rows. cross_entropy: mean, class-weighted. firing: mean levels (R,). entropy: counts (ENTROPY_BINS,).

    conditions: how many its rules have.
    """

    rca: float | None = None
    bca: float | None = None
    cross_entropy: float | None = None
    firing: np.ndarray | None = None
    entropy: np.ndarray | None = None
    conditions: int | None = None


NOT_MEASURED = Measured()


def measure(
    rules: Rules,
    x: Tensor,
    y: Tensor,
    rows: Tensor,
    class_weight: Tensor | None = None,
    row_weight: Tensor | None = None,
    *,
    firing: bool = False,
) -> list[Measured]:
    """Measure each of the M models of ``rules`` on its own rows.

    x: (N, D) normalised inputs; y: (N,) class indices; rows: (M, n) row numbers. class_weight: (M, C), row_weight: (N,), or None;
    a row counts the product of both in the cross-entropy. ``firing`` asks for firing levels and entropy as well.
    """
    M, R, C, D = rules.weights.shape
    per_row = 2 * D + 3 * R + C * R + 3 * C
    size = min(BLOCK_ROWS, max(1, BLOCK_FLOATS // per_row))
    together = max(1, BLOCK_FLOATS // (per_row * size))
    prepared, found = Expanded(rules), []
    for start in range(0, M, together):
        models = slice(start, min(start + together, M))
        weight = None if class_weight is None else class_weight[models].double()
        found += _measure_models(prepared, models, x, y, rows[models], (weight, row_weight), size, firing)
    return found


def _measure_models(
    rules: Expanded,
    models: slice,
    x: Tensor,
    y: Tensor,
    rows: Tensor,
    weights_of: tuple[Tensor | None, Tensor | None],
    size: int,
    with_firing: bool,
) -> list[Measured]:
    (M, n), (class_weight, row_weight) = rows.shape, weights_of
    predicted = torch.empty(M, n, dtype=torch.long, device=rows.device)
    loss, weights, levels, counts = (torch.zeros((), dtype=torch.float64, device=x.device) for _ in range(4))
    for start in range(0, n, size):
        block = rows[:, start : start + size]
        flat = block.reshape(-1)
        firing, scores = rules(x.index_select(0, flat).view(*block.shape, -1), models)
        target = y.index_select(0, flat).view(block.shape)
        predicted[:, start : start + size] = scores.max(1).indices  # argmax takes ten times as long
        surprise = torch.log_softmax(scores, 1).gather(1, target.unsqueeze(1)).squeeze(1).neg_()  # (M, B)
        share = torch.ones_like(surprise) if class_weight is None else class_weight.gather(1, target)
        if row_weight is not None:
            share = share * row_weight.index_select(0, flat).view(block.shape)
        loss, weights = loss + (share * surprise).sum(1), weights + share.sum(1)
        if with_firing:
            levels, counts = levels + firing.sum(2), counts + entropy_counts(firing)
    mean_loss = (loss / weights).tolist()
    truth, guess = y[rows].cpu().numpy(), predicted.cpu().numpy()
    found = [Measured(*accuracy(*pair), ce) for *pair, ce in zip(truth, guess, mean_loss, strict=True)]
    if not with_firing:
        return found
    parts = zip(found, (levels / n).cpu().numpy(), counts.long().cpu().numpy(), strict=True)
    return [one._replace(firing=mean, entropy=count) for one, mean, count in parts]


def conditions(rules: Rules, features: np.ndarray) -> list[int]:
    """How many conditions the rules of each model have; one on a category counts once. features: as ``Table.features``."""
    present = rules.sigmas.isfinite().float() @ torch.nn.functional.one_hot(torch.from_numpy(features)).float().to(
        rules.sigmas.device
    )
    counts: list[int] = (present > 0).sum((1, 2)).tolist()
    return counts


def entropy_counts(firing: Tensor) -> Tensor:
    """Counts of rows by firing entropy, (M, ENTROPY_BINS), equal bins from 0 to log R. firing: (M, R, B).

    E = −Σ f̄ log f̄ (paper Eq. 13); R = 1 has no entropy and all rows count in the first bin.
    """
    M, R, B = firing.shape
    bins = torch.zeros(M, B, dtype=torch.long, device=firing.device)
    if R > 1:
        logs = firing.clamp_min(SMALLEST).log_()  # 0 · log 0 counts as 0; xlogy takes longer
        entropy = -logs.mul_(firing).sum(1)
        bins = (entropy * (ENTROPY_BINS / math.log(R))).long().clamp_(0, ENTROPY_BINS - 1)
    bins += ENTROPY_BINS * torch.arange(M, device=firing.device).unsqueeze(1)
    return torch.bincount(bins.view(-1), minlength=M * ENTROPY_BINS).view(M, ENTROPY_BINS)


Found = dict[int, Measured]  # by member


class Recorder:
    """Measures the members of one stack. test: rows to score beside the training and validation rows, or None."""

    def __init__(self, members: list[StackMember], table: Table, test: Table | None) -> None:
        """Choose the training rows to measure: all, or some of them, the same at each epoch."""
        self.members, self.table, self.test = members, table, test
        device = table.x.device
        self.train_rows = [torch.from_numpy(sampled_rows(m.rows, m.seed)).to(device) for m in members]
        held_out = [() if m.validation is None else m.validation for m in members]
        self.validation_rows = [torch.from_numpy(np.asarray(rows, np.int64)).to(device) for rows in held_out]
        tested = [() if m.test is None else m.test for m in members]
        self.test_rows = [torch.from_numpy(np.asarray(rows, np.int64)).to(device) for rows in tested]
        self.ur_floors = [_ur_floor(member.config.part, table.n_classes) for member in members]
        self.initial: Found = {}  # training rows before training, of members whose first epoch is measured or that ask for it
        self.started = time.perf_counter()

    def validation(self, stack: Stack, epoch: int, trained: Iterable[int]) -> Found:
        """Measure the validation rows of those members that need it after this epoch."""
        due = []
        for index in trained:
            member = self.members[index]
            last = epoch >= member.epochs
            if member.stops_early or (member.validation is not None and _due(member.records.held_out, epoch, last)):
                due.append(index)
        return _measured(stack, due, self.table, self.validation_rows, stack.class_weight)

    def records(
        self, stack: Stack, epoch: int, losses: dict[int, np.ndarray], validation: Found, done: set[int]
    ) -> dict[int, Epoch]:
        """The records of this epoch by member. losses: what ``run_epoch`` gave of each; done: whose training ends here."""
        seconds = time.perf_counter() - self.started
        due = [index for index in losses if _due(self.members[index].records.train, epoch, index in done)]
        train = _measured(stack, due, self.table, self.train_rows, firing=True)
        due = [index for index in losses if _due(self.members[index].records.held_out, epoch, index in done)]
        test = self._tested(stack.rules(), stack.alive, due) if due else {}
        return {index: self._record(index, epoch, loss, train, validation, test, seconds) for index, loss in losses.items()}

    def at_start(self, stack: Stack) -> dict[int, Epoch]:
        """Measure the initial parameters; the records of epoch 0 of those members that ask for one."""
        asked = {index: self.members[index].records for index in stack.alive}
        first = [index for index, records in asked.items() if records.start or _due(records.train, 1, False)]
        if not first:
            return {}
        rules = stack.initial_rules()
        train = _measured_rules(rules, stack.alive, first, self.table, self.train_rows, stack.class_weight, firing=True)
        self.initial, due = train, [index for index in first if asked[index].start]
        if not due:
            return {}
        held_out = [index for index in due if len(self.validation_rows[index])]
        validation = _measured_rules(rules, stack.alive, held_out, self.table, self.validation_rows, stack.class_weight)
        test = self._tested(rules, stack.alive, due)
        several = stack.n_parts > 1
        entropies = self._entropies_of_parts(stack, due) if several else {index: train[index].cross_entropy for index in due}
        losses = {index: np.array([entropies[index], *[0.0] * (len(LOSS_PARTS) + 1)]) for index in due}
        return {index: self._record(index, 0, losses[index], train, validation, test, 0.0) for index in due}

    def _entropies_of_parts(self, stack: Stack, due: list[int]) -> dict[int, float]:
        """The cross-entropy before training as epochs have it: the mean over a member's trainings, each with its own rules."""
        n, weight = stack.n_parts, stack.class_weight
        models = {index: of_parts([stack.alive.index(index)], n) for index in due}
        rows = [self.train_rows[index] for index in stack.alive for _ in range(n)]
        weight = None if weight is None else weight.repeat_interleave(n, 0)
        rules, wanted = stack.initial_rules_of_parts(), [model for own in models.values() for model in own]
        found = _measured_rules(rules, list(range(len(rows))), wanted, self.table, rows, weight)
        return {index: float(np.mean([found[model].cross_entropy for model in own])) for index, own in models.items()}

    def _tested(self, rules: Rules, alive: list[int], due: list[int]) -> Found:
        """Measure test rows: those that all members share, or each member's own."""
        if self.test is not None and len(self.test.y):
            rows = torch.arange(len(self.test.y), device=self.test.x.device)
            return _measured_rules(rules, alive, due, self.test, [rows] * len(self.members))
        due = [index for index in due if len(self.test_rows[index])]
        return _measured_rules(rules, alive, due, self.table, self.test_rows)

    def _record(
        self, index: int, epoch: int, loss: np.ndarray, train: Found, validation: Found, test: Found, seconds: float
    ) -> Epoch:
        on_train, on_validation, on_test = (found.get(index, NOT_MEASURED) for found in (train, validation, test))
        cross_entropy, l2, uniform, shrinkage, sharpness, covering, l1, grad_antecedents, grad_consequents = loss.tolist()
        return Epoch(
            epoch=epoch,
            loss_ce=cross_entropy,
            loss_l2=l2,
            loss_ur=uniform,
            loss_shrinkage=shrinkage,
            loss_sharpness=sharpness,
            loss_covering=covering,
            loss_l1=l1,
            conditions=on_train.conditions,
            ur_floor=self.ur_floors[index],
            rca_train=on_train.rca,
            bca_train=on_train.bca,
            rca_validation=on_validation.rca,
            bca_validation=on_validation.bca,
            ce_validation=on_validation.cross_entropy,
            rca_test=on_test.rca,
            bca_test=on_test.bca,
            firing=on_train.firing,
            initial_firing=self.initial[index].firing if epoch == 1 and index in self.initial else None,
            entropy=on_train.entropy,
            grad_antecedents=grad_antecedents,
            grad_consequents=grad_consequents,
            seconds=seconds,
            stage=self.members[index].stage,
        )


def _ur_floor(config: TrainConfig, n_classes: int) -> float:
    """The least that UR's part of the loss can be: that of equal firing levels. config: of one training, whose loss it is."""
    return config.ur_weight * config.n_rules * (config.tau(n_classes) - 1 / config.n_rules) ** 2


def _due(every: int | frozenset[int] | None, epoch: int, last: bool) -> bool:
    if last or every is None:
        return last
    return epoch in every if isinstance(every, frozenset) else epoch % every == 0


def _measured(
    stack: Stack, due: list[int], table: Table, rows: list[Tensor], class_weight: Tensor | None = None, *, firing: bool = False
) -> Found:
    """Measure these members of the stack as they are now."""
    return _measured_rules(stack.rules(), stack.alive, due, table, rows, class_weight, firing=firing) if due else {}


def _measured_rules(
    rules: Rules,
    alive: list[int],
    due: list[int],
    table: Table,
    rows: list[Tensor],
    class_weight: Tensor | None = None,
    *,
    firing: bool = False,
) -> Found:
    """Measure these members on their rows of the table, those with equally many rows together.

    rules: of the members ``alive``, in that order. rows: one tensor a member.
    """
    alike: dict[int, list[int]] = {}
    for index in due:
        alike.setdefault(len(rows[index]), []).append(index)
    found: Found = {}
    for group in alike.values():
        at = [alive.index(index) for index in group]
        everyone = len(at) == len(alive)
        weight = class_weight if class_weight is None or everyone else class_weight[at]
        own = torch.stack([rows[member] for member in group])
        alike_rules = rules if everyone else rules.take(at)
        measured = measure(alike_rules, table.x, table.y, own, weight, table.weight, firing=firing)
        if firing:
            counts = conditions(alike_rules, table.feature_numbers())
            measured = [one._replace(conditions=count) for one, count in zip(measured, counts, strict=True)]
        found |= zip(group, measured, strict=True)
    return found


# How far the text of a readable rule base is the model: what its strongest rule says, and where that rule's sentence is true.


HOLDS = math.log(0.5)  # least log membership where a condition holds


class Faithfulness(NamedTuple):
    """Shares of rows.

    agreement: those whose strongest rule has the class of the model. literal: those for which all its conditions hold.
    """

    agreement: float
    literal: float


def faithfulness(rules: Rules, x: Tensor, features: np.ndarray, low: Tensor, high: Tensor) -> Faithfulness:
    """Of rows x, (N, D), normalised. rules: one model with constant consequents, in the same units.

    features: (D,), as ``Table.features``. low, high: (D,), the ends of the training rows' columns. A condition on a category
    holds where its membership is at least half of that of the likeliest category.
    """
    firing, scores = (values[0] for values in infer(rules, x, exact=False))
    winner = firing.argmax(1)
    agrees = rules.biases[0].argmax(1)[winner] == scores.argmax(1)
    centers, sigmas = rules.centers[0], rules.sigmas[0]
    number = torch.from_numpy(features).to(x.device)
    by_feature = torch.nn.functional.one_hot(number).double()
    levels = log_membership(x.double(), centers[winner], sigmas[winner]) @ by_feature  # (N, features)
    absent, present = (log_membership(end.double(), centers, sigmas) for end in (low, high))
    index, empty = number.expand_as(centers), centers.new_zeros(len(centers), by_feature.shape[1])
    likeliest = absent @ by_feature + empty.scatter_reduce(1, index, present - absent, "amax", include_self=False)
    categorical = torch.bincount(number) > 1
    levels = levels - torch.where(categorical, likeliest, 0.0)[winner]
    literal = (levels >= HOLDS).all(1)
    return Faithfulness(agrees.double().mean().item(), literal.double().mean().item())
