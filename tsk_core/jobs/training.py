"""One run, from split to saved model: ``train`` knows its files alone, wherever it runs; ``train_run`` sees to the ledger too."""

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.jobs.baselines import baselines, scores
from tsk_core.jobs.folder import Ending, RunFolder
from tsk_core.jobs.pausing import Pausing
from tsk_core.jobs.status import why
from tsk_core.jobs.store import Record, RunStore

if TYPE_CHECKING:
    from tsk_core.jobs.mistakes import Examiner
    from tsk_core.jobs.snapshots import Recorder

__all__ = ["train", "train_run"]

CHECKPOINT_SECONDS = 1.0
logger = logging.getLogger("tsk_core.jobs")


def train_run(store: str | Path | RunStore, run_id: str, config: TrainConfig, dataset: Any, *args: Any, **hooks: Any) -> Record:
    """Train the run ``run_id`` (made by ``RunStore.create``) in this process, and return its ledger row.

    For a process on the machine that has the ledger. store: where runs are kept, or its folder; the rest as in ``train``.
    Nothing is raised for a training that fails: the row says state "failed" and why.
    """
    store = store if isinstance(store, RunStore) else RunStore(store, recover=False)
    if store.start(run_id):  # else it ended meanwhile: given up by its owner
        store.end(run_id, *train(RunFolder(store.folder / run_id), config, dataset, *args, **hooks))
    return store.record(run_id)


def train(
    folder: RunFolder,
    config: TrainConfig,
    dataset: Any,
    test_size: float = 0.3,
    should_stop: Callable[[], str] = lambda: "",
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
    pausing: Pausing | None = None,
) -> Ending:
    """Train a run, write all it leaves to its ``folder``, and return how it ended, which the ledger does not know yet.

    should_stop: asked before training and after each epoch; a sentence ends the training and becomes its message, "" goes on.
    on_epoch: told each epoch. pausing: makes the training wait between epochs; waiting counts for no time and no limit.

    Nothing is raised for a training that fails: it ends as "failed", with the reason. A run that had ended is left as it is.
    """
    if ended := folder.ending():  # an earlier attempt came to its end, but nobody heard of it
        return ended
    try:
        folder.begin()
        if config.random_state is None:
            config = folder.config()  # the store settled a seed
        ending = _train(folder, config, dataset, test_size, _Hooks(should_stop, on_epoch, pausing))
    except TSKError as error:
        ending = Ending("failed", str(error))
    except Exception as error:
        logger.exception("Run %s failed", folder.path.name)
        ending = Ending("failed", why(error))
    try:
        folder.end(ending)
    except TSKError as error:  # a full disk: whoever called hears it all the same
        logger.warning("The end of run %s could not be written: %s", folder.path.name, error)
    return ending


@dataclass(frozen=True)
class _Hooks:
    """What a training asks and tells between two epochs; see ``train``."""

    should_stop: Callable[[], str]
    on_epoch: Callable[[Epoch], None]
    pausing: Pausing | None


def _train(folder: RunFolder, config: TrainConfig, dataset: Any, test_size: float, hooks: _Hooks) -> Ending:
    from tsk_core.classifier import TSKClassifier  # torch: not before a training really begins
    from tsk_core.jobs.mistakes import Examiner
    from tsk_core.jobs.snapshots import Recorder

    if reason := hooks.should_stop():
        return Ending("stopped", reason)
    split = dataset.split(test_size=test_size, seed=config.random_state)
    folder.write_split(split)
    X, y = dataset.X, np.asarray(dataset.y)
    train, test = (X.iloc[split.train], y[split.train]), (X.iloc[split.test], y[split.test])
    classifier, classes = TSKClassifier(**config.to_dict()), [str(name) for name in dataset.classes]
    started = time.monotonic()
    tested = {"X_test": test[0], "y_test": test[1]} if len(test[1]) else {}
    epochs = classifier.fit_iter(*train, **tested, **dataset.fit_params(split.train))
    examiner = Examiner(classifier, *test, classes, config.max_epochs)
    checkpoint = _Checkpoint(folder, Recorder(classifier, config.max_epochs), examiner)
    history, reason, waited = _follow(epochs, checkpoint, hooks)
    seconds = time.monotonic() - started - waited

    metrics = _metrics(classifier, history, train, test, classes, config.random_state)
    metrics["seconds"] = seconds
    metrics["notes"] += list(split.notes)
    classifier.cleaning_ = dataset.cleaning
    folder.write_model(classifier)
    folder.write_book(classifier, train, test)
    folder.write_metrics(metrics)
    state, message = ("stopped", reason) if reason else ("finished", classifier.stop_message_)
    return Ending(state, message, metrics["rca"], metrics["bca"])


