"""Tuning for a readable rule base: few rules with few conditions that predict nearly as well as more of them.

A curve, accuracy × conditions, is what it finds: the candidates that no shorter one beats. Its aim says which of them is taken.
"""

from dataclasses import dataclass, replace
from typing import Any

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.tuning.portfolio import distinct
from tsk_core.tuning.trial import Trial

AIMS = ("shortest", "best")
RULES = (2, 3, 4, 6, 8, 12, 16, 20, 30)
MOST_CONDITIONS = 4  # of a rule
SIZES = (  # rules, conditions of each: the likeliest first, short and long ones by turns
    (12, 3), (4, 2), (8, 3), (2, 1), (16, 3), (6, 2), (3, 2), (20, 3), (8, 2), (4, 3), (12, 2), (3, 1), (6, 3), (30, 3), (2, 2),
    (16, 2), (4, 1), (12, 4), (20, 2), (2, 3), (8, 4), (6, 1), (20, 4), (30, 2),
)  # fmt: skip
ROWS_PER_SECOND = 100  # of budget
USED_CELLS_PER_SECOND, LEAST_ROWS = 5000, 500  # rows × columns, beyond which fewer rows are used
CELLS_PER_SECOND, LEAST_EPOCHS = 2000, 60  # rows × columns, beyond which there are fewer epochs
AGREES, TRUE = 0.95, 0.8  # shares of rows from which a text is faithful enough
DISAGREEMENT, UNTRUTH = 1.0, 0.25  # what of the score a share of 1 that is lacking costs
_FACTORS = {"ur_weight": 3.0, "sharpness": 2.0, "covering": 2.5}


@dataclass(frozen=True)
class SizePoint:
    """A rule base of the curve.

    conditions: of all its rules, as ``Trial.conditions``. rules: how many. max_conditions: of each rule, at most. score: mean
    over validation sets. standard_error, agreement, literal: as for ``Trial``. config: its settings. number: of its trial.
    """

    conditions: int
    rules: int
    max_conditions: int
    score: float
    standard_error: float | None
    config: TrainConfig
    number: int
    agreement: float | None = None
    literal: float | None = None

    @classmethod
    def of(cls, trial: Trial) -> "SizePoint":
        """The point of a trial."""
        config = trial.config
        size = trial.conditions or 0, config.n_rules, config.max_conditions
        faithful = trial.agreement, trial.literal
        return cls(*size, trial.score, trial.standard_error, config, trial.number, *faithful)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return vars(self) | {"config": self.config.to_dict()}


def curve(trials: list[Trial]) -> list[SizePoint]:
    """The trials whose ``merit`` no other with as few conditions reaches, fewest conditions first; their merits rise.

    trials: of readable rule bases, validated on equally many sets.
    """
    return [SizePoint.of(trial) for trial in _front(trials)]


def shortest(trials: list[Trial]) -> Trial:
    """The trial of the fewest conditions within one standard error of the best ``merit`` (Breiman and others 1984).

    The standard error is that of the mean difference between the scores of both, over the validation sets that they share: folds
    × repeats. Of one score alone it would be larger, since some folds are harder than others for every candidate.
    """
    leader = best(trials)
    return min((trial for trial in trials if merit(leader) - merit(trial) <= leader.error_of_difference(trial)), key=_by_size)


def merit(trial: Trial) -> float:
    """The mean score, less what the text lacks to be the model: a base whose text says something else is not readable.

    ``DISAGREEMENT`` of what the strongest rule lacks to agree on ``AGREES`` of the rows, and ``UNTRUTH`` of what its sentence
    lacks to be true for ``TRUE`` of them.
    """
    disagrees = max(0.0, AGREES - (AGREES if trial.agreement is None else trial.agreement))
    untrue = max(0.0, TRUE - (TRUE if trial.literal is None else trial.literal))
    return trial.score - DISAGREEMENT * disagrees - UNTRUTH * untrue


def best(trials: list[Trial]) -> Trial:
    """The trial of the best ``merit``; of equal ones that of the fewest conditions."""
    return min(trials, key=lambda trial: (-merit(trial), _conditions(trial), trial.cross_entropy))


def by_fronts(trials: list[Trial]) -> list[Trial]:
    """Those that no shorter one beats first, then those that only these beat, and so on; within each front by ``merit``."""
    ordered, left = [], list(trials)
    while left:
        front = _front(left)
        ordered += sorted(front, key=lambda trial: (-merit(trial), *trial.rank))
        numbers = {trial.number for trial in front}
        left = [trial for trial in left if trial.number not in numbers]
    return ordered


