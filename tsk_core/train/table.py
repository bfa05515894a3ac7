"""Encoded rows as training takes them: normalised, in an order that depends on what they contain, classes weighted."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from tsk_core.data.encoding import Encoder
from tsk_core.data.naming import listed, printed
from tsk_core.data.splitting import row_blocks
from tsk_core.errors import SettingError

_BLOCK_ROWS = 65_536
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Table:
    """Encoded rows: x (N, D) float32, z-normalised; y (N,) class indices; C classes.

    groups: (N,) int64, equal in rows that early stopping keeps together. time: (N,) float64 or datetime64, NaN or NaT where not
    known; early stopping holds out the latest rows. At most one of them is given.
    weight: (N,) float32, positive, of each row in the cross-entropy; None where all rows weigh the same.
    features: (D,) int64, the number of each column's feature, from 0; a category's columns are one feature. None: each its own.
    """

    x: Tensor
    y: Tensor
    n_classes: int
    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    weight: Tensor | None = None
    features: np.ndarray | None = None

    def feature_numbers(self) -> np.ndarray:
        """``features``, or one feature for each column where it is not given."""
        return np.arange(self.x.shape[1]) if self.features is None else self.features

    def weights_of(self, rows: np.ndarray | slice) -> np.ndarray | None:
        """The ``weight`` of these rows, or None."""
        return None if self.weight is None else self.weight.cpu().numpy()[rows]


def by_contents(table: Table, encoded: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """These row numbers, (K,), in an order that depends on what the rows contain, and not on where they stand.

    encoded: (N, D), the rows of the table, not normalised. The order is that of a hash of each row and its class; rows that are
    equal in these are ordered by weight, group and time.
    """
    hashes = pd.util.hash_array(table.y.cpu().numpy()[rows])
    for column in encoded.T:  # one by one, to save the memory of a second table
        hashes = hashes * _ODD + pd.util.hash_array(column[rows] + 0.0)  # -0.0 becomes 0.0
    weight = None if table.weight is None else table.weight.cpu().numpy()
    return rows[np.lexsort([key[rows] for key in (table.time, table.groups, weight) if key is not None] + [hashes])]


def training_order(table: Table, encoded: np.ndarray, rows: np.ndarray, batch_size: int) -> np.ndarray:
    """The rows to train on, ``by_contents`` where one batch holds them all; else as they are.

    With one batch there is no order of batches, and the order of the rows need not matter. With several it always does: any order
    is as good as another, so the rows stay as the caller has them.
    """
    return by_contents(table, encoded, rows) if len(rows) <= batch_size else rows


def number_groups(table: Table, encoded: np.ndarray) -> Table:
    """The table with its groups, if any, numbered as they occur in the order of ``by_contents``."""
    if table.groups is None:
        return table
    order = by_contents(table, encoded, np.arange(len(encoded)))
    groups = np.empty_like(table.groups)
    groups[order] = pd.factorize(table.groups[order])[0]
    return replace(table, groups=groups)


def normalised_table(encoder: Encoder, encoded: np.ndarray, y: np.ndarray, n_classes: int, device: str) -> Table:
    """Encoded rows (N, D) and class indices (N,) as the model's inputs on ``device``.

    Normalised block by block, so that a million rows need no second copy in float64.
    """
    device = torch_device(device)
    x = torch.empty(encoded.shape, dtype=torch.float32, device="cpu")
    for rows in row_blocks(len(x), 1, _BLOCK_ROWS):
        x[rows] = torch.from_numpy(encoder.normalise(encoded[rows]))
    features = np.concatenate([np.full(block.stop - block.start, k) for k, (_, block) in enumerate(encoder.blocks())])
    return Table(x.to(device), torch.from_numpy(y).long().to(device), n_classes, features=features)


def torch_device(device: str) -> str:
    """Torch's name of the device for a setting; SettingError where it has to be a graphics card and there is none."""
    if device == "cpu" or torch.cuda.is_available():
        return "cpu" if device == "cpu" else "cuda"
    if device == "cuda":
        raise SettingError("device is cuda, but torch finds no graphics card it can use; choose cpu or auto.")
    return "cpu"


def class_weights(
    wanted: str | Mapping[Hashable, float] | None, y: np.ndarray, classes: np.ndarray, row_weight: np.ndarray | None = None
) -> Tensor | None:
    """Weight of each class, (C,); None for None.

    "balanced" is N/(C·N_c), a row counting as much as it weighs; a class that a dictionary leaves out weighs 1. Its keys are
    labels, or what is printed of them. SettingError for a key that is no class, where a class is left out: one may be meant.
    """
    if wanted is None:
        return None
    if isinstance(wanted, str):  # "balanced"
        counts = np.bincount(y, row_weight, minlength=len(classes))
        weights = counts.sum() / (len(classes) * np.where(counts > 0, counts, 1))
    else:
        by_name = {printed(label): weight for label, weight in wanted.items()}  # a restored configuration has labels as text
        names = [printed(c) for c in classes.tolist()]
        found = [wanted.get(c, by_name.get(name)) for c, name in zip(classes.tolist(), names, strict=True)]
        strangers = sorted(by_name.keys() - set(names))
        if strangers and None in found:
            raise SettingError(f"class_weight has a weight for {listed(strangers)}, but the classes are {listed(names)}.")
        weights = [1.0 if weight is None else float(weight) for weight in found]
    return torch.from_numpy(np.asarray(weights, np.float32))


def log_prior(weights: Tensor | None, y: np.ndarray, row_weight: np.ndarray | None = None) -> np.ndarray | None:
    """What is added to the scores, (C,), so that their softmax has the shares of classes of the rows; None where nothing is.

    It is log π_k − log π̃_k: π_k the share of class k among the rows, each counting as much as it weighs, and π̃_k, in proportion
    to w_k π_k, the share that the weighted cross-entropy saw. Both have the factor π_k, so that it is log Σ_j w_j π_j − log w_k,
    which a class without rows has, too. By Bayes' rule the scores of a weighted training are those of the rows' own shares less
    this (Saerens, Latinne, Decaestecker, Adjusting the outputs of a classifier to new a priori probabilities, 2002, eq. 2.4).

    weights: (C,), of ``class_weights``. y: (N,) class indices. Where all classes weigh the same, there is nothing to add.
    """
    if weights is None or bool((weights == weights[0]).all()):
        return None
    w = weights.cpu().numpy().astype(float)
    counts = np.bincount(y, row_weight, minlength=len(w))
    corrections: np.ndarray = np.log(w @ counts / counts.sum()) - np.log(w)
    return corrections
