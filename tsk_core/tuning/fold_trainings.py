"""Candidates × folds trained side by side, epoch by epoch, in as few stacks as their settings allow."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.evaluate.scorings import scoring_of
from tsk_core.model import Rules, class_scores
from tsk_core.setting_values import later_seed
from tsk_core.train import Outcome, Records, StackMember, Table, stacks_of, train_stack
from tsk_core.train.recorder import conditions, faithfulness
from tsk_core.train.table import log_prior
from tsk_core.tuning.trial import Candidate, Scores, Work, epoch_seconds, start_seconds

EVERY = 5  # epochs from one validation to the next
_MEASURED = {"balanced_accuracy": "bca_validation", "accuracy": "rca_validation"}  # by training, after each epoch
Folds = list[tuple[np.ndarray, np.ndarray]]
WeightOf = Callable[[TrainConfig, Table, np.ndarray], Tensor | None]


class Placed(NamedTuple):
    """Folds, and the table that their row numbers refer to."""

    table: Table
    folds: Folds

    def first(self, n: int) -> "Placed":
        """The first n of the folds."""
        return Placed(self.table, self.folds[:n])


class OwnScoring(NamedTuple):
    """What a person maximises. name: in results. measure: of a member and its rules on its validation rows; larger is better."""

    name: str
    measure: Callable[[StackMember, Rules], float]


class FoldTrainings:
    """Trains candidates on the folds of one repeat and adds their scores to ``Candidate.curves``.

    placed: the table and (rows to train on, rows to validate). repeat: its number. weight_of: each class's weight (C,), or None,
    for settings and rows of a table. epochs: of each candidate, at most. work: counts what is done. rungs: epochs after which, as
    with the first score and at the end, the faithfulness of readable rules is measured. scoring: what is maximised, a name of
    ``SCORINGS`` or a scoring of one's own. Scores count once rules have only the conditions that they keep.
    """

    def __init__(
        self,
        candidates: list[Candidate],
        placed: Placed,
        repeat: int,
        epochs: dict[Candidate, int],
        weight_of: WeightOf,
        seed: int,
        work: Work,
        rungs: Collection[int] = (),
        scoring: str | OwnScoring = "balanced_accuracy",
    ) -> None:
        self.epoch = 0
        table, folds = placed
        members, owners = [], []
        for fold, (rows, validation) in enumerate(folds):
            for candidate in candidates:
                weight, records = weight_of(candidate.config, table, rows), Records(train=None, held_out=EVERY)
                members.append(
                    StackMember(
                        candidate.config,
                        later_seed(seed, fold),
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
            _Stack([members[at] for at in positions], [owners[at] for at in positions], table, work, rungs, scoring)
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
        work: Work,
        rungs: Collection[int],
        scoring: str | OwnScoring,
    ) -> None:
        self.owners, self.alive, self._work = owners, set(range(len(members))), work
        self._members, self._table, self._rungs, self._scoring = members, table, rungs, scoring
        self.diverged: set[Candidate] = set()
        self._size = len(members[0].rows), 0 if members[0].validation is None else len(members[0].validation)
        self._features = table.feature_numbers()
        self._training = train_stack(members, table)
        self._leaving: frozenset[int] | None = None
        work.add(start_seconds(members[0].config, self._size[0], table.x.shape[1], len(members)))

    def run_epoch(self) -> None:
        """Train each member for an epoch, and keep the scores of those validated now; one that diverges has none."""
        if not self.alive:
            return
        config, models = self._members[0].config, len(self.alive)
        seconds = epoch_seconds(config, *self._size, self._table.x.shape[1], self._table.n_classes, models)
        self._work.add(seconds)
        try:
            progress = self._training.send(self._leaving)
        except StopIteration:
            self.alive = set()
            return
        self._leaving = frozenset()
        for member, epoch, outcome in progress:
            candidate, key = self.owners[member]
            candidate.step_seconds = seconds / (config.steps_per_epoch(self._size[0]) * models)
            if epoch is None:
                candidate.state = "dropped"
                self.diverged.add(candidate)
                self.alive.discard(member)
            elif epoch.epoch >= candidate.config.choice_epoch and epoch.ce_validation is not None:
                scores = Scores(self._score(member, epoch, outcome), epoch.ce_validation)
                candidate.curves.setdefault(key, {})[epoch.epoch] = scores
                last = epoch.epoch >= self._members[member].epochs
                if candidate.config.max_conditions and (last or epoch.epoch in self._rungs or key not in candidate.conditions):
                    self._describe(member, outcome.rules)

    def _score(self, member: int, epoch: Epoch, outcome: Outcome) -> float:
        """Of a member's validation rows; training has measured some scores already, and no rules are made for those."""
        trained = self._members[member]
        if isinstance(self._scoring, OwnScoring):
            return self._scoring.measure(trained, outcome.rules)
        if (name := _MEASURED.get(self._scoring)) is not None:
            return float(getattr(epoch, name))
        rows = torch.from_numpy(np.asarray(trained.validation))
        scores = class_scores(outcome.rules, self._table.x[rows], exact=False).cpu()
        prior = log_prior(trained.class_weight, self._table.y[trained.rows].cpu().numpy(), self._table.weights_of(trained.rows))
        probabilities = torch.softmax(scores if prior is None else scores + torch.from_numpy(prior), 1).numpy()
        y, predicted = self._table.y[rows].cpu().numpy(), scores.argmax(1).numpy()
        return scoring_of(self._scoring).score(y, probabilities, predicted)

    def _describe(self, member: int, rules: Rules) -> None:
        """Note how many conditions the rules have, and how faithful those with constant consequents are."""
        candidate, key = self.owners[member]
        (candidate.conditions[key],) = conditions(rules, self._features)
        validation = self._members[member].validation
        if candidate.config.has_slopes or validation is None:
            return
        rows, x = torch.from_numpy(self._members[member].rows), self._table.x
        ends = x[rows].amin(0), x[rows].amax(0)
        candidate.faithful[key] = faithfulness(rules, x[torch.from_numpy(np.asarray(validation))], self._features, *ends)

    def drop(self, leaves: Callable[[Candidate, tuple[int, int]], bool]) -> None:
        """Members that leave are not trained again."""
        gone = frozenset(at for at in self.alive if leaves(*self.owners[at]))
        self.alive -= gone
        self._leaving = gone | (self._leaving or frozenset())