class Readable:
    """The ``Strategy`` of a readable rule base.

    base: a readable starting point. All candidates train for its epochs at most; its λ holds for its number of rules and grows in
    proportion, since UR's loss is a sum over the rules. aim: "shortest" or "best". n_classes: there are at least as many rules,
    up to 30. n_features: no rule has more conditions. tunes_class_weight: whether candidates may differ from ``base`` in it.
    """

    first_rung = 0.35
    least_folds = 3
    least_candidates = 6
    finalists = 8
    repeats = 4
    rounds = 2

    def __init__(self, base: TrainConfig, *, aim: str, n_classes: int, n_features: int, tunes_class_weight: bool = True) -> None:
        if aim not in AIMS:
            raise SettingError(f"aim is {aim!r}; it must be one of {', '.join(AIMS)}.")
        self.base, self.aim, self.tunes_class_weight = base, aim, tunes_class_weight
        self._rules = [rules for rules in sorted({*RULES, min(n_classes, RULES[-1])}) if rules >= min(n_classes, RULES[-1])]
        self._most = min(MOST_CONDITIONS, n_features)

    def most_rows(self, columns: int, budget: float) -> int:
        """Fewer where they have many columns."""
        return int(max(LEAST_ROWS, budget * min(ROWS_PER_SECOND, USED_CELLS_PER_SECOND / columns)))

    def rungs(self, cells: int, budget: float) -> tuple[int, ...]:
        """Those of the second half of the training: in the first, rules have too many conditions to be compared.

        A large table takes fewer epochs, which have more steps.
        """
        whole = self.base.max_epochs
        affordable = 10 * round(whole * CELLS_PER_SECOND * budget / cells / 10)
        last = min(whole, max(LEAST_EPOCHS, affordable))
        return *(last // 2 + 5 * round(last / 2 * share / 5) for share in (0.2, 0.5)), last

    def admits(self, config: TrainConfig) -> bool:
        """Readable ones: other models have no size to compare."""
        return not config.has_slopes and config.max_conditions > 0

    def portfolio(self) -> list[TrainConfig]:
        """Sizes, with the settings of ``base``."""
        sizes = [*SIZES, *((self._rules[0], conditions) for conditions in (2, 3))]
        return distinct([self._sized(self.base, *size) for size in sizes if size[0] in self._rules])

    def refinements(self, trials: list[Trial], number: int) -> list[TrainConfig]:
        """The neighbours of what was chosen and of the best, by turns."""
        anchors = distinct([shortest(trials).config, best(trials).config])
        near = [self._neighbours(config) for config in anchors]
        return distinct([config for together in zip(*near, strict=False) for config in together])

    def ordered(self, trials: list[Trial]) -> list[Trial]:
        """By fronts: so that each size keeps its best candidates."""
        return by_fronts(trials)

    def choose(self, trials: list[Trial]) -> Trial:
        """By the aim."""
        return shortest(trials) if self.aim == "shortest" else best(trials)

    def _sized(self, config: TrainConfig, rules: int, conditions: int) -> TrainConfig:
        """The settings at another size, λ in proportion, in one training."""
        weight = float(f"{config.ur_weight * rules / config.n_rules:.2g}")
        return replace(config, n_rules=rules, max_conditions=min(conditions, self._most), ur_weight=weight, n_trainings=1)

    def _neighbours(self, config: TrainConfig) -> list[TrainConfig]:
        """Settings that differ by one step in one place."""
        near = []
        for name, factor in _FACTORS.items():
            for moved in (getattr(config, name) * factor, getattr(config, name) / factor):
                changed: dict[str, Any] = {name: float(f"{moved:.2g}")}
                near.append(replace(config, **changed))
        if self.tunes_class_weight:
            near.append(replace(config, class_weight=None if config.class_weight else "balanced"))
        rules, conditions = config.n_rules, config.max_conditions
        fewer, more = [n for n in self._rules if n < rules][-1:], [n for n in self._rules if n > rules][:1]
        near += [self._sized(config, other, conditions) for other in fewer + more]
        near += [self._sized(config, rules, other) for other in (conditions - 1, conditions + 1) if 1 <= other <= self._most]
        return [neighbour for neighbour in near if neighbour != config]


def _front(trials: list[Trial]) -> list[Trial]:
    front: list[Trial] = []
    for trial in sorted(trials, key=_by_size):
        if not front or merit(trial) > merit(front[-1]):
            front.append(trial)
    return front


def _by_size(trial: Trial) -> tuple[float, ...]:
    """Fewest conditions first, of equally many the better."""
    return _conditions(trial), -merit(trial), *trial.rank


def _conditions(trial: Trial) -> float:
    """A model that keeps all its conditions is the longest."""
    return float("inf") if trial.conditions is None else trial.conditions
