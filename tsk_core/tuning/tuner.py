"""Tuning on training rows alone: a portfolio, halved by cross-validation, its best refined.

Successive halving (Jamieson and Talwalkar 2016) over epochs: all candidates train side by side, and at each rung the better half
trains on from where it is. Those made of the best, such as its neighbours, follow in the same way. Then cross-validation of the
finalists is repeated with other folds, until the budget is spent. Which candidates there are, and which are better, is for its
``Strategy`` to say.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.data.splitting import drawn_rows
from tsk_core.errors import TrainingError
from tsk_core.evaluate.scorings import scoring_of
from tsk_core.model import class_scores
from tsk_core.setting_values import check_seconds, later_seed
from tsk_core.train import Records, StackMember, Table, train_stack
from tsk_core.train.table import log_prior
from tsk_core.tuning.fold_trainings import EVERY, Folds, FoldTrainings, OwnScoring, Placed, WeightOf
from tsk_core.tuning.trial import Candidate, Strategy, Trial, Work, placing_seconds

REFIT = 2.5  # a model alone takes up to so many times the seconds that it takes in a stack
CUT_SHORT = "This machine was too slow or too busy for the whole search: another run may find other settings."
MUCH_SLOWER = 5.0  # seconds of the clock for one of work, from which on the clock decides what is tried
TOO_FEW = "No settings had a score after {:g} s, so only the first ones were scored, which took longer."
LATE = 0.6  # share of the budget after which half of the candidates leave where none has a score


class Tuner:
    """Looks for settings that predict held-out rows of ``table`` well, within ``budget`` seconds, a refit of the best included.

    These are seconds of ``Work``, so that equal seeds try the same settings on every machine; where as many seconds of
    ``clock`` end before that, the search ends too, and a note says so. Only the first score is waited for, however long it takes.

    strategy: what is tried and preferred. folds_of: number of a repeat, from 0 → folds (rows to train on, rows to validate) of
    these row numbers; [] where there are no further folds. scoring, weight_of: as for ``FoldTrainings``. place: makes the table
    of a repeat's folds, where each has one of its own. current: settings that compete with the portfolio, where the strategy
    admits them. most_rules: of any candidate. calibrates: whether time is left for ``held_out_scores``. stopped: asked between
    two epochs. clock: seconds that count. work: what counts the work.
    ``notes``: what was reduced to keep to the budget, as sentences. ``n_folds``: of each repeat.
    """

    def __init__(
        self,
        table: Table,
        strategy: Strategy,
        folds_of: Callable[[int, np.ndarray], Folds],
        *,
        budget: float,
        scoring: str | OwnScoring = "balanced_accuracy",
        weight_of: WeightOf = lambda config, table, rows: None,
        place: Callable[[Folds], Placed] | None = None,
        current: TrainConfig | None = None,
        most_rules: int = 10**6,
        calibrates: bool = False,
        seed: int = 0,
        stopped: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        work: Work | None = None,
    ) -> None:
        if not isinstance(scoring, OwnScoring):
            scoring_of(scoring)  # or it is refused
        self.table, self.strategy, self.seed = table, strategy, seed
        self.scoring, self._measured = scoring.name if isinstance(scoring, OwnScoring) else scoring, scoring
        self.budget = check_seconds("budget", budget)
        self.notes: list[str] = []
        self.n_folds = 0
        self._folds_of, self._weight_of, self._stopped, self._place = folds_of, weight_of, stopped, place
        self._candidates: list[Candidate] = []
        self._rows, self._refit_seconds = self._sampled_rows(), 0.0
        self._rungs = strategy.rungs(len(self._rows) * table.x.shape[1], budget)
        self._most_rules, self._calibrates = most_rules, calibrates
        self._current = current if current is not None and strategy.admits(current) else None
        self._clock, self._began = clock, clock()
        self._work = work or Work()

    @property
    def seconds(self) -> float:
        """Since the tuning began."""
        return self._clock() - self._began

    @property
    def trials(self) -> list[Trial]:
        """All candidates that have a score: those validated on the most sets first, of these the best first."""
        trials = [trial for candidate in self._candidates if (trial := candidate.trial(self.scoring))]
        by_sets = sorted({trial.validations for trial in trials}, reverse=True)
        return [trial for sets in by_sets for trial in self.strategy.ordered([t for t in trials if t.validations == sets])]

    @property
    def compared(self) -> list[Trial]:
        """Those validated on the most sets, the best first."""
        trials = self.trials
        return [trial for trial in trials if trial.validations == trials[0].validations]

    @property
    def best(self) -> Trial:
        """What the strategy chooses of those validated on the most sets. Raises TrainingError where none has a score."""
        if not (compared := self.compared):
            raise TrainingError("No settings have a score: tuning was stopped before, or training diverged with each of them.")
        return self.strategy.choose(compared)

    def run(self) -> Iterator[list[Trial]]:
        """Tune until the budget is spent; yields the trials that changed, at most once an epoch."""
        placed = self._placed(0)
        self.n_folds = len(placed.folds)
        portfolio = [(config, "portfolio") for config in self.strategy.portfolio()]
        if self._current is not None:
            portfolio.insert(0, (replace(self._current, random_state=self.strategy.base.random_state), "current"))
        yield from self._halve(portfolio, placed, fits=True)
        for number in range(self.strategy.rounds):
            if self._out_of_time() or not (compared := self.compared):
                break
            new = [(config, "refinement") for config in self.strategy.refinements(compared, number)]
            yield from self._halve(new, placed.first(self.n_folds))
        for repeat in range(1, self.strategy.repeats):
            if not self.trials or self._out_of_time() or not (placed := self._placed(repeat)).folds:
                break
            yield from self._validate(placed.first(self.n_folds), repeat)
        for candidate in self._candidates:
            candidate.state = "finished" if candidate.state == "training" else candidate.state
        yield self.trials

    def held_out_scores(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the validation rows: class scores (N, C) by models with the best settings that were not trained on them, classes
        (N,), and these models' ``log_prior`` (N, C), 0 without class weights.

        After ``run``: the models of the first repeat's folds, trained again; one that diverges has no rows.
        """
        config, placed = self.best.config, self._placed(0)
        found, table = [], placed.table
        for fold, (rows, validation) in enumerate(placed.folds[: self.n_folds]):
            weight, records = self._weight_of(config, table, rows), Records(train=None, held_out=config.max_epochs)
            member = StackMember(
                config, later_seed(self.seed, fold), rows, config.max_epochs, validation, weight,
                early_stopping=False, records=records,
            )  # fmt: skip
            *_, ((_, epoch, outcome),) = train_stack([member], table)
            if epoch is not None:
                scores = class_scores(outcome.rules, table.x[validation], exact=False).cpu().numpy()
                prior = log_prior(weight, table.y[rows].cpu().numpy(), table.weights_of(rows))
                priors = np.broadcast_to(0.0 if prior is None else prior, scores.shape)
                found.append((scores, table.y[validation].cpu().numpy(), priors))
        if not found:
            nothing = np.empty((0, table.n_classes))
            return nothing, np.empty(0, int), nothing
        scores, y, priors = map(np.concatenate, zip(*found, strict=True))
        return scores, y, priors

    def _halve(self, configs: list[tuple[TrainConfig, str]], placed: Placed, *, fits: bool = False) -> Iterator[list[Trial]]:
        """Train new candidates over the rungs; at each, the worse half leaves.

        configs: with their origin. fits: whether folds and candidates are left out where the first rung would take too long.
        """
        candidates = self._new_candidates(configs)
        trainings = self._start(candidates, placed, 0, {candidate: candidate.config.max_epochs for candidate in candidates})
        before, late = (self._work.seconds, self.seconds), LATE
        while trainings.alive:
            if not trainings.run_epoch(self._out_of_time):
                break
            if trainings.epoch == 2 and fits:
                self._fit_into_budget(trainings, candidates, self._seconds_since(*before))
            before = self._work.seconds, self.seconds
            if max(before) > late * self.budget and not self._has_score():
                kept = self._hasten(trainings, candidates, *before)
                candidates, late = candidates[:kept], (1 + late) / 2
            if trainings.epoch % EVERY == 0:
                yield self._changed(candidates)
            if trainings.epoch in self._rungs:
                trainings.drop(self._worse_half(candidates))
        for candidate in candidates:
            candidate.state = "finished" if candidate.state == "training" else candidate.state

    def _hasten(self, trainings: FoldTrainings, candidates: list[Candidate], work: float, clock: float) -> int:
        """Let half of the candidates go: rather few scores than none; past the budget all but one, with one fold.

        Returns how many stay.
        """
        if clock > work:
            self._note_slowness()
        kept = max(1, len(candidates) // 2)
        if max(work, clock) > self.budget:
            kept, self.n_folds = 1, 1
            trainings.drop_folds(1)
            if (note := TOO_FEW.format(self.budget)) not in self.notes:
                self.notes.append(note)
        trainings.drop(set(candidates[kept:]))
        return kept

    def _has_score(self) -> bool:
        return any(candidate.curves for candidate in self._candidates)

    def _seconds_since(self, work: float, clock: float) -> float:
        """Seconds of work since then; those of the clock where they are far more, so that some candidates get a score at all."""
        counted, passed = self._work.seconds - work, self.seconds - clock
        if passed <= MUCH_SLOWER * counted:
            return counted
        self._note_slowness()
        return passed

    def _note_slowness(self) -> None:
        if CUT_SHORT not in self.notes:
            self.notes.append(CUT_SHORT)

    def _new_candidates(self, configs: list[tuple[TrainConfig, str]]) -> list[Candidate]:
        """Those of these settings that are not tried yet, numbered on."""
        known, new = [candidate.config for candidate in self._candidates], []
        for config, origin in configs:
            config = self._whole(config)
            if config not in known:
                known.append(config)
                new.append(Candidate(len(known), config, origin))
        self._candidates += new
        return new

    def _whole(self, config: TrainConfig) -> TrainConfig:
        """The settings for a training over all rungs, with the epoch at which it chooses conditions said as a number.

        Several trainings are as long as they ask for, since how long one should be is known by then. Where they would have too
        many rules together, there are fewer of them.
        """
        last, part = self._rungs[-1], config.part.n_rules
        n = max(1, min(config.n_parts, self._most_rules // part))
        epochs = min(last, max(EVERY, config.max_epochs)) if n > 1 else last
        rules = min(n * part, self._most_rules)
        whole = replace(config, n_rules=rules, n_trainings=n, max_epochs=epochs, early_stopping=False)
        return replace(whole, selection_epoch=min(config.choice_epoch, last // 2)) if config.max_conditions else whole

    def _worse_half(self, candidates: list[Candidate]) -> set[Candidate]:
        """The candidates that leave at a rung, at least one staying; one that has no score yet stays."""
        racing = {candidate.number: candidate for candidate in candidates if candidate.state == "training"}
        trials = [trial for candidate in racing.values() if (trial := candidate.trial(self.scoring))]
        ordered = self.strategy.ordered(trials)
        leaving = {racing[trial.number] for trial in ordered[max(1, len(ordered) // 2) :]}
        for candidate in leaving:
            candidate.state = "dropped"
        return leaving

    def _validate(self, placed: Placed, repeat: int) -> Iterator[list[Trial]]:
        """Validate the finalists on the folds of one more repeat; its scores count for those that train on all of them."""
        compared = self.compared
        ordered = [self.strategy.choose(compared), *compared]
        best = dict(list({trial.number: trial for trial in ordered}.items())[: self.strategy.finalists])
        finalists = [candidate for candidate in self._candidates if candidate.number in best]
        trainings = self._start(
            finalists, placed, repeat, {candidate: best[candidate.number].config.max_epochs for candidate in finalists}
        )
        whole = True
        while trainings.alive and (whole := trainings.run_epoch(self._out_of_time)):
            pass
        for candidate in finalists:
            if not whole or candidate in trainings.diverged:
                for fold in range(len(placed.folds)):
                    candidate.forget((repeat, fold))
        yield self._changed(finalists)

    def _start(self, candidates: list[Candidate], placed: Placed, repeat: int, epochs: dict[Candidate, int]) -> FoldTrainings:
        return FoldTrainings(
            candidates, placed, repeat, epochs, self._weight_of, self.seed, self._work, self._rungs, self._measured
        )

    def _fit_into_budget(self, trainings: FoldTrainings, candidates: list[Candidate], epoch_seconds: float) -> None:
        """Drop folds, and then candidates, where the first rung would take too much of the budget."""
        asked, strategy = self.n_folds, self.strategy
        affordable = asked * strategy.first_rung * self.budget / (epoch_seconds * self._rungs[0])
        self.n_folds = min(asked, max(strategy.least_folds, int(affordable)))
        if self.n_folds < asked:
            trainings.drop_folds(self.n_folds)
            self.notes.append(f"{self.n_folds} of {asked} folds were used, to keep to {self.budget:g} s.")
        kept = max(strategy.least_candidates, int(len(candidates) * affordable / self.n_folds))
        if kept < len(candidates):
            trainings.drop(set(candidates[kept:]))
            self.notes.append(f"{kept} of {len(candidates)} first candidates were tried, to keep to {self.budget:g} s.")

    def _placed(self, repeat: int) -> Placed:
        """The folds of a repeat, and the table of their rows."""
        folds = self._folds(repeat)
        if self._place is None or not folds:
            return Placed(self.table, folds)
        self._work.add(placing_seconds(sum(len(train) + len(validation) for train, validation in folds) * self.table.x.shape[1]))
        return self._place(folds)

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
        most = self.strategy.most_rows(self.table.x.shape[1], self.budget)
        if n_rows > most:
            self.notes.append(f"Tuning used {most:,} of {n_rows:,} training rows, to keep to {self.budget:g} s.")
        return np.sort(drawn_rows(np.arange(n_rows), most, self.seed))

    def _changed(self, candidates: list[Candidate]) -> list[Trial]:
        """Their trials, after new scores; what the refit may take follows from the epochs of the better ones."""
        changed = [trial for candidate in candidates if (trial := candidate.trial(self.scoring))]
        steps = max(1, len(self.table.y) // self.strategy.base.batch_size)
        step_seconds = {candidate.number: candidate.step_seconds for candidate in candidates}
        better = sorted(changed, key=lambda trial: trial.rank)[: self.strategy.finalists]
        longest = max((trial.config.max_epochs * step_seconds[trial.number] for trial in better), default=0.0)
        models = REFIT + (self.n_folds if self._calibrates else 0)
        self._refit_seconds = max(self._refit_seconds, models * steps * longest)
        return changed

    def _out_of_time(self) -> bool:
        if self._stopped():
            return True
        if not self._has_score():
            return False
        if self._work.seconds + self._refit_seconds > self.budget:
            return True
        slower = max(1.0, self.seconds / self._work.seconds) if self._work.seconds else 1.0
        late = self.seconds + slower * self._refit_seconds > self.budget
        if late:
            self._note_slowness()
        return late
