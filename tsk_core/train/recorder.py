"""Makes the Epoch records of the models of a stack; what ``Records`` does not ask for is not measured."""

import time
from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.model import LOSS_PARTS, Rules
from tsk_core.train.initialise import sampled_rows
from tsk_core.train.measure import NOT_MEASURED, Measured, conditions, measure
from tsk_core.train.parts import of_parts
from tsk_core.train.spec import StackMember
from tsk_core.train.stack import Stack
from tsk_core.train.table import Table

__all__ = ["Recorder"]

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
