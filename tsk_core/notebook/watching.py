"""``watch`` trains a classifier and shows it while it trains; ``show`` shows a fitted one."""

import time
from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.notebook.classifier import WatchedClassifier
from tsk_core.notebook.shown_rows import ShownRows
from tsk_core.notebook.watched_run import CONDITIONS, WatchedRun
from tsk_core.numbers import counted
from tsk_core.runtime.extras import missing_extra
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

if TYPE_CHECKING:
    from tsk_core.notebook.view import View

__all__ = ["show", "watch"]

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
