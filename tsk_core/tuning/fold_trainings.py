"""Candidates × folds trained side by side, epoch by epoch, in as few stacks as their settings allow."""

from collections.abc import Callable, Collection

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.model import Rules
from tsk_core.train import Records, StackMember, Table, stacks_of, train_stack
from tsk_core.train.faithfulness import faithfulness
from tsk_core.train.measure import conditions
from tsk_core.tuning.trial import Candidate, Scores

__all__ = ["EVERY", "FoldTrainings", "Folds", "WeightOf"]

EVERY = 5  # epochs from one validation to the next
Folds = list[tuple[np.ndarray, np.ndarray]]
WeightOf = Callable[[TrainConfig, np.ndarray], Tensor | None]


class FoldTrainings:
    """Trains candidates on the folds of one repeat and adds their scores to ``Candidate.curves``.

    folds: (rows to train on, rows to validate). repeat: its number. weight_of: each class's weight (C,), or None, for settings
    and rows. epochs: of each candidate, at most. clock: seconds. rungs: epochs after which, as with the first score and at the
    end, the faithfulness of readable rules is measured. Scores count once rules have only the conditions that they keep.
    """

    def __init__(
        self,
        candidates: list[Candidate],
        folds: Folds,
        repeat: int,
        table: Table,
        epochs: dict[Candidate, int],
        weight_of: WeightOf,
        seed: int,
        clock: Callable[[], float],
        rungs: Collection[int] = (),
    ) -> None:
        self.epoch = 0
        members, owners = [], []
        for fold, (rows, validation) in enumerate(folds):
            for candidate in candidates:
                weight, records = weight_of(candidate.config, rows), Records(train=None, held_out=EVERY)
                members.append(
                    StackMember(
                        candidate.config,
                        seed + fold,
                        rows,
                        epochs[candidate],
                        validation,
                        weight,
                        early_stopping=False,
                        records=records,
                    )
                )
                owners.append((candidate, (repeat, fold)))
        self._stacks = [
            _Stack([members[at] for at in positions], [owners[at] for at in positions], table, clock, rungs)
            for positions in stacks_of(members)
        ]

    @property
    def alive(self) -> bool:
        """Whether anything is left to train."""
        return any(stack.alive for stack in self._stacks)

    @property
    def diverged(self) -> set[Candidate]:
        """The candidates that left since training diverged on a fold."""
        return {candidate for stack in self._stacks for candidate in stack.diverged}

    def run_epoch(self, out_of_time: Callable[[], bool]) -> bool:
        """Train everyone for an epoch; False where the time ended before all were trained.

        A candidate that diverges on one fold leaves all of them.
        """
        self.epoch += 1
        for stack in self._stacks:
            if out_of_time():
                return False
            stack.run_epoch()
        self.drop(self.diverged)
        return True

    def drop(self, candidates: set[Candidate]) -> None:
        """Let these candidates go."""
        for stack in self._stacks:
            stack.drop(lambda candidate, _: candidate in candidates)

    def drop_folds(self, first: int) -> None:
        """Let the folds from number ``first`` on go, with their scores."""
        for stack in self._stacks:
            stack.drop(lambda _, key: key[1] >= first)
            for candidate, key in stack.owners:
                if key[1] >= first:
                    candidate.forget(key)


class _Stack:
    """Members that train side by side. owners: the candidate, and the numbers of repeat and fold, of each."""

    def __init__(
        self,
        members: list[StackMember],
        owners: list[tuple[Candidate, tuple[int, int]]],
        table: Table,
        clock: Callable[[], float],
        rungs: Collection[int],
    ) -> None:
        self.owners, self.alive, self._clock = owners, set(range(len(members))), clock
        self._members, self._table, self._rungs = members, table, rungs
        self.diverged: set[Candidate] = set()
        self._steps = max(1, len(members[0].rows) // members[0].config.batch_size)
        self._features = table.feature_numbers()
        self._training = train_stack(members, table)
        self._leaving: frozenset[int] | None = None

    def run_epoch(self) -> None:
        """Train each member for an epoch, and keep the scores of those validated now; one that diverges has none."""
        if not self.alive:
            return
        began, models = self._clock(), len(self.alive)
        try:
            progress = self._training.send(self._leaving)
        except StopIteration:
            self.alive = set()
            return
        self._leaving = frozenset()
        for member, epoch, outcome in progress:
            candidate, key = self.owners[member]
            candidate.step_seconds = (self._clock() - began) / (self._steps * models)
            if epoch is None:
                candidate.state = "dropped"
                self.diverged.add(candidate)
                self.alive.discard(member)
            elif epoch.epoch >= candidate.config.choice_epoch and (scores := _scores(epoch)):
                candidate.curves.setdefault(key, {})[epoch.epoch] = scores
                last = epoch.epoch >= self._members[member].epochs
                if candidate.config.max_conditions and (last or epoch.epoch in self._rungs or key not in candidate.conditions):
                    self._describe(member, outcome.rules)

    def _describe(self, member: int, rules: Rules) -> None:
        """Note how many conditions the rules have, and how faithful those with constant consequents are."""
        candidate, key = self.owners[member]
        (candidate.conditions[key],) = conditions(rules, self._features)
        validation = self._members[member].validation
        if candidate.config.has_slopes or validation is None:
            return
        rows, x = torch.as_tensor(self._members[member].rows), self._table.x
        ends = x[rows].amin(0), x[rows].amax(0)
        candidate.faithful[key] = faithfulness(rules, x[torch.as_tensor(validation)], self._features, *ends)

    def drop(self, leaves: Callable[[Candidate, tuple[int, int]], bool]) -> None:
        """Members that leave are not trained again."""
        gone = frozenset(at for at in self.alive if leaves(*self.owners[at]))
        self.alive -= gone
        self._leaving = gone | (self._leaving or frozenset())


def _scores(epoch: Epoch) -> Scores | None:
    """Those of the validation rows, where they were measured."""
    if epoch.bca_validation is None or epoch.rca_validation is None or epoch.ce_validation is None:
        return None
    return Scores(epoch.bca_validation, epoch.rca_validation, epoch.ce_validation)
