"""The mini-batch loop: a stack of equally shaped models trained side by side, one Epoch record a model and epoch.

Each model has its own rows, seed, λ, τ and α, and draws its shuffles from its own generator, so a model's
numbers do not depend on what trains beside it. A model that is done leaves the stack.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.model import Objective, Parameters, Rules, RunningStatistics, Shape, blocks, loss_and_gradient, merge
from tsk_core.train.initialise import initialise
from tsk_core.train.metrics import FIRING_ROWS, Accuracy, accuracy, evaluate, firing_summary
from tsk_core.train.optimizers import OPTIMIZERS, keep_away_from_zero

__all__ = ["Member", "Outcome", "Table", "train_stack"]


@dataclass(frozen=True)
class Table:
    """Encoded rows: x (N, D) float32, z-normalised; y (N,) class indices; C classes."""

    x: Tensor
    y: Tensor
    n_classes: int


@dataclass(frozen=True)
class Member:
    """One model of a stack.

    rows: indices of its training rows. validation: indices of rows that choose its best epoch and, after
    ``config.patience`` epochs without a better one, end it; None trains for ``epochs``.
    class_weight: (C,) or None.
    """

    config: TrainConfig
    seed: int
    rows: np.ndarray
    epochs: int
    validation: np.ndarray | None = None
    class_weight: Tensor | None = None
    stage: str = "training"


@dataclass
class Outcome:
    """What became of a member: its rules at ``best_epoch``, and a sentence where training had to stop early."""

    rules: Rules
    best_epoch: int
    message: str = ""


@dataclass
class _Progress:
    """One member's weights to hand out (``outcome``), and those of the lowest training loss in case it diverges.

    score: of the outcome, where validation rows choose it; larger is better, compared in order.
    """

    outcome: Outcome
    score: tuple[float, ...] = (-math.inf,)
    lowest: Outcome | None = None
    lowest_loss: float = math.inf

    def remember(self, member: Member, rules: Rules, record: Epoch, score: tuple[float, ...]) -> None:
        """Keep these weights: the newest without validation, else only those of a better score."""
        if member.validation is None or score > self.score:
            self.score, self.outcome = score, Outcome(rules, record.epoch)
        if record.loss < self.lowest_loss:
            self.lowest, self.lowest_loss = Outcome(rules, record.epoch), record.loss

    def after_divergence(self, epoch: int) -> Outcome:
        """The best weights there are, and the sentence that says so."""
        best = self.lowest or self.outcome
        kept = f"the weights of epoch {best.best_epoch}" if best.best_epoch else "the weights it started from"
        message = f"Training diverged in epoch {epoch} and was stopped; {kept} are kept. Try a smaller learning rate."
        return Outcome(best.rules, best.best_epoch, message)


def train_stack(
    members: list[Member], table: Table, test: Table | None = None
) -> Iterator[tuple[list[tuple[int, Epoch]], list[Outcome]]]:
    """Train all members; after each epoch yield ``[(member, Epoch), …]`` of those still training, and all outcomes so far.

    Members need the same settings but for λ, τ, α, seed and rows, and equally many rows.
    """
    stack = _Stack(members, table)
    progress = [_Progress(Outcome(stack.rules_of(i), 0)) for i in range(len(members))]
    started = time.perf_counter()
    for epoch in range(1, max(m.epochs for m in members) + 1):
        losses = stack.run_epoch()
        records, done = [], []
        for position, member_index in enumerate(stack.alive):
            member, state = members[member_index], progress[member_index]
            loss = losses[position]
            rules = stack.rules_of(position)
            if not (np.isfinite(loss).all() and rules.is_finite()):
                state.outcome = state.after_divergence(epoch)
                done.append(position)
                continue
            record, score = _measure(member, rules, table, test, epoch, loss, time.perf_counter() - started)
            records.append((member_index, record))
            state.remember(member, rules, record, score)
            if epoch >= member.epochs or _out_of_patience(state, member, epoch):
                done.append(position)
        yield records, [p.outcome for p in progress]
        if done:
            stack.drop(done)
        if not stack.alive:
            return


def _out_of_patience(state: _Progress, member: Member, epoch: int) -> bool:
    return member.validation is not None and epoch - state.outcome.best_epoch >= member.config.patience


def _measure(
    member: Member, rules: Rules, table: Table, test: Table | None, epoch: int, loss: np.ndarray, seconds: float
) -> tuple[Epoch, tuple[float, ...]]:
    """The Epoch record of one member, and its validation score: BCA then −CE, or −CE where classes are weighted."""
    config, R = member.config, member.config.n_rules
    train, firing, entropy = _measure_training(rules, table, member.rows)
    none = Accuracy(None, None)
    on_validation = none
    score: tuple[float, ...] = ()
    if member.validation is not None:
        held_out = torch.as_tensor(member.validation)
        on_validation = evaluate(rules, table.x[held_out], table.y[held_out], member.class_weight)
        score = (-on_validation.cross_entropy,)
        if member.class_weight is None:
            score = (on_validation.bca, *score)
    on_test = none if test is None else evaluate(rules, test.x, test.y)
    cross_entropy, l2, uniform, grad_antecedents, grad_consequents = (float(v) for v in loss)
    record = Epoch(
        epoch=epoch,
        loss_ce=cross_entropy,
        loss_l2=l2,
        loss_ur=uniform,
        ur_floor=config.ur_weight * R * (config.tau(table.n_classes) - 1 / R) ** 2,
        rca_train=train.rca,
        bca_train=train.bca,
        rca_validation=on_validation.rca,
        bca_validation=on_validation.bca,
        rca_test=on_test.rca,
        bca_test=on_test.bca,
        firing=firing,
        entropy=entropy,
        grad_antecedents=grad_antecedents,
        grad_consequents=grad_consequents,
        seconds=seconds,
        stage=member.stage,
    )
    return record, score


def _measure_training(rules: Rules, table: Table, rows: np.ndarray) -> tuple[Accuracy, np.ndarray, np.ndarray]:
    """Accuracy on all training rows; mean firing (R,) and entropy counts on the first FIRING_ROWS of them."""
    decided, total, counts, seen = [], 0, 0, 0
    index = torch.as_tensor(rows)
    for part in index.split(65_536):
        for _, firing, scores in blocks(rules, table.x[part], exact=False):
            decided.append(scores[0].argmax(1))
            wanted = firing[0][: max(0, FIRING_ROWS - seen)]
            if len(wanted):
                summed, binned = firing_summary(wanted)
                total, counts, seen = total + summed, counts + binned, seen + len(wanted)
    result = accuracy(table.y[index].cpu(), torch.cat(decided).cpu(), table.n_classes)
    return result, (total / seen).cpu().numpy(), counts.cpu().numpy()


class _Stack:
    """The live tensors of the members still training; position i of every tensor belongs to member ``alive[i]``."""

    def __init__(self, members: list[Member], table: Table) -> None:
        config = members[0].config
        device, D = table.x.device, table.x.shape[1]
        self.table = table
        self.alive = list(range(len(members)))
        self.config = config
        self.generators = [torch.Generator().manual_seed(m.seed) for m in members]
        self.rows = torch.stack([torch.as_tensor(m.rows) for m in members])  # (M, N)
        start = Parameters(Shape(len(members), config.n_rules, D, table.n_classes, config.batch_norm))
        for i, member in enumerate(members):
            x = table.x[torch.as_tensor(member.rows)].double().cpu().numpy()
            initialise(start, i, x, config.init, member.seed, self.generators[i])
        self.parameters = Parameters(start.shape, device=device)
        self.parameters.buffer.copy_(start.buffer)
        self.gradient = Parameters(start.shape, device=device)
        self.running = RunningStatistics.initial(len(members), D, torch.float32, device)
        self.optimizer = OPTIMIZERS[config.optimizer](self.parameters, config.learning_rate)

        def per_model(values: list[float]) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, device=device)

        weights = [m.class_weight for m in members]
        self.objective = Objective(
            config.firing,
            per_model([m.config.ur_weight for m in members]),
            per_model([m.config.tau(table.n_classes) for m in members]),
            per_model([m.config.l2 for m in members]),
            None if weights[0] is None else torch.stack(weights).float().to(device),
        )

    def rules_of(self, position: int) -> Rules:
        """The rules of one model as they are now."""
        one = [position]
        return merge(self.parameters.take(one), self.running.take(one), self.config.firing)

    def drop(self, positions: list[int]) -> None:
        """Let the models at these positions leave the stack."""
        keep = [i for i in range(len(self.alive)) if i not in positions]
        self.alive = [self.alive[i] for i in keep]
        if not keep:
            return
        self.generators = [self.generators[i] for i in keep]
        self.rows = self.rows[keep]
        self.parameters = self.parameters.take(keep)
        self.gradient = Parameters(self.parameters.shape, device=self.table.x.device)
        self.running = self.running.take(keep)
        self.optimizer.take(keep)
        self.objective = self.objective.take(keep)

    def run_epoch(self) -> np.ndarray:
        """One pass over each model's rows, shuffled; means over steps of CE, L2, UR and both gradient norms, (M, 5)."""
        M, N = self.rows.shape
        order = torch.stack([rows[torch.randperm(N, generator=g)] for rows, g in zip(self.rows, self.generators, strict=True)])
        order = order.to(self.table.x.device)
        totals = torch.zeros(5, M, dtype=torch.float64, device=order.device)
        bounds = batch_bounds(N, self.config.batch_size)
        for start, end in bounds:
            totals += self._step(order[:, start:end])
        return (totals / len(bounds)).T.cpu().numpy()

    def _step(self, index: Tensor) -> Tensor:
        """One gradient step on the rows ``index`` (M, B); returns (5, M)."""
        p, g = self.parameters, self.gradient
        M, B = index.shape
        flat = index.reshape(-1)
        x = self.table.x.index_select(0, flat).view(M, B, -1)
        y = self.table.y.index_select(0, flat).view(M, B)
        step = loss_and_gradient(p, self.running, self.objective, x, y, g)
        antecedents, consequents = _norm(g.centers) + _norm(g.sigmas), _norm(g.weights) + _norm(g.biases)
        self.optimizer.step(p.buffer, g.buffer)
        keep_away_from_zero(p.sigmas)
        return torch.stack([step.cross_entropy, step.l2, step.uniform, antecedents, consequents])


def _norm(tensor: Tensor) -> Tensor:
    return tensor.abs().flatten(1).sum(1)


def batch_bounds(n_rows: int, batch_size: int) -> list[tuple[int, int]]:
    """Slices of a shuffled epoch; a last batch of one row joins the one before it, since batch statistics need two."""
    starts = list(range(0, n_rows, batch_size))
    if len(starts) > 1 and n_rows - starts[-1] == 1:
        starts.pop()
    return list(zip(starts, [*starts[1:], n_rows], strict=True))
