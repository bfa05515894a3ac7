"""A decision between two classes where a missed case and a false alarm cost differently, and what it makes of test rows.

The cost of a false alarm is 1, that of a missed case of the positive class c. A row with the probability p of that class costs
1 − p on average where it is called positive, and c·p where it is called negative: the former is no more where p ≥ 1/(1 + c). The
threshold follows from the cost, so that no row, of training or test, chooses it; but it is right only as far as the probabilities
are.

Mean costs are sums of shares of rows, c·misses + false alarms. Their bounds lie as far off as √Σd² of the distances d of the
bounds of their terms, each Wilson's: as if these were independent, which is a little too wide, since a row has one mistake at
most. The difference of two decisions has the same of the rows that they decide differently. Whole groups are resampled instead
where enough of them have such rows (``shares``).

Sources: Elkan, The foundations of cost-sensitive learning (2001), the threshold; Zou, Huang and Zhang, A note on confidence
interval estimation for a linear function of binomial proportions (2009).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tsk_core.data.naming import listed
from tsk_core.errors import SettingError
from tsk_core.evaluate.comparing import Paired
from tsk_core.evaluate.intervals import Interval, Shares, Units, intervals_of, mean_interval, percentile_interval, resamples

COSTS = (0.001, 1000.0)  # the range of c
Part = tuple[np.ndarray, np.ndarray]  # which rows are counted, and among which: bool (N,) each


@dataclass(frozen=True)
class Decision:
    """positive: a class. miss_cost: c, what a missed case of it costs in false alarms, in ``COSTS``; SettingError outside."""

    positive: str
    miss_cost: float

    def __post_init__(self) -> None:
        low, high = COSTS
        if not (math.isfinite(self.miss_cost) and low <= self.miss_cost <= high):
            raise SettingError(f"The cost of a missed case is {self.miss_cost:g}; it must be from {low:g} to {high:g}.")

    @property
    def threshold(self) -> float:
        """The least probability of the positive class at which a row is called positive, 1/(1 + c)."""
        return 1 / (1 + self.miss_cost)

    def position(self, classes: Sequence[str]) -> int:
        """The place of the positive class among the two classes; SettingError if it is none of them, or if they are not two."""
        if len(classes) != 2:
            raise SettingError(f"The cost of a missed case needs two classes; this model has {len(classes)}.")
        if self.positive not in classes:
            raise SettingError(f"There is no class {self.positive[:80]!r} to give a cost; the classes are {listed(classes)}.")
        return list(classes).index(self.positive)

    def decide(self, predicted: np.ndarray, probabilities: np.ndarray, classes: Sequence[str]) -> np.ndarray:
        """The class of each row, (N,) positions. predicted: the predicted class, (N,), which equal costs leave to a row whose
        classes are equally probable.

        probabilities: (N, 2). SettingError as for ``position``.
        """
        positive = self.position(classes)
        if self.miss_cost == 1:
            return np.where(probabilities[:, 0] == probabilities[:, 1], predicted, probabilities.argmax(1))
        return np.where(probabilities[:, positive] >= self.threshold, positive, 1 - positive)


def predicted_from(log_prior: Sequence[float] | np.ndarray | None, positive: int) -> float:
    """The least probability of this one of two classes at which the classifier predicts it: 1/2, and w_other/(w + w_other) of a
    model that was trained with the class weights w, whose ``log_prior`` (``train.table``) this is.
    """
    return 0.5 if log_prior is None else 1 / (1 + math.exp(log_prior[1 - positive] - log_prior[positive]))


class Estimate(NamedTuple):
    """A number, its 95% interval, and how many rows it is a share or a mean of; None without such rows."""

    value: float | None
    interval: Interval | None
    rows: int


@dataclass(frozen=True)
class DecisionScores:
    """What a decision makes of test rows.

    confusion: counts (2, 2), row the true class, column the decision. recall: the share of positive rows that are found.
    false_alarms: the share of negative rows that are called positive. cost: the mean of a row, in false alarms.
    """

    confusion: list[list[int]]
    rca: Estimate
    bca: Estimate
    recall: Estimate
    false_alarms: Estimate
    cost: Estimate


@dataclass(frozen=True)
class Effect:
    """What a decision changes on test rows.

    before: by the predicted class. after: with the cost. cost: the mean cost after less that before, paired. changed: the rows
    that are decided differently; changed_positive: which share of these is positive. predicted_from: the least probability at
    which the predicted class is the positive one.
    """

    decision: Decision
    classes: tuple[str, str]
    before: DecisionScores
    after: DecisionScores
    cost: Paired
    changed: int
    changed_positive: Estimate
    predicted_from: float = 0.5

    @property
    def finds_more(self) -> bool:
        """Whether the rows that it decides differently are called positive; else they are called negative."""
        return self.decision.threshold < self.predicted_from


def effect_of(
    decision: Decision,
    classes: Sequence[str],
    true: np.ndarray,
    predicted: np.ndarray,
    probabilities: np.ndarray,
    units: Units,
    seed: int,
    predicted_from: float = 0.5,
) -> Effect:
    """true, predicted: (N,) positions of classes, N ≥ 1. probabilities: (N, 2). units: of these rows. seed: of the resamples.
    predicted_from: the least probability at which ``predicted`` is the positive class (``predicted_from``).

    SettingError as for ``Decision.position``.
    """
    positive, decided = decision.position(classes), decision.decide(predicted, probabilities, classes)
    case, changed, every = true == positive, decided != predicted, np.ones(len(true), bool)
    parts = {"found": (changed & case, every), "alarms": (changed & ~case, every), "changed": (changed & case, changed)}
    both = {"before": predicted, "after": decided}
    counts = _Counts(
        parts | {f"{k} {name}": part for k, one in both.items() for name, part in _parts(case, one == true)}, units, seed
    )
    # The rows that change are all called positive, or all negative.
    more = 1.0 if decision.threshold < predicted_from else -1.0
    difference, interval = counts.mean_cost(("found", "alarms"), (-more * decision.miss_cost, more))
    before, after = (_outcome(k, decision.miss_cost, true, one, counts) for k, one in both.items())
    return Effect(
        decision=decision,
        classes=(str(classes[0]), str(classes[1])),
        before=before,
        after=after,
        cost=Paired(difference, *interval),
        changed=int(changed.sum()),
        changed_positive=counts.share("changed"),
        predicted_from=predicted_from,
    )


def _parts(case: np.ndarray, correct: np.ndarray) -> list[tuple[str, Part]]:
    every = np.ones(len(case), bool)
    return [
        ("correct", (correct, every)),
        ("recall", (case & correct, case)),
        ("specificity", (~case & correct, ~case)),
        ("false alarms", (~case & ~correct, ~case)),
        ("misses of all", (case & ~correct, every)),
        ("alarms of all", (~case & ~correct, every)),
    ]


def _outcome(name: str, miss_cost: float, true: np.ndarray, decided: np.ndarray, counts: "_Counts") -> DecisionScores:
    confusion = np.zeros((2, 2), int)
    np.add.at(confusion, (true, decided), 1)
    cost, interval = counts.mean_cost((f"{name} misses of all", f"{name} alarms of all"), (miss_cost, 1.0))
    return DecisionScores(
        confusion=confusion.tolist(),
        rca=counts.share(f"{name} correct"),
        bca=counts.mean(f"{name} recall", f"{name} specificity"),
        recall=counts.share(f"{name} recall"),
        false_alarms=counts.share(f"{name} false alarms"),
        cost=Estimate(cost, interval, len(true)),
    )


class _Counts:
    """Shares of test rows by name; of groups also their values in resamples, the same ones for all."""

    def __init__(self, parts: Mapping[str, Part], units: Units, seed: int) -> None:
        alone, K = units.kind == "rows", len(parts)
        G, codes = (1, np.zeros(len(units.codes), int)) if alone else (units.count, units.codes)
        masks = [which for which, _ in parts.values()] + [among for _, among in parts.values()]
        counts = np.stack([np.bincount(codes[mask], minlength=G) for mask in masks], axis=1).astype(float)
        self._names, self._units, self._all = list(parts), units.count, Shares(counts[:, :K], counts[:, K:], alone)
        self._resampled: np.ndarray | None = None
        if not alone:
            found = resamples(counts, np.random.default_rng(seed))
            self._resampled = Shares(found[:, :K], found[:, K:], alone=False).each

    def _of(self, *names: str) -> tuple[Shares, np.ndarray | None]:
        at, (successes, trials, alone) = [self._names.index(name) for name in names], self._all
        return Shares(successes[:, at], trials[:, at], alone), None if self._resampled is None else self._resampled[:, at]

    def share(self, name: str) -> Estimate:
        """One of them."""
        shares, drawn = self._of(name)
        value = float(shares.values[0])
        return Estimate(None if math.isnan(value) else value, intervals_of(shares, drawn)[0], int(shares.trials.sum()))

    def mean(self, *names: str) -> Estimate:
        """The mean of those that have rows."""
        shares, drawn = self._of(*names)
        known = shares.values[~np.isnan(shares.values)]
        return Estimate(float(known.mean()), mean_interval(shares, drawn), int(shares.trials.sum()))

    def mean_cost(self, names: tuple[str, str], costs: tuple[float, float]) -> tuple[float, Interval]:
        """The mean cost of a row: two shares of all rows, each with its cost."""
        by, (shares, drawn) = np.array(costs), self._of(*names)
        mean = float(by @ shares.values)
        either = Shares(shares.successes.sum(1, keepdims=True), shares.trials[:, :1], shares.alone)
        resampled = percentile_interval(drawn @ by, self._units) if drawn is not None and either.suffice[0] else None
        if resampled is not None:
            return mean, resampled
        ends = np.array([interval or Interval(0.0, 1.0) for interval in intervals_of(shares, None)]) - shares.values[:, None]
        low, high = np.sqrt((np.sort(by[:, None] * ends, axis=1) ** 2).sum(0)).tolist()
        return mean, Interval(mean - low, mean + high)
