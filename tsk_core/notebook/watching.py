"""``watch`` trains a classifier and shows it while it trains; ``show`` shows a fitted one; and the messages of both."""

import json
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import closing
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import pandas as pd

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder, class_indices
from tsk_core.data.naming import printed
from tsk_core.data.splitting import Split
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.evaluate.confusion import evaluation
from tsk_core.explain import RuleBaseSummary, Summariser, rows_to_show
from tsk_core.explain.exported import ExportedRules
from tsk_core.live import Have, Part, Stream, as_json, as_rules, as_snapshot, rules_as_texts, summary_as_texts
from tsk_core.live.series import EPOCHS, EVALUATIONS, SNAPSHOTS, STRENGTHS, EvaluationRecorder, SnapshotRecorder, StrengthRecorder
from tsk_core.numbers import counted
from tsk_core.runtime.extras import missing_extra
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

if TYPE_CHECKING:
    from tsk_core.notebook.view import View

# What the widget needs of a ``TSKClassifier``, which stands above.


class WatchedClassifier(Protocol):
    """A classifier that the widget shows, while it trains and fitted."""

    model_: Any  # a FittedModel
    history_: list[Epoch]

    @property
    def classes_(self) -> np.ndarray:
        """The class labels, (C,)."""

    @property
    def encoder_(self) -> Encoder:
        """How X becomes the model's inputs."""

    @property
    def best_epoch_(self) -> int:
        """The epoch whose weights these are."""

    @property
    def stop_message_(self) -> str:
        """A sentence where training diverged, else ""."""

    def fit_iter(self, X: Any, y: Any, X_test: Any = None, y_test: Any = None, **options: Any) -> Generator[Epoch, None, None]:
        """Train epoch by epoch."""

    def training_config(self) -> TrainConfig:
        """The settings of a training that starts now."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (N, C)."""

    def rules(self, max_antecedents: int = 5, X: Any = None, y: Any = None) -> RuleBaseSummary:
        """The readable rules."""

    def to_dict(self) -> ExportedRules:
        """The exported rules."""


# The rows of a training that a browser draws, and that rules are summarised on while it trains.


Encoded = tuple[np.ndarray, np.ndarray]  # (N, D) in original units; class indices (N,)


class ShownRows:
    """Training and test rows, encoded by a fitted classifier. test: maybe without rows."""

    def __init__(self, classifier: WatchedClassifier, train: Encoded, test: Encoded) -> None:
        self._encoder, self._classes = classifier.encoder_, classifier.classes_
        self._train, self._test = train, test

    @classmethod
    def of_tables(cls, classifier: WatchedClassifier, train: tuple[Any, Any] | None, test: tuple[Any, Any] | None) -> Self | None:
        """Of tables (X, y). train: None for the rows that the model keeps. None where there are neither.

        Test rows with a class that the model does not know are left out.
        """
        kept = classifier.model_.training_rows
        known = kept if train is None else cls._encoded(classifier, *train)
        tested = (np.empty((0, len(classifier.encoder_.columns))), np.empty(0, int))
        if test is not None:
            tested = cls._encoded(classifier, *test)
        if known is None:  # a model that was loaded has no rows of its own
            known, tested = tested, (tested[0][:0], tested[1][:0])
        return cls(classifier, known, tested) if len(known[1]) else None

    @staticmethod
    def _encoded(classifier: WatchedClassifier, X: Any, y: Any) -> Encoded:
        labels, Z = np.asarray(y), classifier.model_.encoded(X)
        known = np.isin(labels, classifier.classes_)
        return Z[known], class_indices(classifier.classes_, labels[known])

    @property
    def tested(self) -> bool:
        """Whether there are test rows."""
        return len(self._test[1]) > 0

    @cached_property
    def to_show(self) -> dict[str, object]:
        """A few rows for the browser, as ``explain.rows_to_show`` gives them."""
        n, m = len(self._train[1]), len(self._test[1])
        Z, y = np.concatenate([self._train[0], self._test[0]]), np.concatenate([self._train[1], self._test[1]])
        split = Split(np.arange(n), np.arange(n, n + m))
        return rows_to_show(self._encoder, self._classes, Z, self._classes[y], split, encode=np.ascontiguousarray)

    def summariser(self, n_rules: int) -> Summariser:
        """Summarises the rules of any epoch, quickly."""
        train, test = ((pd.DataFrame(Z), self._classes[y]) for Z, y in (self._train, self._test))
        return Summariser(np.ascontiguousarray, self._classes, train, test, n_rules, quick=True)


