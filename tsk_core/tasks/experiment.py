"""Experiment: all trainings of a plan on one dataset, as stacks; a comparison of variants, or a sweep.

Where validation chooses λ for each training, hold-outs of its training rows are trained first; what was chosen is kept as a point
is, and the training is then that of a variant with this λ. Its records are the series "experiment", lines of two forms:

    {"at": [number of a training, …], "epoch": t, "ce": […], "rca": […], "bca": […], "grad_antecedents": […],
     "grad_consequents": […]}    one for each epoch of a stack of a comparison, from 0; scores of test rows
    {"point": number, "variant", "seed", "split", "scores": {"last" | "mean" | "best": [rca, bca]}, …, "cached": bool}
                                 one for each training that ended; ``experiments.trainings`` makes it
    {"baselines": {name: {"rca": […], "bca": […]}}}    of a sweep: simple classifiers on each seed's splits

Points are kept beside the runs (``runs.points``) and never computed again: an experiment that was stopped, or lost its worker,
goes on where it was.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.experiments.plan import COMPARISON, SWEEP, Plan, PlannedTraining
from tsk_core.experiments.stacks import check_splits, choose_ur_weights, searches, splits_of, stacks, with_ur_weight
from tsk_core.experiments.trainings import train_together
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runs.files import read_json, write_json
from tsk_core.runs.folder import YIELDED, Ending
from tsk_core.runs.housekeeping import POINTS, Points, point_key
from tsk_core.runs.identity import identity
from tsk_core.runs.ledger import MOST_NAME
from tsk_core.runs.store import RunStore
from tsk_core.tasks.task import Context, Stopped, check_size, encoded_columns, ticks

if TYPE_CHECKING:
    from tsk_core.data import Dataset

EXPERIMENT = "experiment"  # the series of its records
PLAN = "plan.json"  # the file of its plan in the run's folder
EFFORT = "effort.json"  # what its attempts computed so far, and how long it took
BASELINES = ("majority", "logistic_regression", "random_forest")
_SEARCH_STEP = 25  # epochs of hold-outs after which progress is reported
BASELINE_SECONDS = 20.0  # that one baseline on one split is estimated to take at most


@dataclass(frozen=True)
class Experiment:
    """Train all of ``plan`` on ``dataset``. Without early stopping: all trainings take the epochs of their settings.

    base: the settings that the variants change, which become those of the run; by default those of the first variant.
    """

    plan: Plan
    dataset: "Dataset"
    base: TrainConfig | None = None

    @property
    def steps(self) -> int:
        """Epochs of all trainings."""
        return self.plan.epochs

    def check(self) -> None:
        """Raise LimitError for too many trainings, or one that is larger than this server allows; more as ``check_splits``."""
        limits.check("experiment_trainings", self.plan.size, "Trainings of this experiment")
        for variant in self.plan.variants:
            check_size(variant.config, self.dataset)
        check_splits(self.dataset, self.plan)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "Experiment"]:
        """Enter the run, by default with a name that says what it varies; the task returned travels without the table before
        cleaning.
        """
        title = shorten(f"{self.dataset.name[:30]}: {self.plan.title}", MOST_NAME, placeholder=" …")
        details["name"] = details.get("name") or title
        config = replace(self.base or self.plan.variants[0].config, random_state=self.plan.first_seed)
        details |= {"task": self.plan.kind, "files": {PLAN: {"plan": self.plan.to_dict()}}}
        run = store.create(config, self.dataset, self.plan.test_size, owner, **details)
        return run, replace(self, dataset=self.dataset.cleaned)

    def run(self, context: Context) -> Ending:
        """Report the points that are there, then train what is missing; metrics.json counts both."""
        points = Points(context.folder.path.parent / POINTS)
        progress = _Progress(self, context, points)
        for work in progress.works():
            if progress.worked and context.time_slice_is_over():
                return YIELDED
            if reason := work():
                return Ending("stopped", reason)
            progress.keep_effort()
        baselines: dict[str, list[list[float]]] = {}
        if self.plan.kind == SWEEP:
            if progress.worked and context.time_slice_is_over():
                return YIELDED
            baselines, reason = progress.baselines()
            if reason:
                return Ending("stopped", reason)
        points.prune()
        classes = [str(name) for name in self.dataset.classes]
        context.folder.write_metrics({**progress.summary(), "baselines": baselines, "classes": classes})
        return Ending("finished", "", *progress.best())


class _Effort(NamedTuple):
    """Points computed and seconds worked in all attempts of a run."""

    computed: int = 0
    seconds: float = 0.0


def _effort(path: Path) -> _Effort:
    """That of earlier attempts."""
    return _Effort(**read_json(path)) if path.is_file() else _Effort()


class _Progress:
    """Points of one attempt, and what was reported of them."""

    def __init__(self, task: Experiment, context: Context, points: Points) -> None:
        self._task, self._context, self._points = task, context, points
        self._identity = identity(task.dataset)
        self._versions = context.folder.about()["versions"]
        self._began, self._before = context.clock(), _effort(context.folder.path / EFFORT)
        self._done, self.computed, self.worked = 0, 0, False
        self.reported: dict[int, dict[str, Any]] = {}

    def works(self) -> Iterator[Callable[[], str]]:
        """Report the points that are there already; then what is left to do, as calls that return why to end, or ""."""
        dataset, plan = self._task.dataset, self._task.plan
        columns = encoded_columns(dataset.X)
        validated = [bool(plan.variants[training.variant].ur_weights) for training in plan.trainings()]
        others = [training for training, at_first in zip(plan.trainings(), validated, strict=True) if not at_first]
        settled, unsettled = self._settled(list(compress(plan.trainings(), validated)))
        self._done += self._search_epochs(settled)
        for stack in stacks(dataset, plan, self._missing([*others, *settled]), columns):
            yield partial(self.train, stack)
        for group in searches(dataset, plan, unsettled, columns):
            yield partial(self.search, group)
        settled, _ = self._settled(unsettled)
        for stack in stacks(dataset, plan, self._missing(settled), columns):
            yield partial(self.train, stack)

    def _search_epochs(self, trainings: Sequence[PlannedTraining]) -> int:
        return sum(self._task.plan.variants[training.variant].search_epochs for training in trainings)

    def _settled(self, trainings: Sequence[PlannedTraining]) -> tuple[list[PlannedTraining], list[PlannedTraining]]:
        """Those whose λ is known, with it, and the others."""
        settled, unsettled = [], []
        for training in trainings:
            choice = self._points.get(self._choice_key(training))
            if choice is None:
                unsettled.append(training)
            else:
                settled.append(with_ur_weight(training, choice["ur_weight"]))
                self._points.touch(self._choice_key(training))
        return settled, unsettled

    def _missing(self, trainings: Sequence[PlannedTraining]) -> list[PlannedTraining]:
        """Report the points of these trainings that are there already; returns the trainings that are missing."""
        missing = []
        for training in sorted(trainings):
            key = self._key(training)
            point = self._points.get(key)
            if point is None:
                missing.append(training)
                continue
            self._points.touch(key)
            self._done += training.config.max_epochs
            place = {"point": training.number, "variant": training.variant, "seed": training.seed, "split": training.split}
            self._report({**point, **place, "ur_weight": training.config.ur_weight, "cached": True})
        self._context.progress(self._done, "training", True)
        return missing

    def search(self, group: Sequence[PlannedTraining]) -> str:
        """Choose λ for some trainings by validation, and keep it; returns why the task has to end, or ""."""
        most, look = self._done + self._search_epochs(group), ticks(self._context)

        def tick() -> None:
            self._done += 1
            if self._done % _SEARCH_STEP == 0:
                self._context.progress(self._done, "training", True)
            look()

        try:
            chosen = choose_ur_weights(self._task.dataset, self._task.plan, group, tick)
        except Stopped as stopped:
            return str(stopped)
        for training, choice in zip(group, chosen, strict=True):
            self._points.keep(self._choice_key(training), choice._asdict())
        self._done, self.worked = most, True
        self._context.progress(self._done, "training", True)
        return ""

    def train(self, stack: Sequence[PlannedTraining]) -> str:
        """Train a stack and keep its points; returns why the task has to end, or ""."""
        plan, before = self._task.plan, self._done
        trained = dict.fromkeys((training.number for training in stack), 0)
        by_number = {training.number: training for training in stack}
        for record in train_together(self._task.dataset, plan, stack):
            if "point" in record:  # a point, and no reason to wait or to stop: its stack is trained
                training = by_number[record["point"]]
                self._points.keep(self._key(training), record)
                self.computed, self.worked = self.computed + 1, True
                self._report({**record, "cached": False})
                continue
            for number in record["at"]:
                trained[number] = record["epoch"]
            self._done = before + sum(trained.values())
            self._context.progress(self._done, "training", True)
            if plan.kind == COMPARISON:
                self._context.report(EXPERIMENT, json.dumps(record, separators=(",", ":")))
            if reason := self._context.checkpoint():
                return reason
        self._done = before + sum(training.config.max_epochs for training in stack)
        self._context.progress(self._done, "training", True)
        return ""

    def baselines(self) -> tuple[dict[str, Any], str]:
        """The scores of simple classifiers on each seed's splits, and why the task has to end, or ""."""
        baselines: dict[str, dict[str, list[float]]] = {}
        for training in self._task.plan.trainings():
            if training.variant:  # the baselines do not depend on it
                continue
            if reason := self._context.checkpoint():
                return {}, reason
            key = point_key(self._identity, {"baselines": list(BASELINES), **self._split(training)}, self._versions)
            scores = self._points.get(key)
            if scores is None:
                scores = _baseline_scores(self._task.dataset, self._task.plan, training)
                self._points.keep(key, scores)
            for name, (rca, bca) in scores.items():
                lists = baselines.setdefault(name, {"rca": [], "bca": []})
                lists["rca"].append(rca)
                lists["bca"].append(bca)
        self._context.report(EXPERIMENT, json.dumps({"baselines": baselines}))
        return baselines, ""

    def summary(self) -> dict[str, Any]:
        """The counts of the end."""
        diverged = sum(bool(point["message"]) for point in self.reported.values())
        effort = self._effort()
        counts = {"points": len(self.reported), "computed": effort.computed, "cached": len(self.reported) - effort.computed}
        return {**counts, "diverged": diverged, "seconds": effort.seconds}

    def keep_effort(self) -> None:
        """Keep what was computed so far, for a later attempt of the same run."""
        write_json(self._context.folder.path / EFFORT, self._effort()._asdict())

    def _effort(self) -> "_Effort":
        seconds = self._context.clock() - self._began
        return _Effort(self._before.computed + self.computed, self._before.seconds + seconds)

    def best(self) -> tuple[float, float]:
        """Mean RCA and BCA of the variant with the highest mean BCA."""
        means = []
        for k in range(len(self._task.plan.variants)):
            scores = [point["scores"]["last"] for point in self.reported.values() if point["variant"] == k]
            means.append(tuple(np.mean(scores, axis=0).tolist()))
        return max(means, key=lambda pair: pair[1])

    def _report(self, point: dict[str, Any]) -> None:
        self.reported[point["point"]] = {name: point[name] for name in ("variant", "scores", "message")}
        self._context.report(EXPERIMENT, json.dumps(point, separators=(",", ":")))

    def _split(self, training: PlannedTraining) -> dict[str, Any]:
        plan = self._task.plan
        return {"split_seed": training.split_seed, "test_size": plan.test_size}

    def _key(self, training: PlannedTraining) -> str:
        plan = self._task.plan
        shown = training.seed == plan.first_seed and training.split == 0  # it has a plane
        about = {"kind": plan.kind, "plane": shown and plan.kind == COMPARISON, **self._settings(training)}
        return point_key(self._identity, about, self._versions)

    def _choice_key(self, training: PlannedTraining) -> str:
        ur_weights = list(self._task.plan.variants[training.variant].ur_weights)
        return point_key(self._identity, {"ur_weights": ur_weights, **self._settings(training)}, self._versions)

    def _settings(self, training: PlannedTraining) -> dict[str, Any]:
        plan, variant = self._task.plan, self._task.plan.variants[training.variant]
        return {
            "config": training.config.to_dict(), **self._split(training), "validated": plan.validated,
            "width": variant.width, "row_share": variant.row_share,
        }  # fmt: skip


def _baseline_scores(dataset: "Dataset", plan: Plan, training: PlannedTraining) -> dict[str, list[float]]:
    """RCA and BCA of each baseline on the split of a training, all training rows."""
    from tsk_core.data.encoding import Encoder
    from tsk_core.evaluate.baselines import baselines

    whole = replace(plan, variants=tuple(replace(variant, row_share=1.0) for variant in plan.variants), validated=False)
    (split, *_), _ = splits_of(dataset, whole, [training])
    y = np.asarray(dataset.y).astype(str)
    encoder = Encoder().fit(dataset.X.iloc[split.train])
    Z = [encoder.normalise(encoder.transform(dataset.X.iloc[rows])) for rows in (split.train, split.test)]
    predicted, _ = baselines(Z[0], y[split.train], Z[1], training.seed, BASELINE_SECONDS)
    return {
        name: list(accuracy_of_labels(y[split.test], predicted[name].labels).numbers) for name in BASELINES if name in predicted
    }
