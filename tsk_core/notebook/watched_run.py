"""WatchedRun: the records of one training, and the messages that bring them to the browser, as those of a run of the app do."""

import json
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.data.naming import printed
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.evaluate.confusion import evaluation
from tsk_core.explain import RuleBaseSummary
from tsk_core.live import FIELDS, Feed, Part, as_rules, as_snapshot, epoch_values, rules_as_texts, summary_as_texts
from tsk_core.live.condition_strengths import StrengthRecorder
from tsk_core.live.evaluations import EvaluationRecorder
from tsk_core.live.series import EPOCHS, EVALUATIONS, SNAPSHOTS, STRENGTHS
from tsk_core.live.snapshots import SnapshotRecorder
from tsk_core.notebook.classifier import WatchedClassifier
from tsk_core.notebook.shown_rows import ShownRows

__all__ = ["CONDITIONS", "WatchedRun"]

CONDITIONS = 5  # of a rule in words, at most, as ``rules`` has them
RUN = "notebook"  # a widget shows one run
SECONDS = 2.0  # that the rules of earlier epochs may take to be written at the end


class WatchedRun:
    """A training while it runs, or the end of one.

    classifier: fitted, if only with its first epoch. config: its settings. rows: its table, None where it is not at hand.
    test: (X, y) of test rows. most: conditions of a rule in words, at most.
    """

    def __init__(
        self,
        classifier: WatchedClassifier,
        config: TrainConfig,
        rows: ShownRows | None,
        test: tuple[Any, Any] | None,
        most: int = CONDITIONS,
    ) -> None:
        self.config, self.epochs = config, list[Epoch]()
        self.summary: RuleBaseSummary | None = None
        self._classifier, self._rows, self._test, self._most = classifier, rows, test, most
        self._lists: dict[str, list[Any]] = defaultdict(list)
        self._heads: dict[str, dict[str, Any]] = {}
        self._feed, self._about = Feed(now=count(1).__next__), dict[str, Any]()
        self._classes, self._labels = self._class_names()
        self._summarised = 0  # snapshots of which the rules were written
        self._summariser: Any = None
        self._recorders = self._made_recorders()

    def report(self, series: str, line: str, head: dict[str, Any] | None = None) -> None:
        """Take a record, see ``tsk_core.live.series``."""
        self._lists[series].append(json.loads(line))
        self._heads.setdefault(series, head or {})

    def add(self, epoch: Epoch) -> None:
        """The next epoch; the classifier has its weights."""
        self.epochs.append(epoch)
        self._lists[EPOCHS].append(epoch_values(epoch))
        for recorder in self._recorders:
            recorder.add(epoch)

    def news(self) -> list[Part]:
        """What is new since the last call. Each call writes the rules of one more epoch."""
        self._write_rules(0.0)
        about = {"epochs": self.config.max_epochs, "steps": self._steps(), "ended": False, "revisited": True, **self._about}
        runs = {"shown": RUN, "comparison": None, "dark": False}
        parts = [self._feed.value("runs", runs), self._feed.value("about", about, RUN)]
        kinds = (EPOCHS, SNAPSHOTS, "ruleBases", EVALUATIONS, STRENGTHS)
        heads = {**self._heads, EPOCHS: {"fields": list(FIELDS)}, EVALUATIONS: {"classes": self._classes}}
        return parts + [self._next(kind, self._lists[kind], **heads.get(kind, {})) for kind in kinds if self._lists[kind]]

    def end(self) -> None:
        """The training is over: add what is known of the model kept, for the next ``news``."""
        for recorder in self._recorders:
            if isinstance(recorder, SnapshotRecorder):
                recorder.end()
        self._end_with(self._classifier.best_epoch_)

    def show_end(self, history: list[Epoch]) -> None:
        """In place of a training: a fitted classifier, with the epochs of its training that were measured."""
        self.epochs = [epoch for epoch in history if epoch.firing is not None]
        self._lists[EPOCHS] = [epoch_values(epoch) for epoch in self.epochs]
        self._lists[SNAPSHOTS].append(as_snapshot(rules := self._classifier.to_dict(), self._classifier.best_epoch_))
        self._heads[SNAPSHOTS] = {"base": {**rules, "rules": []}}
        self._summarised = 1
        self._end_with(self._classifier.best_epoch_)

    def _end_with(self, epoch: int) -> None:
        self._about = {"ended": True, "classes": self._classes, **self._evaluation()}
        self._lists["ruleBases"].append(self._final_rules(epoch))
        self._write_rules(SECONDS)

    def _made_recorders(self) -> list[Any]:
        classifier: Any = self._classifier
        made: list[Any] = [SnapshotRecorder(classifier, self.config.max_epochs, self)]
        made.append(StrengthRecorder(classifier, self.config, self._classes, self))
        if self._test is not None:
            made.append(EvaluationRecorder(classifier, self._test[0], self._labels, self._classes, self.config.max_epochs, self))
        return made

    def _class_names(self) -> tuple[list[str], np.ndarray]:
        """The names of all classes, and those of the test rows."""
        known = [printed(name) for name in self._classifier.classes_.tolist()]
        labels = [] if self._test is None else [printed(name) for name in np.asarray(self._test[1]).tolist()]
        return known + sorted(set(labels) - set(known)), np.array(labels, dtype=object)

    def _evaluation(self) -> dict[str, Any]:
        if self._test is None:
            return {}
        model, X = self._classifier.model_, self._test[0]
        probabilities, at = model.predict_proba(X), model.scores(X).argmax(1)
        confidence = probabilities[np.arange(len(at)), at]
        return dict(evaluation(self._labels, np.array(self._classes, dtype=object)[at], confidence, self._classes))

    def _final_rules(self, epoch: int) -> dict[str, Any]:
        try:
            self.summary = self._classifier.rules(self._most, *(self._test or ()))
        except TSKError as error:  # a model that was saved without its rules as text
            return rules_as_texts(epoch, (), str(error)) | {"end": True}
        return summary_as_texts(epoch, self.summary, self._classifier.encoder_)

    def _write_rules(self, seconds: float) -> None:
        """Write the rules of the next snapshots, at least of one, for about so long."""
        snapshots, began = self._lists[SNAPSHOTS], time.monotonic()
        while self._rows is not None and self._summarised < len(snapshots):
            snapshot = snapshots[self._summarised]
            self._summariser = self._summariser or self._rows.summariser(self.config.n_rules)
            made = self._summariser.summarise(as_rules(self._heads[SNAPSHOTS]["base"], snapshot))
            self._lists["ruleBases"].append(rules_as_texts(snapshot["epoch"], *made.texts(self._most)))
            self._summarised += 1
            if time.monotonic() - began >= seconds:
                return

    def _steps(self) -> int | None:
        entropy = self.epochs[-1].entropy if self.epochs else None
        return None if entropy is None else self.config.steps_per_epoch(int(entropy.sum()))

    def _next(self, kind: str, entries: list[Any], **head: Any) -> Part:
        def read(position: int | None) -> tuple[dict[str, Any], int]:
            at = position or 0
            return {"list": entries[at:], **({} if at else head)}, len(entries)

        reader: Callable[[Any], tuple[dict[str, Any], Any]] = read
        return self._feed.next_entries(kind, RUN, None, reader)