def _follow(epochs: Iterator[Epoch], checkpoint: "_Checkpoint", hooks: _Hooks) -> tuple[list[Epoch], str, float]:
    """Run the training to its end, or to the first reason to stop.

    Returns the epochs, that reason ("" for none), and the seconds waited in pauses.
    """
    began, limit = time.monotonic(), limits.value("run_seconds")
    history, reason, clock = [], "", _Clock()
    with contextlib.closing(epochs), checkpoint:  # closing leaves the classifier fitted with the weights it has
        for told in epochs:
            epoch = clock.without_pauses(told)
            history.append(epoch)
            hooks.on_epoch(epoch)
            checkpoint.add(epoch)
            reason = hooks.should_stop()
            if not reason and hooks.pausing and hooks.pausing.asked():
                checkpoint.write()
                with clock.waiting():
                    reason = hooks.pausing.wait(hooks.should_stop)
            if not reason and time.monotonic() - began - clock.waited > limit:
                reason = (
                    f"Stopped after {limit} seconds, this server's limit for one run"
                    f" ({limits.LIMITS['run_seconds'].variable}); the model is the one reached in epoch {epoch.epoch}."
                )
            if reason:
                break
    return history, reason, clock.waited


class _Clock:
    """Keeps the time waited in pauses out of what epochs say. waited: seconds in all."""

    def __init__(self) -> None:
        self.waited = 0.0
        self._of_stage = 0.0  # waited since the training last began to count its seconds
        self._last = (0, 0.0)

    def without_pauses(self, epoch: Epoch) -> Epoch:
        """The epoch with training time alone in ``seconds``, which count anew for each hold-out and for the final training."""
        if epoch.epoch <= self._last[0] or epoch.seconds < self._last[1]:
            self._of_stage = 0.0
        self._last = (epoch.epoch, epoch.seconds)
        return replace(epoch, seconds=epoch.seconds - self._of_stage) if self._of_stage else epoch

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Time spent in this block is a pause."""
        began = time.monotonic()
        yield
        seconds = time.monotonic() - began
        self.waited += seconds
        self._of_stage += seconds


class _Checkpoint:
    """Writes epochs, snapshots and mistakes about each second, and what is left when training ends in whatever way."""

    def __init__(self, folder: RunFolder, recorder: "Recorder", examiner: "Examiner") -> None:
        self._folder, self._recorder, self._examiner = folder, recorder, examiner
        self._unwritten: list[Epoch] = []
        self._last = time.monotonic()

    def __enter__(self) -> "_Checkpoint":
        return self

    def add(self, epoch: Epoch) -> None:
        self._unwritten.append(epoch)
        self._recorder.add(epoch)
        self._examiner.add(epoch)
        if time.monotonic() - self._last >= CHECKPOINT_SECONDS:
            self.write()

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is None:
            self._recorder.end()
        self.write()

    def write(self) -> None:
        """Write what is not written yet."""
        if self._unwritten:
            self._folder.add_epochs(self._unwritten)
        self._unwritten, self._last = [], time.monotonic()
        if lines := self._recorder.fetch():
            self._folder.add_snapshots(self._recorder.base, lines)
        if lines := self._examiner.fetch():
            self._folder.add_mistakes(lines)


def _metrics(classifier, history, train, test, classes, seed) -> dict[str, Any]:
    """The numbers at the end. test rows only, but for rules_alive (rules firing at least 0.1/R on average in training)."""
    from tsk_core.jobs.mistakes import mistakes

    y_test = test[1]
    y_pred = np.asarray(classifier.predict(test[0])) if len(y_test) else y_test
    compared, notes = baselines(classifier.encode(train[0]), train[1], _encoded(classifier, test[0]), y_test, seed)
    absent = sorted(set(classes) - set(y_test.tolist()))
    if absent:
        names = ", ".join(absent[:5]) + (", …" if len(absent) > 5 else "")
        notes.append(f"BCA leaves out {len(absent)} of {len(classes)} classes that have no test rows: {names}.")
    training = [epoch for epoch in history if epoch.stage == "training"]
    return {
        **scores(y_test, y_pred),
        "baselines": compared,
        "classes": classes,
        **mistakes(y_test, y_pred, _confidence(classifier, test[0]), classes),
        "rules_alive": len(history[-1].firing) - history[-1].dead_rules,
        "epochs": len(training or history),
        "best_epoch": int(classifier.best_epoch_),
        "train_rows": len(train[1]),
        "test_rows": len(y_test),
        "notes": notes,
    }


def _confidence(classifier, X) -> np.ndarray:
    """Each row's probability of its predicted class, (N,)."""
    return classifier.predict_proba(X).max(1) if len(X) else np.empty(0)


def _encoded(classifier, X) -> np.ndarray:
    return classifier.encode(X) if len(X) else np.empty((0, 0))
