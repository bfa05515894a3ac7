"""Training that goes on with a smaller rule base: first with every slope, then with the score terms that stay."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.explain.reader import RuleArrays
from tsk_core.model import Rules
from tsk_core.simplify.problem import Problem
from tsk_core.simplify.reduce import conditions, reduce_rules
from tsk_core.simplify.structure import Size, Structure
from tsk_core.simplify.terms import largest_terms
from tsk_core.train import AT_THE_END, Records, StackMember, train_stack

__all__ = ["Plan", "fit_sizes", "plans", "small_config"]

STEPS, LEAST_EPOCHS, MOST_EPOCHS = 600, 5, 120  # of a training that goes on
SHRINKAGE = 0.01  # while every slope is trained: rules whose slopes need not differ share them


@dataclass(frozen=True, eq=False)
class Plan:
    """A small rule base before its last training. rules: one model, in the inputs' units. sources: as in ``Reduced``."""

    rules: Rules
    structure: Structure
    sources: tuple[tuple[int, ...], ...]

    def member(self, config: TrainConfig, rows: np.ndarray, records: Records) -> StackMember:
        """The training that goes on from it. config: from ``small_config``. records: what to measure."""
        start, seed = self.structure.start(self.rules), config.seed
        return StackMember(config, seed, rows, config.max_epochs, start=start, records=records)


def plans(rules: Rules, problem: Problem, sizes: Iterable[Size]) -> dict[Size, Plan]:
    """A small rule base of each size. One training of each number of rules and conditions ranks the score terms.

    rules: of the full model, one model, in the inputs' units. Sizes of one number of rules train as one stack.
    """
    sizes, by_size = list(dict.fromkeys(sizes)), {}
    for most in sorted({size.rules for size in sizes}):
        wanted = [size for size in sizes if size.rules == most]
        reduced, lengths = reduce_rules(rules, problem.x, most), sorted({size.conditions for size in wanted})
        cut = [Plan(*_cut(reduced.rules, problem, length), reduced.sources) for length in lengths]
        dense = dict(zip(lengths, _train(cut, problem, SHRINKAGE), strict=True))
        structures = dict(zip(lengths, (plan.structure for plan in cut), strict=True))
        for size in wanted:
            before = dense[size.conditions]
            terms = largest_terms(before, problem.x, problem.units, size.terms)
            by_size[size] = Plan(before, structures[size.conditions].with_terms(*terms), reduced.sources)
    return by_size


def fit_sizes(by_size: dict[Size, Plan], problem: Problem) -> dict[Size, Rules]:
    """The rules of each plan after its last training; problem: that which the plans are made of."""
    trained: dict[Size, Rules] = {}
    by_rules: dict[int, list[Size]] = {}
    for size, plan in by_size.items():
        by_rules.setdefault(len(plan.sources), []).append(size)
    for sizes in by_rules.values():
        trained |= zip(sizes, _train([by_size[size] for size in sizes], problem, 0.0), strict=True)
    return trained


def small_config(config: TrainConfig, n_rules: int, n_rows: int, shrinkage: float = 0.0) -> TrainConfig:
    """The settings of a training that goes on with a small rule base: those of ``config`` where they apply.

    A slope that R rules share counts R times in Σ b², so the weight of that penalty is divided by R.
    """
    epochs = int(np.clip(round(STEPS / config.steps_per_epoch(n_rows)), LEAST_EPOCHS, MOST_EPOCHS))
    l2 = float(f"{config.l2 / n_rules:.3g}")
    shorter = replace(config, max_epochs=epochs, early_stopping=False, batch_norm="none", firing="softmax")
    return replace(shorter, n_rules=n_rules, l2=l2, shrinkage=shrinkage)


def _cut(rules: Rules, problem: Problem, most: int) -> tuple[Rules, Structure]:
    """The rules with nearly equal memberships made equal, and the conditions that stay."""
    present = rules.sigmas[0].isfinite().numpy()
    arrays = RuleArrays(
        log_weight=rules.log_weights[0].numpy(),
        centers=np.where(present, rules.centers[0].numpy(), np.nan),
        sigmas=rules.sigmas[0].numpy(),
        consequents=np.empty(0),
        epsilon=0.0,
        columns=problem.columns,
        classes=[],
    )
    shorter, structure = conditions(arrays, problem.x, problem.units, most)
    centers, sigmas = (torch.from_numpy(values).unsqueeze(0) for values in (np.nan_to_num(shorter.centers), shorter.sigmas))
    return replace(rules, centers=centers, sigmas=sigmas), replace(structure, signs=problem.signs)


def _train(plans: list[Plan], problem: Problem, shrinkage: float) -> list[Rules]:
    rows = problem.rows
    settings = small_config(problem.config, len(plans[0].sources), len(rows), shrinkage)
    members, outcomes = [plan.member(settings, rows, AT_THE_END) for plan in plans], {}
    for progress in train_stack(members, problem.table):
        for member, _, outcome in progress:
            outcomes[member] = outcome
    return [outcomes[member].rules for member in range(len(members))]
