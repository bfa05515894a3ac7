"""Tuning as a task, with a record of each candidate as it goes."""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tsk_core import limits
from tsk_core.errors import TrainingError
from tsk_core.runs.folder import Ending
from tsk_core.tasks.task import Context, DatasetTask
from tsk_core.tuning import TRAININGS

if TYPE_CHECKING:
    from tsk_core.tuning.trial import Trial

TRIALS = "trials"  # the series of its records: Trial.to_dict() and "seconds" since the tuning began, one each time it changes


@dataclass(frozen=True)
class Tuning(DatasetTask):
    """Look for settings for the training rows of ``dataset`` within ``budget`` seconds, then score them on its test rows.

    config: settings that compete with the portfolio; its class weights, if any, hold for all candidates.
    test_size: share of rows held back; tuning never sees them. folds: of its cross-validation. readable, aim, scoring,
    n_trainings: as for ``TSKClassifierCV``; the baselines are tuned by the same scoring.
    """

    kind: ClassVar[str] = "tuning"
    budget: float = 20.0
    test_size: float = 0.3
    folds: int = 5
    readable: bool = False
    aim: str = "shortest"
    scoring: str = "balanced_accuracy"
    n_trainings: int = TRAININGS

    @property
    def steps(self) -> int:
        """Seconds; 0 for a budget that ``Tuner`` will refuse."""
        return math.ceil(self.budget) if math.isfinite(self.budget) else 0

    def check(self) -> None:
        """Raise LimitError where training is larger than this server allows, SettingError for an unknown scoring."""
        from tsk_core.evaluate.scorings import scoring_of  # pandas: not with the task

        scoring_of(self.scoring)
        super().check()

    def run(self, context: Context) -> Ending:
        """Tune, and leave in metrics.json: best (settings), scoring, cv_score, cv_sd, cv_bca (None where another
        score is maximised), folds, trials, notes, seconds, and test scores.

        With ``readable`` also curve: ``SizePoint.to_dict`` of each.

        A stop keeps the best settings so far, without test scores; before any score it leaves nothing.
        """
        from tsk_core.estimators.classifier_cv import TSKClassifierCV  # torch: not before the work really begins
        from tsk_core.tasks.final_metrics import final_metrics, search_of, searched_baselines

        began, X, y = context.clock(), self.dataset.X, np.asarray(self.dataset.y)
        seed, weight = self.config.seed, self.config.class_weight
        split = self.dataset.split(test_size=self.test_size, seed=seed)
        train, test = (X.iloc[split.train], y[split.train]), (X.iloc[split.test], y[split.test])
        classifier = TSKClassifierCV(
            self.budget, self.folds, self.scoring, random_state=seed, class_weight="search" if weight is None else weight,
            readable=self.readable, aim=self.aim, n_trainings=self.n_trainings,
        )  # fmt: skip
        reporter = _Reporter(context)
        trials = classifier.fit_iter(
            *train, **self.dataset.fit_params(split.train),
            current=self.config, most_rules=limits.value("rules"), stopped=context.stopped, clock=context.clock,
        )  # fmt: skip
        try:
            for changed in trials:
                reporter.report(changed)
        except TrainingError:  # no score
            if not context.reason:
                raise
            return Ending("stopped", context.reason)
        seconds = context.clock() - began  # of the search alone
        best = classifier.trials_[classifier.best_index_]
        metrics: dict[str, Any] = {
            "best": classifier.best_params_, "scoring": self.scoring, "cv_score": classifier.best_score_,
            "cv_bca": classifier.best_score_ if self.scoring == "balanced_accuracy" else None,
            "cv_sd": best.sd, "folds": classifier.n_splits_,
            "trials": [trial.to_dict() for trial in classifier.trials_], "notes": classifier.notes_,
        }  # fmt: skip
        if self.readable:
            metrics["curve"] = [point.to_dict() for point in classifier.curve_]
        if not context.reason:
            model, classes = classifier.best_estimator_, [str(name) for name in self.dataset.classes]
            found = search_of(self.readable, classifier.trials_, best, classifier.n_splits_, classifier.budget)
            search = searched_baselines(found, model, train, self.dataset.fit_params(split.train), context, self.steps)
            belongs = self.dataset.split_column_of(split.test)
            scores, _ = final_metrics(model, model.history_, train, test, classes, belongs, search)
            metrics = scores | metrics | {"notes": [*classifier.notes_, *scores["notes"]]}
        context.folder.write_metrics(metrics | {"seconds": seconds})
        reason = context.reason
        return Ending("stopped" if reason else "finished", reason, metrics.get("rca"), metrics.get("bca"))


class _Reporter:
    """Records candidates whose results changed."""

    def __init__(self, context: Context) -> None:
        self._context, self._began = context, context.clock()
        self._known: dict[int, Trial] = {}

    def report(self, trials: "Iterable[Trial]") -> None:
        seconds = self._context.clock() - self._began
        for trial in trials:
            if self._known.get(trial.number) != trial:
                self._known[trial.number] = trial
                line = json.dumps(trial.to_dict() | {"seconds": round(seconds, 2)})
                self._context.report(TRIALS, line)
        self._context.progress(int(seconds), TRIALS, True)
