"""Tasks beside a run: its cross-validation, how stable its rules are, and a tree and a rule list of its size."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tsk_core import limits
from tsk_core.data.folds import Fold, Folds, make_folds
from tsk_core.data.splitting import Split, SplitColumn, test_train_ratio
from tsk_core.errors import TrainingError
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.metrics import Accuracy, accuracy
from tsk_core.runs.folder import Ending
from tsk_core.setting_values import later_seed
from tsk_core.tasks.task import Context, DatasetTask, encoded_columns

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data.encoding import Encoder
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.train import Outcome

SPLITS = "splits"  # the series of its records: {"seed", "train_rows", "test_rows", "rca", "bca"}, one a fold


@dataclass(frozen=True)
class CrossValidation(DatasetTask):
    """Train ``config`` on ``repeats`` × ``folds`` folds of ``dataset`` and score each on the rows that it was not trained on.

    Folds respect groups and the order of time (``data.folds``). They train side by side, as one stack where they have equally
    many rows and memory allows. All have the columns of the whole table, its categories included, so that their models are
    equally shaped; imputed values and z-normalisation come from each fold's training rows alone.
    The same seed (``config.random_state``, s) gives the same folds and scores; fold k trains with the seed s + k.
    """

    kind: ClassVar[str] = "cross-validation"
    repeats: int = 5
    folds: int = 2

    @property
    def steps(self) -> int:
        """Epochs of all folds at most."""
        return self.repeats * self.folds * self.config.max_epochs

    @property
    def test_size(self) -> float:
        """Share of the rows in a fold."""
        return 1 / self.folds

    def run(self, context: Context) -> Ending:
        """Train and score all folds; metrics.json has the scores, their mean, SD and interval.

        A stop takes effect within one epoch and leaves no scores: an interval of some folds alone would be wrong.
        """
        began, y = context.clock(), np.asarray(self.dataset.y)
        folds = make_folds(y, self.dataset.split_column, self.repeats, self.folds, self.config.seed)
        scores, messages = [], set()
        for batch in self._batches(folds.folds):
            trained, reason = _Batch(self, folds.folds, batch).train(context)
            if reason:
                return Ending("stopped", reason)
            for k, score, message in trained:
                scores.append(score)
                messages |= {message} - {""}
                fold = {"train_rows": len(folds.folds[k].train), "test_rows": len(folds.folds[k].test)}
                context.report(SPLITS, json.dumps({"seed": later_seed(self.config.seed, k), **fold, **score._asdict()}))
        metrics = _summary(folds, scores, (*folds.notes, *sorted(messages)), self.dataset.split_column)
        context.folder.write_metrics({**metrics, "seconds": context.clock() - began})
        return Ending("finished", "", metrics["rca_mean"], metrics["bca_mean"])

    def _batches(self, parts: list[Fold]) -> Iterator[range]:
        """Numbers of folds that train at once: all, unless their rows and parameters would not fit into memory together."""
        config, columns, classes = self.config, encoded_columns(self.dataset.X), len(self.dataset.classes)
        rows = max(len(part.train) for part in parts)
        of_one = 8 * rows * columns + 48 * config.n_rules * (columns + 1) * (classes + 2)  # bytes
        of_one += 8 * (config.n_parts - 1) * limits.floats_of_batches(config.batch_size, rows, columns)
        at_once = max(1, int(1e6 * limits.value("memory_mb") / of_one))
        for first in range(0, len(parts), at_once):
            yield range(first, min(first + at_once, len(parts)))


class _Batch:
    """Some folds of a cross-validation, trained side by side."""

    def __init__(self, task: CrossValidation, parts: list[Fold], batch: range) -> None:
        self._task, self._parts, self._batch = task, parts, batch
        self._y = np.unique(np.asarray(task.dataset.y), return_inverse=True)[1]

    def train(self, context: Context) -> tuple[list[tuple[int, Accuracy, str]], str]:
        """(fold, score, message) of each fold, and ""; or nothing, and why the task has to end."""
        from tsk_core.train import prepare_stack, train  # torch: not before the work really begins

        seed = self._task.config.seed
        configs = [replace(self._task.config, random_state=later_seed(seed, k)) for k in self._batch]
        splits = [Split(self._parts[k].train, self._parts[k].test) for k in self._batch]
        specs, table, encoders, _ = prepare_stack(self._task.dataset, splits, configs)
        outcomes: dict[int, Outcome] = {}
        done: dict[int, int] = {}
        stage = ""
        before = self._batch.start * self._task.config.max_epochs
        with contextlib.closing(train(specs, table)) as progress:
            for stack_epoch in progress:
                for at, epoch, outcome in stack_epoch:
                    outcomes[at] = outcome
                    if epoch is not None:
                        done, stage = ({}, epoch.stage) if epoch.stage != stage else (done, stage)
                        done[at] = epoch.epoch
                context.progress(before + sum(done.values()), stage, stage == "training")
                if reason := context.checkpoint():
                    return [], reason
        scored = [(k, self._score(k, outcomes[at], encoders[at]), outcomes[at].message) for at, k in enumerate(self._batch)]
        return scored, ""

    def _score(self, k: int, outcome: "Outcome", encoder: "Encoder") -> Accuracy:
        import torch

        from tsk_core.model import class_scores

        rows = self._parts[k].test
        z = torch.from_numpy(encoder.normalise(encoder.transform(self._task.dataset.X.iloc[rows])))
        rules = outcome.rules.cpu()
        return accuracy(self._y[rows], class_scores(rules, z).argmax(1).numpy())


def _summary(folds: Folds, scores: list[Accuracy], notes: tuple[str, ...], split_column: SplitColumn | None) -> dict[str, Any]:
    """Both scores of each fold; their mean, SD, and corrected 95% interval (None for a single fold, or equal scores)."""
    ratio = float(np.mean([test_train_ratio(split_column, fold.train, fold.test) for fold in folds.folds]))
    summary: dict[str, Any] = {"title": folds.title, "splits": len(scores), "test_train_ratio": ratio, "notes": list(notes)}
    for name, values in zip(Accuracy._fields, np.array(scores, float).T, strict=True):
        interval = corrected_t_interval(values, ratio)
        summary |= {
            name: values.tolist(), f"{name}_mean": float(values.mean()),
            f"{name}_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
            f"{name}_interval": interval and list(interval.of_score),
        }  # fmt: skip
    return summary


# StabilityCheck: how often the rules of a run come back when its settings are trained again.


@dataclass(frozen=True)
class StabilityCheck(DatasetTask):
    """Train ``config`` n times with other seeds on the training rows of a run, and n times on bootstrap samples of them.

    dataset, test_size: the run's, whose seed ``config`` has; of_run: its id. They train side by side, as one stack.
    metrics.json has, for rules of at most 1 to 12 conditions, how often each rule of the run came back: "lengths", a
    ``RuleStability`` each.
    """

    kind: ClassVar[str] = "rule-stability"
    of_run: str
    test_size: float = 0.3
    n: int = 10

    @property
    def steps(self) -> int:
        """Epochs of all trainings at most."""
        return (2 * self.n + 1) * self.config.max_epochs

    def run(self, context: Context) -> Ending:
        """Train and compare; a stop takes effect within one epoch, and leaves no figures."""
        from tsk_core.estimators.classifier import TSKClassifier
        from tsk_core.estimators.stability import resampled, stability_by_length

        began, settings = context.clock(), self.config.to_dict()
        train = np.asarray(self.dataset.split(test_size=self.test_size, seed=self.config.seed).train)
        X, y = self.dataset.X.iloc[train], np.asarray(self.dataset.y)[train]
        given = self.dataset.fit_params(train)
        models, rows = resampled(settings, len(train), self.n, given.get("groups"))
        # trained once more: the run's model is on another disk
        models, rows = [TSKClassifier(**settings), *models], [np.arange(len(train)), *rows]
        if reason := self._train(models, rows, X, y, given, context):
            return Ending("stopped", reason)
        lengths = [of_length.to_dict() for of_length in stability_by_length(models[0], models[1:], rows[1:], X, y)]
        seconds = context.clock() - began
        context.folder.write_metrics({"of_run": self.of_run, "of": self.n, "lengths": lengths, "seconds": seconds})
        return Ending("finished", "")

    def _train(
        self,
        models: "list[TSKClassifier]",
        rows: list[np.ndarray],
        X: "pd.DataFrame",
        y: np.ndarray,
        given: dict[str, Any],
        context: Context,
    ) -> str:
        """Train the models side by side; returns why the task has to end, or ""."""
        from tsk_core.estimators.fit_many import fit_many_iter  # torch: not before a training really begins

        done: dict[int, int] = {}
        stage = ""
        with contextlib.closing(fit_many_iter(models, X, y, rows=rows, **given)) as progress:
            for at, epoch in progress:
                done, stage = ({}, epoch.stage) if epoch.stage != stage else (done, stage)
                done[at] = epoch.epoch
                context.progress(sum(done.values()), epoch.stage, epoch.stage == "training")
                if reason := context.checkpoint():
                    return reason
        return ""


# SameSize: the test scores of a tree and a rule list with as many conditions as a readable run; of the EBM if asked for.


@dataclass(frozen=True)
class SameSize(DatasetTask):
    """Train them on the training rows of a run.

    config, dataset, test_size: the run's, whose seed ``config`` has; of_run: its id. conditions: of all its rules, from 1.
    ebm: whether the EBM of the library interpret is measured in place of the tree and the rule list, which takes longer.
    metrics.json has "of_run", "conditions", "ebm" and "peers", a ``Peer`` each as a list.
    """

    kind: ClassVar[str] = "same-size"
    of_run: str
    conditions: int
    test_size: float = 0.3
    ebm: bool = False

    @property
    def steps(self) -> int:
        """One, which cannot be divided."""
        return 1

    @staticmethod
    def missing() -> str:
        """One sentence how to get the EBM; empty where it is installed."""
        from tsk_core.evaluate import ebm

        return ebm.missing()

    def check(self) -> None:
        """Raise LimitError where training is larger than this server allows, TrainingError where the EBM is not installed."""
        if self.ebm and (sentence := self.missing()):
            raise TrainingError(sentence)
        super().check()

    def run(self, context: Context) -> Ending:
        """Train and measure; a stop takes effect before or after, and leaves no figures."""
        from tsk_core.evaluate import ebm  # scikit-learn: not before it is needed
        from tsk_core.evaluate.same_size import equal_size

        began, seed = context.clock(), self.config.seed
        split, y = self.dataset.split(test_size=self.test_size, seed=seed), np.asarray(self.dataset.y)
        X_train, X_test = (self.dataset.X.iloc[rows] for rows in (split.train, split.test))
        rows = X_train, y[split.train], X_test, y[split.test]
        if self.ebm:
            peers = [ebm.main_effects(*rows, seed=seed)]
        else:
            peers = equal_size(*rows, self.conditions, seed=seed, **self.dataset.fit_params(split.train))
        context.progress(1, "trained", True)
        if reason := context.checkpoint():
            return Ending("stopped", reason)
        found = {"of_run": self.of_run, "conditions": self.conditions, "ebm": self.ebm, "peers": [list(peer) for peer in peers]}
        context.folder.write_metrics({**found, "seconds": context.clock() - began})
        return Ending("finished", "")
