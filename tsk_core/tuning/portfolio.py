"""Tuning for the best score: settings that together cover many tables, then the best in several trainings, and its neighbours.

How they were chosen: docs/measured/settings.md.
"""

from dataclasses import replace
from typing import Any

from tsk_core.config import TrainConfig, nearest_rules
from tsk_core.settings import SETTINGS
from tsk_core.tuning.trial import Trial

PORTFOLIO: tuple[dict[str, Any], ...] = (
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.003, "l2": 0.001, "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.1, "l2": 0.03, "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 5, "shrinkage": 0.03, "l2": 0.01, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.0, "l2": 0.0001, "class_weight": None},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.03, "l2": 0.01, "class_weight": "balanced"},
    {"firing": "softmax", "n_rules": 30, "shrinkage": 0.0, "l2": 0.0001, "learning_rate": 0.01, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.001, "l2": 0.0001, "optimizer": "adam", "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.0, "l2": 0.0001, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "optimizer": "adam", "class_weight": "balanced"},
)

# Without class weights, which train for other shares of the classes than the rows have, and so for other probabilities.
PORTFOLIO_FOR_PROBABILITIES: tuple[dict[str, Any], ...] = (
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.01, "l2": 0.001, "optimizer": "adam", "class_weight": None},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.1, "l2": 0.03, "optimizer": "adam", "class_weight": None},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.01, "l2": 0.01, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.1, "l2": 0.01, "class_weight": None},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.3, "l2": 0.1, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.03, "l2": 0.01, "optimizer": "adam", "class_weight": None},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.03, "l2": 0.01, "class_weight": None},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.003, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.03, "l2": 0.01, "optimizer": "adam", "class_weight": None},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.03, "l2": 0.03, "learning_rate": 0.005, "class_weight": None},
)
OF_PROBABILITIES = ("neg_log_loss", "roc_auc")  # scorings

RUNGS = (15, 40, 100, 200)
LEAST_ROWS, ROWS_PER_SECOND = 2000, 600  # of budget

TRAININGS, LONGER = 8, 1.5  # in how many trainings the best is learnt as well, and for how many times the epochs

_FACTORS = {"l2": 3.0, "shrinkage": 3.0, "n_rules": 1.5, "learning_rate": 2.0}
_LEAST = {"l2": 1e-5, "shrinkage": 1e-4}  # of what is multiplied, where a setting is 0


def portfolio(base: TrainConfig, scoring: str = "balanced_accuracy", *, class_weight: bool = True) -> list[TrainConfig]:
    """The first candidates of a tuning by this scoring, the likeliest first; what the portfolio does not name is as in ``base``.

    class_weight: whether the portfolio may set it.
    """
    kept = {} if class_weight else {"class_weight": base.class_weight}
    chosen = PORTFOLIO_FOR_PROBABILITIES if scoring in OF_PROBABILITIES else PORTFOLIO
    return distinct([replace(base, **settings | kept) for settings in chosen])


def distinct(configs: list[TrainConfig]) -> list[TrainConfig]:
    """Without repeats; class weights, which may be dictionaries, cannot be hashed."""
    return [config for at, config in enumerate(configs) if config not in configs[:at]]


def neighbours(config: TrainConfig) -> list[TrainConfig]:
    """Settings that differ from ``config`` by one step in one place; numbers have two digits, which people can read."""
    near = [replace(config, optimizer=name) for name in SETTINGS["optimizer"].options]
    for name, factor in _FACTORS.items():
        value = max(getattr(config, name), _LEAST.get(name, 0))
        for moved in (value * factor, value / factor):
            rules = max(2, nearest_rules(moved, config.n_parts))
            changed: dict[str, Any] = {name: rules if name == "n_rules" else float(f"{moved:.2g}")}
            near.append(replace(config, **changed))
    return [neighbour for neighbour in near if neighbour != config]


def several(config: TrainConfig, n: int) -> TrainConfig:
    """These settings in n trainings of as many rules, for somewhat longer: together they overfit later than one."""
    return replace(config, n_rules=n * config.n_rules, n_trainings=n, max_epochs=round(LONGER * config.max_epochs))


def most_accurate(trials: list[Trial]) -> Trial:
    """The best of candidates that were validated on equally many sets, by mean score, cross-entropy and number of rules.

    But several trainings are preferred to one unless their score is lower by more than a standard error: they are better on more
    tables than the validation of one table can show (docs/decisions/0012).
    """
    ordered = sorted(trials, key=lambda trial: trial.rank)
    best = ordered[0]
    more = (trial for trial in ordered if trial.config.n_parts > best.config.n_parts)
    return next((trial for trial in more if best.score - trial.score <= best.error_of_difference(trial)), best)


class MostAccurate:
    """The ``Strategy`` of the best score, by ``scoring``.

    tunes_class_weight: whether it may differ from that of ``base``. n_trainings: in how many trainings the best are learnt as
    well, each of as many rules; 1: they are not.
    """

    first_rung = 0.35
    least_folds = 1
    least_candidates = len(PORTFOLIO) + 1  # all
    finalists = 4
    repeats = 30
    rounds = 3

    def __init__(
        self,
        base: TrainConfig,
        scoring: str = "balanced_accuracy",
        *,
        tunes_class_weight: bool = True,
        n_trainings: int = TRAININGS,
    ) -> None:
        self.base, self.scoring, self.tunes_class_weight, self.n_trainings = base, scoring, tunes_class_weight, n_trainings

    def most_rows(self, columns: int, budget: float) -> int:
        """However many columns they have."""
        return max(LEAST_ROWS, int(ROWS_PER_SECOND * budget))

    def rungs(self, cells: int, budget: float) -> tuple[int, ...]:
        """The same for all tables."""
        return RUNGS

    def admits(self, config: TrainConfig) -> bool:
        """Any."""
        return True

    def portfolio(self) -> list[TrainConfig]:
        """See ``portfolio``."""
        return portfolio(self.base, self.scoring, class_weight=self.tunes_class_weight)

    def refinements(self, trials: list[Trial], number: int) -> list[TrainConfig]:
        """The best again, learnt in several trainings; then its neighbours; then the best again, which may be one of them.

        The best is that of one training: to learn neighbours in several would take several times as long. Where it cannot have
        several, there is nothing to try.
        """
        single = [trial.config for trial in self.ordered(trials) if trial.config.n_parts == 1]
        if number == 1:
            return [one for best in single[:1] for one in neighbours(best)]
        return [together for best in single[:1] if (together := several(best, self.n_trainings)).n_parts > 1]

    def ordered(self, trials: list[Trial]) -> list[Trial]:
        """By score, then cross-entropy, then number of rules."""
        return sorted(trials, key=lambda trial: trial.rank)

    def choose(self, trials: list[Trial]) -> Trial:
        """See ``most_accurate``."""
        return most_accurate(trials)
