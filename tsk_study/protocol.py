"""The MBGD family by the paper's protocol.

For each λ: five times, a fifth of the training rows is held out, and the epoch of the best validation BCA is noted. λ is that of
the highest mean of these BCAs, ties to the smaller; the final training is on all training rows, for the mean of its five epochs.
The trainings of all splits, algorithms, λ and hold-outs are independent, so they go side by side, as stacks.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tsk_core import __version__
from tsk_core.config import HOLD_OUTS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments.variants import UR_WEIGHTS
from tsk_core.metrics import Accuracy
from tsk_core.settings import SETTINGS
from tsk_core.train import (
    AT_THE_END,
    HoldOut,
    PreparedStack,
    StackMember,
    TrainingSpec,
    Weights,
    best_ur_weight,
    final_member,
    hold_out_members,
    hold_outs_of,
    prepare_stack,
    train_hold_outs,
    train_members,
)
from tsk_study.names import ALGORITHMS
from tsk_study.parts import TEST_SIZE
from tsk_study.results import Result

if TYPE_CHECKING:
    from tsk_core.data import Dataset

# The settings of the study's trainings; with a result's λ and epochs, those that train its model again.


_CHOSEN = ("ur_weight", "max_epochs", "early_stopping", "batch_norm")  # by validation, or by the algorithm


def ur_weights_of(algorithm: str) -> tuple[float, ...]:
    """The values of λ that are tried: of an algorithm without uniform regularisation, 0 alone."""
    return UR_WEIGHTS if ALGORITHMS[algorithm].selects_ur else (0.0,)


def protocol_config(algorithm: str, seed: int, ur_weight: float) -> TrainConfig:
    """The paper's settings for one of the MBGD family: R = 20, α = 0.05, AdaBound at 0.01, early stopping on 20%, patience 40.

    The paper does not print the batch size; 64 is the smallest of those that it recommends. Raises SettingError for algorithms
    that are not of the family.
    """
    variant = ALGORITHMS[algorithm].batch_norm
    if variant is None:
        raise SettingError(f"{algorithm} is not trained by mini-batch gradient descent.")
    return TrainConfig.paper(
        ur_weight=ur_weight, batch_norm=variant, l2=0.05, max_epochs=2000, early_stopping=True, validation_fraction=0.2,
        patience=40, random_state=seed, **ALGORITHMS[algorithm].settings,
    )  # fmt: skip


def beside_protocol(config: TrainConfig) -> list[str]:
    """What a training with these settings does otherwise than the paper's protocol, such as "α 0.001 instead of 0.05".

    λ and the variant of batch normalisation are not compared: the paper has several.
    """
    protocol = protocol_config("TSK-MBGD", 0, 0.0)
    names = [name for name in config.differing(protocol) if name not in _CHOSEN]
    parts = [
        f"{SETTINGS[name].symbol or SETTINGS[name].label} {getattr(config, name)} instead of {getattr(protocol, name)}"
        for name in names
    ]
    if not config.early_stopping:
        parts.append(f"{config.max_epochs} epochs instead of as many as validation finds")
    return parts


def final_config(result: Result) -> TrainConfig | None:
    """The settings that train the model of a result once more, on the training rows of its split; None where it is no model of
    this app or its settings are not known.
    """
    if result.algorithm == "TSK-recommended":
        return TrainConfig(random_state=result.seed)
    if ALGORITHMS[result.algorithm].batch_norm is None or result.epochs is None:
        return None
    settings = protocol_config(result.algorithm, result.seed, result.ur_weight or 0.0).to_dict()
    return TrainConfig.from_dict(settings | {"early_stopping": False, "max_epochs": result.epochs})


Cell = tuple[str, int]  # algorithm, split
Tick = Callable[[], None]


class Searched(NamedTuple):
    """What the hold-outs of one training found.

    bca: mean of the best validation BCAs. epochs: mean of their epochs, rounded. trained: epochs of all hold-outs together.
    batch_norm: weights whose batch normalisation the final training goes on from; None for a new one.
    """

    bca: float
    epochs: int
    trained: int
    batch_norm: Weights | None = None


@dataclass(frozen=True)
class Protocol:
    """How the number of epochs is found. firing: of all trainings, "" for that of ``protocol_config``. search: what the hold-outs
    of each spec find; tick is called after each epoch.
    """

    firing: str
    search: Callable[[PreparedStack, Tick], list[Searched]]


def train_cells(
    dataset: "Dataset", cells: Sequence[Cell], tick: Tick = lambda: None, protocol: Protocol | None = None
) -> list[Result]:
    """Results of these (algorithm, split) of one dataset, in their order, trained side by side.

    tick: called after each epoch of a model; what it raises ends the training. protocol: None for ``PROTOCOL``, the paper's.
    The caller sets torch's number of threads.
    """
    protocol = protocol or PROTOCOL
    began = time.perf_counter()
    numbers = sorted({split for _, split in cells})
    candidates = [(cell, ur_weight) for cell in cells for ur_weight in ur_weights_of(cell[0])]
    configs = [protocol_config(algorithm, split, ur_weight) for (algorithm, split), ur_weight in candidates]
    configs = [replace(config, firing=protocol.firing or config.firing) for config in configs]
    splits = [dataset.split(test_size=TEST_SIZE, seed=number) for number in numbers]
    split_of = [numbers.index(split) for (_, split), _ in candidates]
    stacked = prepare_stack(dataset, splits, configs, AT_THE_END, split_of=split_of, measure_test=True)
    searched = protocol.search(stacked, tick)
    chosen = []
    for cell in cells:
        of_cell = [k for k, (one, _) in enumerate(candidates) if one == cell]
        best = best_ur_weight([candidates[k][1] for k in of_cell], [searched[k].bca for k in of_cell])
        chosen.append(of_cell[best])
    finals = [_final(stacked.specs[k], searched[k]) for k in chosen]
    scores = _train_finals(finals, stacked, tick)
    epochs = np.array([member.epochs for member in finals], float)
    for (cell, _), one in zip(candidates, searched, strict=True):
        epochs[cells.index(cell)] += one.trained
    seconds = (time.perf_counter() - began) * epochs / epochs.sum()
    return [_result(dataset.name, *one) for one in zip(cells, finals, scores, seconds.tolist(), strict=True)]


def _search(stacked: PreparedStack, tick: Tick) -> list[Searched]:
    """Train the hold-outs of every spec, all side by side."""
    return [summarise(hold_outs) for hold_outs in hold_outs_of(stacked.specs, stacked.table, tick)]


PROTOCOL = Protocol("", _search)


def summarise(hold_outs: list[HoldOut], batch_norm: Weights | None = None) -> Searched:
    """What the hold-outs of one spec found together."""
    epochs = max(1, round(float(np.mean([hold_out.outcome.best_epoch for hold_out in hold_outs]))))
    trained = sum(hold_out.trained for hold_out in hold_outs)
    return Searched(float(np.mean([hold_out.bca for hold_out in hold_outs])), epochs, trained, batch_norm)


def _final(spec: TrainingSpec, searched: Searched) -> StackMember:
    config = replace(spec.config, early_stopping=False, max_epochs=searched.epochs)
    return replace(final_member(replace(spec, config=config), searched.epochs), batch_norm=searched.batch_norm)


def _train_finals(members: list[StackMember], stacked: PreparedStack, tick: Tick) -> list[Accuracy]:
    """The scores of the test rows after the last epoch; of a training that diverged, of the model it keeps."""
    scores: dict[int, Accuracy] = {}
    for at, epoch, outcome in itertools.chain.from_iterable(train_members(members, stacked.table)):
        if epoch is None:
            tested = members[at].test
            assert tested is not None, "the stack is prepared with its test rows"
            scores[at] = stacked.accuracy(outcome.rules, tested)
        elif epoch.rca_test is not None:
            scores[at] = Accuracy(epoch.rca_test, epoch.bca_test)
        tick()
    return [scores[at] for at in range(len(members))]


def _result(dataset: str, cell: Cell, member: StackMember, score: Accuracy, seconds: float) -> Result:
    algorithm, split = cell
    config: TrainConfig = member.config
    ur_weight = config.ur_weight if len(ur_weights_of(algorithm)) > 1 else None
    rca, bca = score.numbers
    return Result(dataset, algorithm, split, rca, bca, seconds, ur_weight, member.epochs, member.seed, __version__)


# The protocol as the paper's authors ran it, where their published code differs from the paper's text.
#
# 1. Firing levels are divided by their sum + 1e-8 (``firing="paper"``), so that they vanish where all rules underflow. 2. The
# rows that early stopping validates on are trained on as well, so that later epochs look better. 3. The five repetitions use one
# batch normalisation layer: each goes on from the γ, β, ν and v that the one before it kept, and so
#    does the final training. So repetitions come one after the other.


def _search_as_authors(stacked: PreparedStack, tick: Tick) -> list[Searched]:
    """The repetitions of every spec, one after the other; those of different specs side by side."""
    members = [list(hold_out_members(spec, stacked.table)) for spec in stacked.specs]
    found: list[list[HoldOut]] = [[] for _ in stacked.specs]
    for repetition in range(HOLD_OUTS):
        now = [_with_its_validation(own[repetition], before) for own, before in zip(members, found, strict=True)]
        for own, one in zip(found, train_hold_outs(now, stacked.table, tick), strict=True):
            own.append(one)
    return [summarise(own, _kept(own)) for own in found]


def _with_its_validation(member: StackMember, before: list[HoldOut]) -> StackMember:
    """The same, but trained on its validation rows too, with the batch normalisation of the repetition before."""
    rows = np.concatenate([member.rows, member.validation])
    return replace(member, rows=rows, batch_norm=_kept(before))


def _kept(before: list[HoldOut]) -> Weights | None:
    """The weights of the last repetition where they have batch normalisation."""
    if not before:
        return None
    weights = before[-1].outcome.weights
    return weights if weights.normalised and weights.shape.n_gammas else None


AS_THE_AUTHORS = Protocol("paper", _search_as_authors)
