"""The rows of a search's folds, each fold encoded with the statistics of its own training rows."""

from dataclasses import replace

import numpy as np
import torch

from tsk_core.data.encoding import Encoder
from tsk_core.data.inputs import Features, Rows
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.estimators.validation import check_training_features, select_rows
from tsk_core.train.table import log_prior, normalised_table
from tsk_core.tuning.fold_trainings import Folds, Placed

__all__ = ["MOST_NUMBERS", "FoldTables"]

MOST_NUMBERS = 2**27  # of the table of all folds, half a gigabyte; with more rows than that, those of a fold are as good as all


class FoldTables:
    """Makes the table of a repeat's folds. X: the rows that ``learnt`` has encoded.

    Each row stands there once for each fold, encoded with what the fold's training rows say: values that replace missing ones,
    means and scales. Columns and categories are those of all rows, so that models of all folds are equally shaped.
    """

    def __init__(self, learnt: TrainingRows, X: Features) -> None:
        rows = check_training_features(X)
        self.learnt = learnt
        self._rows = rows if isinstance(learnt.kept, slice) else select_rows(rows, learnt.kept)
        self._share_all()

    def __call__(self, folds: Folds) -> Placed:
        """The folds, (rows to train on, rows to validate) of the rows that were learnt from, and the table with their places."""
        table, device = self.learnt.table, str(self.learnt.table.x.device)
        sizes = [len(train) + len(validation) for train, validation in folds]
        if sum(sizes) * table.x.shape[1] > MOST_NUMBERS:
            self._share_all()
            return Placed(table, folds)
        rows = [np.concatenate(fold) for fold in folds]
        self._encoders = [self.learnt.encoder.with_statistics_of(select_rows(self._rows, train)) for train, _ in folds]
        self._origin, self._fold = np.concatenate(rows), np.repeat(np.arange(len(folds)), sizes)
        labels, x = table.y.cpu().numpy(), []
        for encoder, some in zip(self._encoders, rows, strict=True):
            encoded = encoder.transform(select_rows(self._rows, some))
            x.append(normalised_table(encoder, encoded, labels[some], table.n_classes, device).x)
        at = torch.from_numpy(self._origin).to(table.y.device)
        groups, time = (None if part is None else part[self._origin] for part in (table.groups, table.time))
        weight = None if table.weight is None else table.weight[at]
        made = replace(table, x=torch.cat(x), y=table.y[at], groups=groups, time=time, weight=weight)
        starts = np.cumsum([0, *sizes[:-1]])
        parts = [np.split(np.arange(start, start + len(some)), [len(train)])
                 for start, some, (train, _) in zip(starts, rows, folds, strict=True)]  # fmt: skip
        return Placed(made, [(train, validation) for train, validation in parts])

    def encoder_of(self, rows: np.ndarray) -> Encoder:
        """The encoder of these rows of the newest table, all of one fold."""
        return self._encoders[int(self._fold[rows[0]])]

    def original(self, rows: np.ndarray) -> tuple[Rows, np.ndarray]:
        """These rows of the newest table as they were given, and their labels."""
        at = self._origin[rows]
        return select_rows(self._rows, at), self.learnt.classes[self.learnt.table.y.cpu().numpy()[at]]

    def log_prior(self, weight: torch.Tensor | None, rows: np.ndarray) -> np.ndarray | None:
        """``train.table.log_prior`` of a training on these rows of the newest table with this weight of each class, (C,)."""
        at = self._origin[rows]
        return log_prior(weight, self.learnt.table.y.cpu().numpy()[at], self.learnt.table.weights_of(at))

    def _share_all(self) -> None:
        """One encoding of all rows for all folds."""
        self._encoders = [self.learnt.encoder]
        self._origin, self._fold = np.arange(len(self._rows)), np.zeros(len(self._rows), int)
