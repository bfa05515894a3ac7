"""Trainings on several parts of one dataset, prepared to train side by side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig

if TYPE_CHECKING:
    from tsk_core.data.encoding import Encoder
    from tsk_core.train import Records, Table, TrainingSpec

__all__ = ["Part", "StackedParts", "stacked_parts"]


class Part(NamedTuple):
    """Disjoint arrays of row numbers. validation: rows that are measured at each epoch and not trained on, or None."""

    train: np.ndarray
    test: np.ndarray
    validation: np.ndarray | None = None


class StackedParts(NamedTuple):
    """One spec for each training, one encoder for each part, and the table that the specs' row numbers refer to.

    tested: of each part, where its test rows stand in the table; empty unless they were asked for.
    """

    specs: list["TrainingSpec"]
    table: "Table"
    encoders: list["Encoder"]
    tested: list[np.ndarray]


def stacked_parts(
    dataset: Any,
    parts: Sequence[Part],
    configs: Sequence[TrainConfig],
    records: "Records | None" = None,
    *,
    part_of: Sequence[int] | None = None,
    measure_test: bool = False,
) -> StackedParts:
    """Prepare one training for each of ``configs``, whose ``random_state`` is its seed.

    part_of: the part of each; None where each has its own, in this order. All have the columns of the whole dataset, its
    categories included, so that their models are equally shaped; imputed values and z-normalisation come from each part's
    training rows alone. A row stands in the table once for each part that uses it, encoded with that part's statistics.
    records: None for the last epoch alone. measure_test: the test rows are in the table too, and are measured.
    """
    import torch

    from tsk_core.data.encoding import Encoder  # pandas: not before the work really begins
    from tsk_core.train import AT_THE_END, Table, TrainingSpec
    from tsk_core.train.tables import class_weights, normalised_table, number_groups, training_order

    classes, y = np.unique(np.asarray(dataset.y), return_inverse=True)
    columns = Encoder().fit(dataset.X)
    encoders: list[Encoder] = []
    tables: list[Table] = []
    trained, validated, tested, start = [], [], [], 0

    def place(rows: np.ndarray, encoded: np.ndarray) -> np.ndarray:
        """Append rows to the table; returns where they stand."""
        nonlocal start
        table = normalised_table(encoders[-1], encoded, y[rows], len(classes), configs[0].device)
        tables.append(number_groups(replace(table, **dataset.fit_params(rows)), encoded))
        start += len(rows)
        return np.arange(start - len(rows), start)

    for part in parts:
        X = dataset.X.iloc[part.train]
        encoders.append(columns.with_statistics_of(X))
        encoded = encoders[-1].transform(X)
        trained.append((place(part.train, encoded), encoded, tables[-1]))
        held_out = part.validation is not None and len(part.validation)
        measured = [(validated, part.validation if held_out else None), (tested, part.test if measure_test else None)]
        for found, rows in measured:
            found.append(None if rows is None else place(rows, encoders[-1].transform(dataset.X.iloc[rows])))
    specs = []
    for k, config in enumerate(configs):
        p = k if part_of is None else part_of[k]
        rows, encoded, table = trained[p]
        order = rows[training_order(table, encoded, np.arange(len(rows)), config.batch_size)]
        weight = class_weights(config.class_weight, y[parts[p].train], classes)
        kept = records or AT_THE_END
        specs.append(TrainingSpec(config, config.random_state, order, weight, validated[p], kept, tested[p]))
    x, indices = (torch.cat([getattr(table, name) for table in tables]) for name in ("x", "y"))
    given = [name for name in ("groups", "time") if getattr(tables[0], name) is not None]
    together = {name: np.concatenate([getattr(table, name) for table in tables]) for name in given}
    found = [rows for rows in tested if rows is not None]
    return StackedParts(specs, Table(x, indices, len(classes), **together), encoders, found)
