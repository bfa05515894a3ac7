"""Tuning on training rows alone: a portfolio, halved by cross-validation, its best refined.

Successive halving (Jamieson and Talwalkar 2016) over epochs: all candidates train side by side, and at each rung the better half
trains on from where it is. The neighbours of the best follow in the same way. Then cross-validation of the finalists is repeated
with other folds, until the budget is spent.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError, TrainingError
from tsk_core.train import Table
from tsk_core.tuning.fold_trainings import EVERY, Folds, FoldTrainings, WeightOf
from tsk_core.tuning.portfolio import distinct, neighbours, portfolio
from tsk_core.tuning.trial import SCORINGS, Candidate, Trial

__all__ = ["REPEATS", "Tuner"]

RUNGS = (15, 40, 100, 200)  # epochs after which the better half trains on
FINALISTS = 4  # candidates whose cross-validation is repeated
REPEATS = 30  # of cross-validation, at most
FIRST_RUNG = 0.35  # share of the budget that the first rung may take
REFIT = 2.5  # a model alone takes up to so many times the seconds that it takes in a stack
LEAST_ROWS, ROWS_PER_SECOND = 2000, 600  # of budget: with more rows, each candidate would get too few epochs


class Tuner:
    """Looks for settings that predict held-out rows of ``table`` well, within ``budget`` seconds, a refit of the best included.

    base: the settings that the portfolio does not name. folds_of: number of a repeat, from 0 → folds (rows to train on, rows to
    validate) of these row numbers; [] where there are no further folds. weight_of: as for ``FoldTrainings``. tunes_class_weight:
    whether candidates may differ from ``base`` in it. current: settings that compete with the portfolio. most_rules: of any
    candidate.
    stopped: asked between two epochs. clock: seconds that count.
    ``notes``: what was reduced to keep to the budget, as sentences. ``n_folds``: of each repeat.
    """

    def __init__(
        self,
        table: Table,
        base: TrainConfig,
        folds_of: Callable[[int, np.ndarray], Folds],
        *,
        budget: float,
        scoring: str = "balanced_accuracy",
        weight_of: WeightOf = lambda config, rows: None,
        tunes_class_weight: bool = True,
        current: TrainConfig | None = None,
        most_rules: int = 10**6,
        seed: int = 0,
        stopped: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if scoring not in SCORINGS:
            raise SettingError(f"scoring is {scoring!r}; it must be one of {', '.join(SCORINGS)}.")
        if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0 < budget < float("inf"):
            raise SettingError(f"budget is {budget!r}; it must be a number of seconds above 0.")
        self.table, self.base, self.budget, self.scoring, self.seed = table, base, budget, scoring, seed
        self.notes: list[str] = []
        self.n_folds = 0
        self._folds_of, self._weight_of, self._stopped = folds_of, weight_of, stopped
        self._tunes_class_weight = tunes_class_weight
        self._candidates: list[Candidate] = []
        self._rows, self._refit_seconds = self._sampled_rows(), 0.0
        self._most_rules = most_rules
        self._current, self._clock, self._began = current, clock, clock()

    @property
    def seconds(self) -> float:
        """Since the tuning began."""
        return self._clock() - self._began

    @property
    def trials(self) -> list[Trial]:
        """All candidates that have a score: those validated on the most sets first, of these the best first."""
        trials = [trial for candidate in self._candidates if (trial := candidate.trial(self.scoring))]
        return sorted(trials, key=lambda trial: (-trial.validations, *trial.rank))

    @property
    def best(self) -> Trial:
        """The best of those validated on the most sets. Raises TrainingError where none has a score."""
        if not (trials := self.trials):
            raise TrainingError("Tuning ended before any settings had a score; give it a larger budget.")
        return trials[0]

    def run(self) -> Iterator[list[Trial]]:
        """Tune until the budget is spent; yields the trials that changed, at most once an epoch."""
        folds = self._folds(0)
        self.n_folds = len(folds)
        first = [] if self._current is None else [replace(self._current, random_state=self.base.random_state)]
        yield from self._halve([*first, *portfolio(self.base, class_weight=self._tunes_class_weight)], "portfolio", folds)
        if self.trials and not self._out_of_time():
            known = [candidate.config for candidate in self._candidates]
            new = [config for config in neighbours(self.best.config) if replace(config, max_epochs=RUNGS[-1]) not in known]
            yield from self._halve(new, "refinement", folds[: self.n_folds])
        for repeat in range(1, REPEATS):
            if not self.trials or self._out_of_time() or not (folds := self._folds(repeat)):
                break
            yield from self._validate(folds[: self.n_folds], repeat)
        for candidate in self._candidates:
            candidate.state = "finished" if candidate.state == "training" else candidate.state
        yield self.trials

    def _halve(self, configs: list[TrainConfig], origin: str, folds: Folds) -> Iterator[list[Trial]]:
        """Train new candidates over the rungs; at each, the worse half leaves."""
        first = len(self._candidates)
        whole = [replace(config, max_epochs=RUNGS[-1], early_stopping=False) for config in configs]
        configs = distinct([replace(config, n_rules=min(config.n_rules, self._most_rules)) for config in whole])
        candidates = [Candidate(first + at, config, origin) for at, config in enumerate(configs, start=1)]
        self._candidates += candidates
        trainings = self._start(candidates, folds, 0, dict.fromkeys(candidates, RUNGS[-1]))
        before = self.seconds
        while trainings.alive:
            if not trainings.run_epoch(self._out_of_time):
                break
            if trainings.epoch == 2 and origin == "portfolio":  # the first epoch finds the initial centres too
                self._fit_into_budget(trainings, self.seconds - before)
            before = self.seconds
            if trainings.epoch % EVERY == 0:
                yield self._changed(candidates)
            if trainings.epoch in RUNGS:
                trainings.drop(self._worse_half(candidates))
        for candidate in candidates:
            candidate.state = "finished" if candidate.state == "training" else candidate.state

    def _worse_half(self, candidates: list[Candidate]) -> set[Candidate]:
        """The candidates that leave at a rung, at least one staying."""
        candidates = [candidate for candidate in candidates if candidate.state == "training"]
        ranked = sorted(candidates, key=lambda candidate: trial.rank if (trial := candidate.trial(self.scoring)) else (np.inf,))
        leaving = set(ranked[max(1, len(ranked) // 2) :])
        for candidate in leaving:
            candidate.state = "dropped"
        return leaving

    def _validate(self, folds: Folds, repeat: int) -> Iterator[list[Trial]]:
        """Validate the finalists on the folds of one more repeat; its scores count for those that train on all of them."""
        best = {trial.number: trial for trial in self.trials[:FINALISTS]}
        finalists = [candidate for candidate in self._candidates if candidate.number in best]
        trainings = self._start(
            finalists, folds, repeat, {candidate: best[candidate.number].config.max_epochs for candidate in finalists}
        )
        whole = True
        while trainings.alive and (whole := trainings.run_epoch(self._out_of_time)):
            pass
        for candidate in finalists:
            if not whole or candidate in trainings.diverged:
                candidate.curves = {key: curve for key, curve in candidate.curves.items() if key[0] != repeat}
        yield self._changed(finalists)

    def _start(self, candidates: list[Candidate], folds: Folds, repeat: int, epochs: dict[Candidate, int]) -> FoldTrainings:
        return FoldTrainings(candidates, folds, repeat, self.table, epochs, self._weight_of, self.seed, self._clock)

    def _fit_into_budget(self, trainings: FoldTrainings, epoch_seconds: float) -> None:
        """Drop folds where the first rung would take too much of the budget."""
        asked = self.n_folds
        affordable = int(asked * FIRST_RUNG * self.budget / (epoch_seconds * RUNGS[0]))
        self.n_folds = min(asked, max(1, affordable))
        if self.n_folds < asked:
            trainings.drop_folds(self.n_folds)
            self.notes.append(f"{self.n_folds} of {asked} folds were used, to keep to {self.budget:g} s.")

    def _folds(self, repeat: int) -> Folds:
        """The folds of a repeat; nearly equally many rows are made equally many, so that all folds can share a stack."""
        folds = self._folds_of(repeat, self._rows)
        sizes = [len(train) for train, _ in folds]
        if not folds or max(sizes) > 1.02 * min(sizes) + 2:
            return folds
        rng = np.random.default_rng(self.seed)
        return [(rng.permutation(train)[: min(sizes)], validation) for train, validation in folds]

    def _sampled_rows(self) -> np.ndarray:
        n_rows = len(self.table.y)
        most = max(LEAST_ROWS, int(ROWS_PER_SECOND * self.budget))
        if n_rows <= most:
            return np.arange(n_rows)
        self.notes.append(f"Tuning used {most:,} of {n_rows:,} training rows, to keep to {self.budget:g} s.")
        return np.sort(np.random.default_rng(self.seed).choice(n_rows, most, replace=False))

    def _changed(self, candidates: list[Candidate]) -> list[Trial]:
        """Their trials, after new scores; what the refit may take follows from the epochs of the better ones."""
        changed = [trial for candidate in candidates if (trial := candidate.trial(self.scoring))]
        steps = max(1, len(self.table.y) // self.base.batch_size)
        step_seconds = {candidate.number: candidate.step_seconds for candidate in candidates}
        better = sorted(changed, key=lambda trial: trial.rank)[:FINALISTS]
        longest = max((trial.config.max_epochs * step_seconds[trial.number] for trial in better), default=0.0)
        self._refit_seconds = max(self._refit_seconds, REFIT * steps * longest)
        return changed

    def _out_of_time(self) -> bool:
        return self._stopped() or self.seconds + self._refit_seconds > self.budget
