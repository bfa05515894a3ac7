"""TrainingRows: X and y as classifiers train on them: encoded, normalised, and with numbered classes."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder, Features, Labels, Rows, class_indices
from tsk_core.data.splitting import drawn_rows
from tsk_core.errors import DataError
from tsk_core.estimators.validation import (
    check_classes,
    check_features,
    check_groups_or_time,
    check_training_features,
    check_weights,
    select_rows,
)
from tsk_core.numbers import counted
from tsk_core.train import AT_THE_END, Records, Table, TrainingSpec, starting_rules
from tsk_core.train.table import class_weights, log_prior, normalised_table, number_groups, training_order
from tsk_core.tuning.fold_trainings import Folds, Placed

_DESCRIBED_ROWS = 20_000  # training rows kept for describing rules


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows to train on, and what was learnt from them.

    encoder: of the columns of X. classes: (C,), sorted. Z: (N, D) float64, encoded, in original units. table: the same rows
    normalised, with classes, groups, times and weights. kept: which rows of X these are, as ``check_weights`` has it. lacking:
    feature → which of these rows lack its value, bool (N,). grouped: whether groups were given, or rows are there several times,
    by their weight.
    """

    encoder: Encoder
    classes: np.ndarray
    Z: np.ndarray
    table: Table
    kept: np.ndarray | slice
    lacking: dict[str, np.ndarray]
    grouped: bool = False

    @classmethod
    def learn(
        cls,
        X: Features,
        y: Labels,
        device: str,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
    ) -> Self:
        """Learn classes and encoding from X and y; arguments as for ``TSKClassifier.fit``. Raises ValueError or DataError."""
        checked = check_training_features(X)
        kept, weights = check_weights(sample_weight, len(checked))
        classes, indices = check_classes(y, len(checked), kept)
        known = check_groups_or_time(groups, time, len(checked))
        own_groups, own_time = (None if v is None else v[kept] for v in known)
        if own_groups is None and own_time is None and not isinstance(kept, slice) and (np.diff(kept) == 0).any():
            own_groups = kept  # no copy of a training row is held out, and intervals of rules draw all copies of one
        checked = select_rows(checked, kept)
        encoder = Encoder().fit(checked)
        Z = encoder.transform(checked)
        table = normalised_table(encoder, Z, indices, len(classes), device)
        weight = None if weights is None else torch.from_numpy(weights).to(table.x.device)
        table = number_groups(replace(table, groups=own_groups, time=own_time, weight=weight), Z)
        return cls(encoder, classes, Z, table, kept, encoder.lacking(checked), own_groups is not None)

    def order(self, batch_size: int, rows: np.ndarray | None = None) -> np.ndarray:
        """These rows, or all, in the order to train on (``training_order``)."""
        return training_order(self.table, self.Z, np.arange(len(self.Z)) if rows is None else rows, batch_size)

    def spec(self, config: TrainConfig, rows: np.ndarray | None = None, records: Records = AT_THE_END) -> TrainingSpec:
        """The training of a model with these settings, its seed among them, on these rows, or all."""
        rows = self.order(config.batch_size, rows)
        weight, _ = self.class_weights(config, rows)
        start = starting_rules(config, self.encoder, self.classes)
        return TrainingSpec(config, config.random_state or 0, rows, weight, records=records, start=start)

    def class_weights(self, config: TrainConfig, rows: np.ndarray | None = None) -> tuple[torch.Tensor | None, np.ndarray | None]:
        """The weight of each class under these settings on these rows, or all, and the ``log_prior`` that follows; (C,) each."""
        part = slice(None) if rows is None else rows
        y = self.table.y.cpu().numpy()[part]
        row_weight = self.table.weights_of(part)
        weight = class_weights(config.class_weight, y, self.classes, row_weight)
        return weight, log_prior(weight, y, row_weight)

    def described(self, seed: int, rows: np.ndarray | None = None) -> dict[str, Any]:
        """These rows, or all, or a sample of them, to describe rules, as the fields of ``FittedModel`` that hold them."""
        rows = np.arange(len(self.Z)) if rows is None else rows
        # Sorted: rules of these rows, given again as they stand in the table, are the same to the last digit.
        rows = np.sort(drawn_rows(rows, _DESCRIBED_ROWS, seed))
        groups = self.table.groups[rows] if self.grouped and self.table.groups is not None else None
        return {
            "training_rows": (self.Z[rows], self.table.y.cpu().numpy()[rows]),
            "training_groups": groups,
            "training_missing": {name: lacks[rows] for name, lacks in self.lacking.items() if lacks[rows].any()},
        }

    def test_table(self, X: Features, y: Labels | None) -> Table:
        """Test rows in the same encoding. Raises ValueError or DataError for other columns, a class not learnt, or no classes."""
        if y is None:
            raise DataError("X_test has no y_test; give the classes of the test rows too.")
        Z, indices = self.encoder.transform(check_features(self.encoder, X)), class_indices(self.classes, y)
        if indices.shape != (len(Z),):
            raise DataError(f"Expected one class for each of the {counted(len(Z), 'test row')}, got shape {np.shape(y)}.")
        return normalised_table(self.encoder, Z, indices, len(self.classes), str(self.table.x.device))


# The rows of a search's folds, each fold encoded with the statistics of its own training rows.


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
