"""Problem: what a simplification is trained on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.explain.antecedents import Unit, units_of
from tsk_core.explain.exported import ExportedColumn
from tsk_core.train import Table

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows, encoding and settings.

    table: encoded rows, normalised. rows: those to train on. columns: of the encoding, D dictionaries. config: of the full model.
    signs: (D, C) as in ``Start``, or None.
    """

    table: Table
    rows: np.ndarray
    columns: list[ExportedColumn]
    config: TrainConfig
    signs: np.ndarray | None = None

    @cached_property
    def units(self) -> list[Unit]:
        """The features with their columns."""
        return units_of(self.columns)

    @cached_property
    def x(self) -> np.ndarray:
        """The training rows, float64 (N, D)."""
        return self.table.x[torch.from_numpy(self.rows)].double().cpu().numpy()
