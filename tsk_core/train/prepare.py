"""Trainings on several splits of one dataset, prepared to train side by side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder
from tsk_core.data.splitting import Split, ValidatedSplit
from tsk_core.metrics import Accuracy, accuracy
from tsk_core.model import Rules, class_scores
from tsk_core.train.initialise import starting_rules
from tsk_core.train.spec import AT_THE_END, Records, TrainingSpec
from tsk_core.train.table import Table, class_weights, normalised_table, number_groups, training_order

if TYPE_CHECKING:
    from tsk_core.data import Dataset


class PreparedStack(NamedTuple):
    """One spec for each training, one encoder for each split, and the table that the specs' row numbers refer to.

    tested: of each split, where its test rows stand in the table; empty unless they were asked for.
    """

    specs: list[TrainingSpec]
    table: Table
    encoders: list[Encoder]
    tested: list[np.ndarray]

    def accuracy(self, rules: Rules, rows: np.ndarray) -> Accuracy:
        """Of one model on these rows of the table."""
        predicted = class_scores(rules, self.table.x[rows]).argmax(1).cpu().numpy()
        return accuracy(self.table.y[rows].cpu().numpy(), predicted)


def prepare_stack(
    dataset: "Dataset",
    splits: Sequence[Split | ValidatedSplit],
    configs: Sequence[TrainConfig],
    records: Records = AT_THE_END,
    *,
    split_of: Sequence[int] | None = None,
    measure_test: bool = False,
) -> PreparedStack:
    """Prepare one training for each of ``configs``, whose ``random_state`` is its seed.

    dataset: a ``data.Dataset``. split_of: the split of each; None where each has its own, in this order. All have the columns of
    the whole dataset, its categories included, so that their models are equally shaped; imputed values and z-normalisation come
    from each split's training rows alone. A row stands in the table once for each split that uses it, encoded with that split's
    statistics. measure_test: the test rows are in the table too, and are measured.
    """
    classes, y = np.unique(np.asarray(dataset.y), return_inverse=True)
    columns = Encoder().fit(dataset.X)
    encoders: list[Encoder] = []
    tables: list[Table] = []
    trained: list[tuple[np.ndarray, np.ndarray, Table]] = []
    validated: list[np.ndarray | None] = []
    tested: list[np.ndarray | None] = []
    start = 0

    def place(rows: np.ndarray, encoded: np.ndarray) -> np.ndarray:
        """Append rows to the table; returns where they stand."""
        nonlocal start
        given = dataset.fit_params(rows)
        table = normalised_table(encoders[-1], encoded, y[rows], len(classes), configs[0].device)
        tables.append(number_groups(replace(table, groups=given.get("groups"), time=given.get("time")), encoded))
        start += len(rows)
        return np.arange(start - len(rows), start)

    for split in splits:
        X = dataset.X.iloc[split.train]
        encoders.append(columns.with_statistics_of(X))
        encoded = encoders[-1].transform(X)
        trained.append((place(split.train, encoded), encoded, tables[-1]))
        held_out = split.validation if isinstance(split, ValidatedSplit) and len(split.validation) else None
        for places, rows in ((validated, held_out), (tested, split.test if measure_test else None)):
            places.append(None if rows is None else place(rows, encoders[-1].transform(dataset.X.iloc[rows])))
    specs = []
    for k, config in enumerate(configs):
        at = k if split_of is None else split_of[k]
        rows, encoded, table = trained[at]
        order = rows[training_order(table, encoded, np.arange(len(rows)), config.batch_size)]
        weight = class_weights(config.class_weight, y[splits[at].train], classes)
        starts = starting_rules(config, encoders[at], classes)
        specs.append(TrainingSpec(config, config.seed, order, weight, validated[at], records, tested[at], start=starts))
    x, indices = (torch.cat([getattr(table, name) for table in tables]) for name in ("x", "y"))
    groups, time = (_together([getattr(table, name) for table in tables]) for name in ("groups", "time"))
    together = Table(x, indices, len(classes), groups, time, features=tables[0].features)
    return PreparedStack(specs, together, encoders, [rows for rows in tested if rows is not None])


def _together(parts: list[np.ndarray | None]) -> np.ndarray | None:
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if known else None
