"""Trial: one candidate of a tuning; Strategy: which are tried and preferred; Work: how much a search has done."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tsk_core.config import TrainConfig

if TYPE_CHECKING:
    from tsk_core.train.recorder import Faithfulness

LEAST_SCORES = 2  # for a standard error


class Scores(NamedTuple):
    """Of one validation set after one epoch. score: what the tuning maximises. cross_entropy: class-weighted."""

    score: float
    cross_entropy: float


@dataclass(frozen=True)
class Trial:
    """What is known of one candidate.

    number: from 1, in the order of their start. config: its settings; ``max_epochs`` is its best epoch so far. score: mean over
    ``validations`` validation sets at that epoch; sd: over them, None for one. cross_entropy: their mean. origin: "current"
    (settings that were given), "portfolio" or "refinement". state: "training", "dropped" (others were better, or it diverged) or
    "finished". conditions: of all its rules, mean over the folds, rounded; None where rules keep all, and until it is measured.
    agreement, literal: means over the folds of ``train.faithfulness`` where it was last measured; None where it was not. scores:
    on each validation set, in the same order for all candidates. scoring: what they are, a name of ``SCORINGS``, or one's own.
    """

    number: int
    config: TrainConfig
    score: float
    sd: float | None
    cross_entropy: float
    validations: int
    origin: str
    state: str
    conditions: int | None = None
    agreement: float | None = None
    literal: float | None = None
    scores: tuple[float, ...] = ()
    scoring: str = "balanced_accuracy"

    @property
    def standard_error(self) -> float | None:
        """Of ``score``: sd/√validations; None for one. It is a little too small, as folds share rows."""
        return None if self.sd is None else self.sd / math.sqrt(self.validations)

    def error_of_difference(self, other: "Trial") -> float:
        """The standard error of the mean difference between the scores of both, over the validation sets that they share.

        Of one score alone it would be larger, since some folds are harder than others for every candidate. Where the single
        scores are not known, it is that of this trial's own mean.
        """
        if len(self.scores) < LEAST_SCORES or len(self.scores) != len(other.scores):
            return self.standard_error or 0.0
        return float(np.subtract(self.scores, other.scores).std(ddof=1)) / math.sqrt(len(other.scores))

    @property
    def rank(self) -> tuple[float, ...]:
        """Smaller is better: by score, then cross-entropy, then number of rules."""
        return -self.score, self.cross_entropy, self.config.n_rules

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {"config": self.config.to_dict(), "scores": list(self.scores)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Trial":
        """The inverse of ``to_dict``; a missing field takes its default, and another one is left alone."""
        known = {each.name: values[each.name] for each in fields(cls) if each.name in values}
        return cls(**known | {"config": TrainConfig.from_dict(values["config"]), "scores": tuple(values.get("scores", ()))})


@dataclass(eq=False)
class Candidate:
    """A candidate while the tuning goes on. curves: scores by (repeat, fold) and epoch; conditions: of its rules, likewise, and
    how faithful they are.
    """

    number: int
    config: TrainConfig
    origin: str
    state: str = "training"
    curves: dict[tuple[int, int], dict[int, Scores]] = field(default_factory=dict)
    conditions: dict[tuple[int, int], int] = field(default_factory=dict)
    faithful: dict[tuple[int, int], "Faithfulness"] = field(default_factory=dict)
    step_seconds: float = 0.0  # of its model, in a stack
    _configs: dict[int, TrainConfig] = field(default_factory=dict, init=False, repr=False)  # by their epochs

    def forget(self, key: tuple[int, int]) -> None:
        """Let what was measured on a validation set go."""
        self.curves.pop(key, None)
        self.conditions.pop(key, None)
        self.faithful.pop(key, None)

    def trial(self, scoring: str) -> Trial | None:
        """At its best epoch, by the mean score over validation sets and over the epochs around it; None before any score.

        Where rules choose conditions, at its last epoch: they become sharper and cover more rows until the end.
        """
        epochs = sorted(set.intersection(*(set(curve) for curve in self.curves.values()))) if self.curves else []
        if not epochs:
            return None
        values = np.array([[self.curves[key][epoch] for epoch in epochs] for key in sorted(self.curves)])  # (sets, epochs, 2)
        scores, entropies = values[..., 0], values[..., 1].mean(0)
        smooth = _smoothed(scores.mean(0))
        best = len(epochs) - 1
        if not self.config.max_conditions:
            best = max(range(len(epochs)), key=lambda at: (round(float(smooth[at]), 9), -entropies[at]))
        sd = float(scores[:, best].std(ddof=1)) if len(scores) > 1 else None
        found = float(smooth[best]), sd, float(entropies[best]), len(scores)
        counts, faithful = list(self.conditions.values()), list(self.faithful.values())
        conditions = round(float(np.mean(counts))) if counts else None
        agreement, literal = np.mean(faithful, axis=0).tolist() if faithful else (None, None)
        own, config = tuple(scores[:, best].tolist()), self._trained_for(epochs[best])
        return Trial(self.number, config, *found, self.origin, self.state, conditions, agreement, literal, own, scoring)

    def _trained_for(self, epochs: int) -> TrainConfig:
        """Its settings with so many epochs; each made once, as that checks all of them."""
        if epochs not in self._configs:
            self._configs[epochs] = replace(self.config, max_epochs=epochs)
        return self._configs[epochs]


def _smoothed(values: np.ndarray) -> np.ndarray:
    """Each value averaged with those before and after it: the best of many noisy values would be too good."""
    padded: NDArray[np.float64] = np.pad(values, 1, mode="edge")
    return (padded[:-2] + padded[1:-1] + padded[2:]) / 3


# What a tuning tries, and which results it prefers: the part of it that depends on its aim.


class Strategy(Protocol):
    """The candidates of a tuning, and their order.

    base: the settings that its portfolio does not name. first_rung: share of the budget that the first rung takes. least_folds,
    least_candidates: what is left of its portfolio where that time is short. finalists: candidates whose cross-validation is
    repeated. repeats: of cross-validation, at most. rounds: of refinement.
    """

    base: TrainConfig
    first_rung: float
    least_folds: int
    least_candidates: int
    finalists: int
    repeats: int
    rounds: int

    def most_rows(self, columns: int, budget: float) -> int:
        """How many rows of so many columns are used at most: with more, each candidate would get too little of the budget."""
        ...

    def rungs(self, cells: int, budget: float) -> tuple[int, ...]:
        """The epochs after which the better half trains on, for so many rows × columns."""
        ...

    def admits(self, config: TrainConfig) -> bool:
        """Whether settings that a person has may take part."""
        ...

    def portfolio(self) -> list[TrainConfig]:
        """The first candidates, the likeliest first."""
        ...

    def refinements(self, trials: list[Trial], number: int) -> list[TrainConfig]:
        """Candidates made of the better ones of these, which were validated on equally many sets. number: the round, from 0."""
        ...

    def ordered(self, trials: list[Trial]) -> list[Trial]:
        """The best first: of these, which were validated on equally many sets, the last leave at a rung."""
        ...

    def choose(self, trials: list[Trial]) -> Trial:
        """What the tuning finds, of candidates that were validated on equally many sets."""
        ...


# How much a search has done, in seconds of one machine: what it tries depends on this count, and so on no other machine.
#
# A search that followed the clock would try other settings wherever something else is running. The constants were measured with
# one torch thread (decision 0012), and foretell somewhat more than most searches take there with nothing else running.


# Seconds: of an epoch, a step, a model in a step, a product in it; of a model in an epoch, a product of its validation.
EPOCH, STEP, MODEL_STEP, PRODUCT, MODEL_EPOCH, VALIDATED = 3.2e-3, 360e-6, 35e-6, 4e-10, 20e-6, 1e-10
START, CENTRES = 1e-3, 8e-9  # of a model: where it begins, and of its initial centres for each row, rule and column
PLACED = 2e-7  # of a number of the table of a repeat, which is encoded for each fold


class Work:
    """seconds: of the work so far."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count more work."""
        self.seconds += seconds


def epoch_seconds(config: TrainConfig, rows: int, validated: int, columns: int, classes: int, members: int) -> float:
    """Of an epoch of so many members side by side. rows, validated: of each."""
    slopes = columns if config.has_slopes else 1
    products = config.n_rules * (2 * columns + classes * slopes)  # of a row
    steps, batch = config.steps_per_epoch(rows), min(rows, config.batch_size)
    step = STEP + members * (config.n_parts * MODEL_STEP + PRODUCT * batch * products)
    return EPOCH + steps * step + members * (MODEL_EPOCH + VALIDATED * validated * products)


def placing_seconds(numbers: int) -> float:
    """Of the table of a repeat's folds, which has so many numbers."""
    return PLACED * numbers


def start_seconds(config: TrainConfig, rows: int, columns: int, members: int) -> float:
    """Before the first epoch of so many members."""
    return members * (config.n_parts * START + CENTRES * rows * config.n_rules * columns)