# WatchedRun: the records of one training, and the messages that bring them to the browser, as those of a run of the app do.


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
        self._lists: dict[str, list[str]] = defaultdict(list)  # lines of JSON
        self._heads: dict[str, dict[str, Any]] = {}
        self._stream, self._have, self._about = Stream(now=count(1).__next__), Have(), dict[str, Any]()
        self._classes, self._labels = self._class_names()
        self._summarised = 0  # snapshots of which the rules were written
        self._summariser: Any = None
        self._recorders = self._made_recorders()

    def report(self, series: str, line: str, head: dict[str, Any] | None = None) -> None:
        """Take a record, see ``tsk_core.live.series``."""
        self._lists[series].append(line)
        self._heads.setdefault(series, head or {})

    def add(self, epoch: Epoch) -> None:
        """The next epoch; the classifier has its weights."""
        self.epochs.append(epoch)
        self._lists[EPOCHS].append(as_json(epoch.to_dict()))
        for recorder in self._recorders:
            recorder.add(epoch)

    def news(self) -> list[Part]:
        """What is new since the last call. Each call writes the rules of one more epoch."""
        self._write_rules(0.0)
        about = {"epochs": self.config.max_epochs, "steps": self._steps(), "ended": False, "revisited": True, **self._about}
        runs = {"shown": RUN, "comparison": None, "dark": False}
        self._stream.set("runs", runs)
        self._stream.set("about", about, RUN)
        kinds = (EPOCHS, SNAPSHOTS, "ruleBases", EVALUATIONS, STRENGTHS)
        heads = {**self._heads, EVALUATIONS: {"classes": self._classes}}
        for kind in kinds:
            self._stream.extend(kind, RUN, "", self._lists[kind][self._stream.count(kind, RUN, "") :], heads.get(kind))
        return self._stream.parts(self._have)

    def end(self) -> None:
        """The training is over: add what is known of the model kept, for the next ``news``."""
        for recorder in self._recorders:
            if isinstance(recorder, SnapshotRecorder):
                recorder.end()
        self._end_with(self._classifier.best_epoch_)

    def show_end(self, history: list[Epoch]) -> None:
        """In place of a training: a fitted classifier, with the epochs of its training that were measured."""
        self.epochs = [epoch for epoch in history if epoch.firing is not None]
        self._lists[EPOCHS] = [as_json(epoch.to_dict()) for epoch in self.epochs]
        snapshot = as_snapshot(rules := self._classifier.to_dict(), self._classifier.best_epoch_)
        self._lists[SNAPSHOTS].append(as_json(snapshot))
        self._heads[SNAPSHOTS] = {"base": {**rules, "rules": []}}
        self._summarised = 1
        self._end_with(self._classifier.best_epoch_)

    def _end_with(self, epoch: int) -> None:
        self._about = {"ended": True, "classes": self._classes, **self._evaluation()}
        self._lists["ruleBases"].append(as_json(self._final_rules(epoch)))
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
            snapshot = json.loads(snapshots[self._summarised])
            self._summariser = self._summariser or self._rows.summariser(self.config.n_rules)
            made = self._summariser.summarise(as_rules(self._heads[SNAPSHOTS]["base"], snapshot))
            self._lists["ruleBases"].append(as_json(rules_as_texts(snapshot["epoch"], *made.texts(self._most))))
            self._summarised += 1
            if time.monotonic() - began >= seconds:
                return

    def _steps(self) -> int | None:
        entropy = self.epochs[-1].entropy if self.epochs else None
        return None if entropy is None else self.config.steps_per_epoch(int(entropy.sum()))


INTERVAL = 0.25  # seconds between two messages to the browser
NO_ROWS = "This model has no training rows; show(X, y) draws those of X."


