"""The live tensors of models that train side by side, and one epoch of gradient steps on them."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.model import Batches, Objective, Parameters, Rules, RunningStatistics, Shape, Step, merge
from tsk_core.train.initialise import initialise_stack, spread_of
from tsk_core.train.optimizers import OPTIMIZERS, keep_away_from_zero
from tsk_core.train.selection import Selection
from tsk_core.train.spec import StackMember, Weights, flattened, merged
from tsk_core.train.table import Table

# A rule base learnt in several trainings, an ensemble in one rule base.
#
# The rules are dealt out to ``n_trainings`` models of the same stack, the parts of a member. Each has R/n_trainings rules,
# initial rules and shuffles of its own, and the member's training rows; in training its firing levels are normalised over its own
# rules. Then the rules of all parts are one rule base, whose firing levels are normalised over all of them.


def parts(members: Iterable[StackMember]) -> list[StackMember]:
    """The models of a stack, those of each member one after the other. The first has the member's seed."""
    return [replace(member, config=member.config.part, seed=seed) for member in members for seed in _seeds(member)]


def of_parts(positions: Iterable[int], n: int) -> list[int]:
    """Where the parts of the members at these positions are in the stack, n of each."""
    return [n * position + part for position in positions for part in range(n)]


def _seeds(member: StackMember) -> Sequence[int]:
    more = np.random.default_rng(member.seed).integers(2**31, size=member.config.n_parts - 1)
    return [member.seed, *more.tolist()]


BLOCK_FLOATS = 1_000_000  # of inputs prepared at once: four megabytes, which the cache holds
MOST_MODELS = 64  # of one stack; larger ones gain nothing and take memory


def stack_key(config: TrainConfig, rows: float) -> tuple[Hashable, ...]:
    """What is the same for all members of a stack.

    λ, τ, α, κ, ρ, ζ, γ, the share of dropped rules where it is above 0, how many conditions rules keep and from when on, initial
    centres, seed, class weights and the rows themselves may differ.
    rows: how many each trains on, or a share of equally many. Batch normalisation "none" may stand beside "bn".
    """
    variant = config.normalisation
    if variant == "none" and config.has_slopes:
        variant = "bn"
    form = config.n_rules, config.has_slopes, config.trains_inverse_widths, config.firing, variant, config.layer_normalised
    return *form, config.n_parts, config.drop_rule > 0, config.batch_size, config.learning_rate, config.optimizer, rows


