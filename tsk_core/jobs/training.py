"""One run, from split to saved model: called by the worker's job and by the command line alike."""

import contextlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.jobs.baselines import baselines, scores
from tsk_core.jobs.store import Record, RunStore

__all__ = ["train_run"]

CHECKPOINT_SECONDS = 1.0
logger = logging.getLogger("tsk_core.jobs")


def train_run(
    store_dir: str | Path,
    run_id: str,
    config: TrainConfig,
    dataset: Any,
    test_size: float = 0.3,
    should_stop: Callable[[], str] = lambda: "",
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> Record:
    """Train the run ``run_id`` (made by ``RunStore.create``), write all it leaves to disk, and return its ledger row.

    should_stop: asked before training and after each epoch; a sentence ends the training and becomes its message, "" goes on.
    on_epoch: told each epoch.

    Nothing is raised for a training that fails: the row says state "failed" and why.
    """
    store = RunStore(store_dir, recover=False)
    if not store.start(run_id):  # ended meanwhile: stopped in line, or given up by its owner
        return store.record(run_id)
    try:
        if config.random_state is None:
            config = store.config(run_id)  # the store settled a seed
        _train(store, run_id, config, dataset, test_size, should_stop, on_epoch)
    except TSKError as error:
        store.end(run_id, "failed", str(error))
    except Exception as error:
        logger.exception("Run %s failed", run_id)
        sentence = f"Training failed unexpectedly ({type(error).__name__}); the server's log has the details."
        store.end(run_id, "failed", sentence)
    return store.record(run_id)


def _train(store, run_id, config, dataset, test_size, should_stop, on_epoch) -> None:
    from tsk_core.classifier import TSKClassifier  # torch: not before a training really begins

    if reason := should_stop():
        store.end(run_id, "stopped", reason)
        return
    split = dataset.split(test_size=test_size, seed=config.random_state)
    store.write_split(run_id, split)
    X, y = dataset.X, np.asarray(dataset.y)
    train, test = (X.iloc[split.train], y[split.train]), (X.iloc[split.test], y[split.test])
    classifier = TSKClassifier(**config.to_dict())
    started = time.monotonic()
    epochs = classifier.fit_iter(*train, **({"X_test": test[0], "y_test": test[1]} if len(test[1]) else {}))
    history, reason = _follow(epochs, _Checkpoint(store, run_id), should_stop, on_epoch)
    seconds = time.monotonic() - started

    metrics = _metrics(classifier, history, train, test, [str(name) for name in dataset.classes], config.random_state)
    metrics["seconds"] = seconds
    metrics["notes"] += list(split.notes)
    store.write_model(run_id, classifier)
    store.write_metrics(run_id, metrics)
    store.end(run_id, "stopped" if reason else "finished", reason or classifier.stop_message_, metrics["rca"], metrics["bca"])


def _follow(epochs, checkpoint: "_Checkpoint", should_stop, on_epoch) -> tuple[list[Epoch], str]:
    """Run the training to its end, or to the first reason to stop; returns the epochs and that reason ("" for none)."""
    deadline = time.monotonic() + limits.value("run_seconds")
    history, reason = [], ""
    with contextlib.closing(epochs), checkpoint:  # closing leaves the classifier fitted with the weights it has
        for epoch in epochs:
            history.append(epoch)
            on_epoch(epoch)
            checkpoint.add(epoch)
            reason = should_stop()
            if not reason and time.monotonic() > deadline:
                reason = (
                    f"Stopped after {limits.value('run_seconds')} seconds, this server's limit for one run"
                    f" ({limits.LIMITS['run_seconds'].variable}); the model is the one reached in epoch {epoch.epoch}."
                )
            if reason:
                break
    return history, reason


class _Checkpoint:
    """Writes epochs about each second, and what is left when training ends in whatever way."""

    def __init__(self, store: RunStore, run_id: str) -> None:
        self._store, self._run = store, run_id
        self._unwritten: list[Epoch] = []
        self._last = time.monotonic()

    def __enter__(self) -> "_Checkpoint":
        return self

    def add(self, epoch: Epoch) -> None:
        self._unwritten.append(epoch)
        if time.monotonic() - self._last >= CHECKPOINT_SECONDS:
            self._write()

    def __exit__(self, *error: object) -> None:
        self._write()

    def _write(self) -> None:
        if self._unwritten:
            self._store.add_epochs(self._run, self._unwritten)
        self._unwritten, self._last = [], time.monotonic()


def _metrics(classifier, history, train, test, classes, seed) -> dict[str, Any]:
    """The numbers at the end. test rows only, but for rules_alive (rules firing at least 0.1/R on average in training)."""
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
        "confusion": _confusion(y_test, y_pred, classes),
        "rules_alive": len(history[-1].firing) - history[-1].dead_rules,
        "epochs": len(training or history),
        "best_epoch": int(classifier.best_epoch_),
        "train_rows": len(train[1]),
        "test_rows": len(y_test),
        "notes": notes,
    }


def _encoded(classifier, X) -> np.ndarray:
    return classifier.encode(X) if len(X) else np.empty((0, 0))


def _confusion(y_true: np.ndarray, y_pred: np.ndarray, classes: list[str]) -> list[list[int]]:
    """Counts [C][C]: row the true class, column the predicted one."""
    index = {name: at for at, name in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, ([index[str(v)] for v in y_true], [index[str(v)] for v in y_pred]), 1)
    return counts.tolist()