def watch(
    classifier: WatchedClassifier, epochs: Generator[Epoch, None, None], train: tuple[Any, Any], test: tuple[Any, Any] | None
) -> "View":
    """Run a training to its end and show it from its first epoch on. See ``TSKClassifier.watch``.

    epochs: the training, as ``fit_iter`` yields it. train, test: (X, y).
    """
    _check_installed()
    began, reason = time.perf_counter(), ""
    with torch_threads(1), denormals_as_zero(), closing(epochs):
        first = next(epochs)
        shown = _Shown(classifier, train, test)
        shown.add(first)
        try:
            for epoch in epochs:
                shown.add(epoch)
        except KeyboardInterrupt:
            reason = "Interrupted"
    return shown.end(reason, time.perf_counter() - began)


class _Shown:
    """A training that is shown: its records, and its view, which is displayed at once."""

    def __init__(self, classifier: WatchedClassifier, train: tuple[Any, Any], test: tuple[Any, Any] | None) -> None:
        config = classifier.model_.config
        rows = ShownRows.of_tables(classifier, train, test)
        self._classifier, self._config = classifier, config
        self._run = WatchedRun(classifier, config, rows, test, config.max_conditions or CONDITIONS)
        self.view = _view(classifier, rows, charts=("Training", "Firing", "Entropy"), tested=test is not None)
        self._sent = 0.0
        self._displayed = False

    def add(self, epoch: Epoch) -> None:
        self._run.add(epoch)
        if time.monotonic() - self._sent < INTERVAL:
            return
        stage = "Training" if epoch.stage == "training" else "Searching for the number of epochs"
        self.view.add(self._run.news(), f"{stage}: epoch {epoch.epoch} of {self._config.max_epochs}.")
        if not self._displayed:
            _display(self.view)
            self._displayed = True
        self._sent = time.monotonic()

    def end(self, reason: str, seconds: float) -> "View":
        self._run.end()
        done = len(self._classifier.history_) or len(self._run.epochs)
        how = reason or "Finished"
        status = f"{how} after {counted(done, 'epoch')} in {seconds:.1f} s. {self._classifier.stop_message_}"
        self.view.add(self._run.news(), status.strip())
        self.view.end(self._run.epochs[-1], self._run.summary)
        return self.view


def show(classifier: WatchedClassifier, test: tuple[Any, Any] | None) -> "View":
    """Show a fitted classifier. See ``TSKClassifier.show``. test: (X, y)."""
    _check_installed()
    config = classifier.model_.config
    rows = ShownRows.of_tables(classifier, None, test)
    run = WatchedRun(classifier, config, rows, test, config.max_conditions or CONDITIONS)
    run.show_end(classifier.history_)
    charts = () if not run.epochs else ("Firing", "Entropy") if len(run.epochs) == 1 else ("Training", "Firing", "Entropy")
    view = _view(classifier, rows, charts=charts, tested=test is not None)
    view.add(run.news(), _told(classifier, run))
    view.end(run.epochs[-1] if run.epochs else None, run.summary)
    _display(view)
    return view


def _told(classifier: WatchedClassifier, run: WatchedRun) -> str:
    """What is known of the training of a fitted classifier."""
    if not run.epochs:
        return "The model was loaded, without the records of its training."
    done = len(classifier.history_)
    less = " Its training was measured at the end only: watch(X, y) draws every epoch." if len(run.epochs) == 1 < done else ""
    return f"Trained for {counted(done, 'epoch')}.{less}"


def _view(classifier: WatchedClassifier, rows: ShownRows | None, charts: tuple[str, ...], *, tested: bool) -> "View":
    from tsk_core.notebook.view import View  # needs what `_check_installed` looks for

    samples = {"data": "notebook", "rows": rows and rows.to_show, "note": "" if rows else NO_ROWS, "run": "notebook"}
    tabs = [*charts, *(["Mistakes"] if tested else []), "Samples", "Rules"]
    return View(classifier, tabs, samples, conditions=classifier.model_.config.shows_conditions)


def _check_installed() -> None:
    """Raise a TSKError that says what to install, where the widget's library is missing."""
    try:
        import tsk_core.notebook.view  # noqa: F401 - loads it
    except ModuleNotFoundError as error:
        missing: TSKError | None = missing_extra(error.name)
        if missing is None:
            raise
        raise missing from None


def _display(view: "View") -> None:
    view._ipython_display_()
