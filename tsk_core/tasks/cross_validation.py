"""CrossValidation: the scores of one setting on several random splits of a table (Monte Carlo cross-validation)."""

import contextlib
import json
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.evaluate.metrics import Accuracy, accuracy_of_labels
from tsk_core.runs.folder import Ending
from tsk_core.runs.store import RunStore
from tsk_core.tasks.context import Context
from tsk_core.tasks.live_training import check_size

__all__ = ["SPLITS", "CrossValidation"]

SPLITS = "splits"  # the series of its records: {"seed", "rca", "bca"}, one a split


@dataclass(frozen=True)
class CrossValidation:
    """Train ``config`` on ``splits`` splits of ``dataset`` with the seeds s, s + 1, …, and score each on its own test rows.

    Each split respects groups and time, as ``dataset.split`` does, and learns its own encoding from its training rows alone.
    s: the ``random_state`` of ``config``. test_size: share of rows held back for testing, in (0, 1).
    """

    config: TrainConfig
    dataset: Any
    splits: int = 10
    test_size: float = 0.3

    @property
    def steps(self) -> int:
        """Splits."""
        return self.splits

    def check(self) -> None:
        """Raise LimitError where one training is larger than this server allows."""
        check_size(self.config, self.dataset)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "CrossValidation"]:
        """Enter the run; the task returned has the run's seed, and travels without the table before cleaning."""
        run = store.create(self.config, self.dataset, self.test_size, owner, task="cross-validation", **details)
        return run, replace(self, config=store.open(run).config(), dataset=replace(self.dataset, raw=None))

    def run(self, context: Context) -> Ending:
        """Score one split after the other; metrics.json has the scores, and their mean and SD over the splits.

        A stop takes effect within one epoch; the split that it interrupts is not counted.
        """
        began, found, reason = time.monotonic(), [], ""
        for seed in range(self.config.random_state, self.config.random_state + self.splits):
            score, reason = self._score(seed, context)
            if score is None:
                break
            found.append(score)
            context.report(SPLITS, json.dumps({"seed": seed, **score._asdict()}))
            context.progress(len(found), SPLITS, True)
        if not found:
            return Ending("stopped", reason)
        rca, bca = (np.array(values, float) for values in zip(*found, strict=True))
        context.folder.write_metrics(
            {
                "rca": rca.tolist(), "bca": bca.tolist(),
                "rca_mean": float(rca.mean()), "rca_sd": _sd(rca), "bca_mean": float(bca.mean()), "bca_sd": _sd(bca),
                "seconds": time.monotonic() - began - context.waited,
            }
        )  # fmt: skip
        return Ending("stopped" if reason else "finished", reason, float(rca.mean()), float(bca.mean()))

    def _score(self, seed: int, context: Context) -> tuple[Accuracy | None, str]:
        """The score of one split, and ""; or None, and why the task has to end."""
        from tsk_core.classifier import TSKClassifier  # torch: not before the work really begins

        X, y = self.dataset.X, np.asarray(self.dataset.y)
        train, test, _ = self.dataset.split(test_size=self.test_size, seed=seed)
        classifier = TSKClassifier(**replace(self.config, random_state=seed).to_dict())
        epochs = classifier.fit_iter(X.iloc[train], y[train], **self.dataset.fit_params(train))
        with contextlib.closing(epochs):
            for _ in epochs:
                if reason := context.checkpoint():
                    return None, reason
        return accuracy_of_labels(y[test], classifier.predict(X.iloc[test])), ""


def _sd(values: np.ndarray) -> float | None:
    """Sample standard deviation; None for a single value."""
    return float(values.std(ddof=1)) if len(values) > 1 else None