def most_members(config: TrainConfig) -> int:
    """How many members with these settings one stack holds."""
    return max(1, MOST_MODELS // config.n_parts)


class Stack:
    """Equally shaped models with one ``stack_key``. Member ``alive[i]`` has the models at the positions i n, …, i n + n − 1 of
    every tensor, n being its number of trainings (``parts.py``), most often one.
    """

    def __init__(self, members: list[StackMember], table: Table) -> None:
        self.alive, self.n_parts = list(range(len(members))), members[0].config.n_parts
        members = parts(members)
        config = members[0].config
        device, D, M = table.x.device, table.x.shape[1], len(members)
        self.table, self.config = table, config
        self.generators = [torch.Generator().manual_seed(m.seed) for m in members]
        self.rows = torch.stack([torch.from_numpy(m.rows) for m in members])  # (M, N)
        variants = {m.config.normalisation for m in members}
        self.variant = config.normalisation if len(variants) == 1 else "bn"
        self.normalised = None  # (M,) bool, where both kinds share the stack
        if len(variants) > 1:
            self.normalised = torch.tensor([m.config.normalisation == "bn" for m in members], dtype=torch.bool, device=device)
        sizes = M, config.n_rules, D, table.n_classes
        form = config.has_slopes, config.trains_inverse_widths, config.layer_normalised
        self.spread = spread_of(members, table)
        self.parameters = self._start(members, Shape(*sizes, self.variant, *form))
        self.gradient = Parameters(self.parameters.shape, device=device)
        self.running = RunningStatistics.initial(M, D, torch.float32, device)
        self.running.least = self.spread.least_variance(min(config.batch_size, self.rows.shape[1]))
        for model, member in enumerate(members):
            if member.batch_norm is not None:
                member.batch_norm.write_batch_norm(self.parameters, self.running, model)
        self.optimizer = OPTIMIZERS[config.optimizer](self.parameters, config.learning_rate)

        def per_model(values: list[float]) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, device=device)

        self.objective = Objective(
            config.firing,
            per_model([m.config.ur_weight for m in members]),
            per_model([m.config.tau(table.n_classes) for m in members]),
            per_model([m.config.l2 for m in members]),
            per_model([m.config.shrinkage for m in members]),
            per_model([m.config.sharpness for m in members]),
            per_model([m.config.covering for m in members]),
            per_model([m.config.l1 for m in members]),
            None if self.normalised is None else self.normalised.float(),
            per_model([m.config.drop_rule for m in members]) if config.drop_rule else None,
        )
        self._class_weight = None
        if any(m.class_weight is not None for m in members):
            even = torch.ones(table.n_classes, dtype=torch.float32, device="cpu")
            self._class_weight = torch.stack([even if m.class_weight is None else m.class_weight for m in members]).to(device)
        self.epoch = 0  # completed
        limited = any(m.config.max_conditions for m in members)
        self.selection = Selection(members, table, self.parameters) if limited else None
        self._allocate()

    @property
    def class_weight(self) -> Tensor | None:
        """Of each member that is alive, (members, C); None where all classes weigh the same."""
        return None if self._class_weight is None else self._class_weight[:: self.n_parts]

    def rules(self) -> Rules:
        """The rules of all members as they are now."""
        return merged(self.parameters, self.running, self.config.firing, self.normalised).joined(self.n_parts)

    def initial_rules(self) -> Rules:
        """The rules of all members before training: the initial parameters, without batch normalisation."""
        return self.initial_rules_of_parts().joined(self.n_parts)

    def initial_rules_of_parts(self) -> Rules:
        """The same, one model for each training."""
        return merge(self.parameters.without_batch_norm(), self.running, self.config.firing)

    def weights(self) -> tuple[list[Weights], np.ndarray]:
        """A copy of each member's weights as they are now, and whether all its numbers are finite, a bool for each."""
        rows = flattened(self.parameters, self.running)
        flat = rows.view(-1, self.n_parts, rows.shape[1])
        finite = flat.abs().amax((1, 2)).isfinite().cpu().numpy()
        shape, firing = replace(self.parameters.shape, M=self.n_parts), self.config.firing
        normalised = [True] * len(flat) if self.normalised is None else self.normalised[:: self.n_parts].tolist()
        # Rows are copied so that weights kept from many epochs do not keep the whole stack of each.
        return [Weights(own.clone(), shape, firing, bn) for own, bn in zip(flat, normalised, strict=True)], finite

    def drop(self, positions: list[int]) -> None:
        """Let the members at these positions leave the stack."""
        if not positions:
            return
        keep = [i for i in range(len(self.alive)) if i not in positions]
        self.alive = [self.alive[i] for i in keep]
        if not keep:
            return
        keep = of_parts(keep, self.n_parts)
        self.generators = [self.generators[i] for i in keep]
        self.rows = self.rows[keep]
        self.spread = self.spread.take(keep)
        self.parameters = self.parameters.take(keep)
        self.gradient = Parameters(self.parameters.shape, device=self.table.x.device)
        self.running = self.running.take(keep)
        self.optimizer.take(keep)
        if self.selection is not None:
            self.selection.take(keep)
        self.objective = self.objective.take(keep)
        self.normalised = None if self.normalised is None else self.normalised[keep]
        self._class_weight = None if self._class_weight is None else self._class_weight[keep]
        self._allocate()

    def run_epoch(self) -> np.ndarray:
        """One pass over each model's rows, shuffled. Returns each member's loss parts and both gradient norms, (members, 7 + 2):
        means over steps and models.
        """
        M, N = self.rows.shape
        for rows, generator, order in zip(self.rows, self.generators, self.order, strict=True):
            torch.index_select(rows, 0, torch.randperm(N, generator=generator, device="cpu"), out=order)
        order = self.order.to(self.table.x.device)
        self.gradient_sums.buffer.zero_()
        steps = {}
        count = 0
        for start, size, batches in batch_plan(N, self.config.batch_size):
            steps[size] = step = self._step(size)
            at_once = max(1, BLOCK_FLOATS // (M * size * (3 * self.parameters.shape.D + 2)))
            for first in range(0, batches, at_once):
                K = min(at_once, batches - first)
                begin = start + first * size
                index = order[:, begin : begin + K * size].reshape(M, K, size).transpose(0, 1)
                for batch in self.batches.block(index, self.running):
                    step.antecedents.drop(self.generators)
                    step.run(batch)
                    self._move()
            count += batches
        self.epoch += 1
        if self.selection is not None:
            self.selection.choose(self.epoch, self.parameters)
        sums = self.gradient_sums
        norms = [_total(sums.centers) + _total(sums.widths), _total(sums.weights) + _total(sums.biases)]
        losses = torch.stack([step.losses for step in steps.values()]).sum(0)
        of_models = (torch.cat([losses, torch.stack(norms)]) / count).double()
        means: np.ndarray = of_models.view(len(of_models), -1, self.n_parts).mean(2).T.cpu().numpy()
        return means

    def _move(self) -> None:
        """One step of the optimiser, with σ kept away from 0, or 1/σ at 0 where a rule has no condition.

        The slopes of constant columns stay 0: rounding gives them gradients, whose size no step of the optimiser depends on.
        """
        if self.constant is not None:
            self.gradient.stored["consequents"][:, : self.parameters.shape.n_slopes].masked_fill_(self.constant, 0)
        self.gradient_sums.buffer.add_(torch.abs(self.gradient.buffer, out=self.optimizer.scratch))
        self.optimizer.step(self.parameters.buffer, self.gradient.buffer)
        if not self.parameters.shape.inverse_widths:
            keep_away_from_zero(self.parameters.stored["widths"], scratch=self.magnitudes)
        elif self.selection is not None:
            self.selection.apply(self.parameters)

    def _step(self, size: int) -> Step:
        """The step for batches of this size, its sums at 0; the usual size's is kept from epoch to epoch."""
        if size not in self.steps:
            self.steps[size] = Step(self.parameters, self.gradient, self.objective, size)
        self.steps[size].forget_losses()
        if self.selection is not None:
            self.steps[size].antecedents.weigh(self.selection.share(self.epoch + 1))
        return self.steps[size]

    def _start(self, members: list[StackMember], shape: Shape) -> Parameters:
        """Initial parameters, drawn on the CPU whatever the device."""
        if any(member.config.rule_base is not None and member.start is None for member in members):
            raise SettingError("A search for settings does not start from a rule base; train with fit.")
        start = Parameters(shape)
        initialise_stack(start, members, self.table, self.generators, self.spread)
        on_device = Parameters(shape, device=self.table.x.device)
        on_device.buffer.copy_(start.buffer)
        return on_device

    def _allocate(self) -> None:
        """Buffers whose sizes depend on how many models are alive."""
        self.steps: dict[int, Step] = {}
        self.gradient_sums = Parameters(self.parameters.shape, device=self.table.x.device)
        self.order = torch.empty_like(self.rows)
        self.magnitudes = torch.empty_like(self.parameters.stored["widths"])
        constant = self.spread.constant[:, : self.parameters.shape.n_slopes]
        self.constant = constant[:, :, None, None] if bool(constant.any()) else None  # over rules and classes
        table = self.table
        weights = self._class_weight, self.normalised, table.weight
        self.batches = Batches(table.x, table.y, table.n_classes, self.variant, *weights, slopes=self.parameters.shape.slopes)


def batch_plan(n_rows: int, batch_size: int) -> list[tuple[int, int, int]]:
    """(start, size, count) of runs of equal batches in a shuffled epoch.

    A last batch of one row joins the one before it, since batch statistics need two.
    """
    if n_rows <= batch_size:
        return [(0, n_rows, 1)]
    full, rest = divmod(n_rows, batch_size)
    if rest == 1:
        full, rest = full - 1, batch_size + 1
    plan = [(0, batch_size, full)] if full else []
    return [*plan, (full * batch_size, rest, 1)] if rest else plan


def _total(tensor: Tensor) -> Tensor:
    return tensor.flatten(1).sum(1)
