"""The exported rules: one JSON-ready dictionary in original units, enough to recompute the model with NumPy alone."""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import torch

from tsk_core.data.encoded_columns import Column
from tsk_core.explain.exported import ExportedColumn, ExportedRules, Normalisation
from tsk_core.model import Rules
from tsk_core.model.firing import LAYER_EPSILON


class _Layer(TypedDict, total=False):
    scale: float
    shift: float


def export_rules(
    rules: Rules, columns: Sequence[Column], classes: Sequence[str], log_prior: np.ndarray | None = None
) -> ExportedRules:
    """The "tsk-rules" dictionary, version 1.

    rules: one model in original units. columns: D encoded columns of the encoder. classes: C names. log_prior: (C,), of a model
    with class weights.

    A reader computes z_r = w_r − Σ_d (x_d − c_rd)²/(2σ_rd²) (σ null: no such term), normalises the firing levels and takes
    Σ_r f̄_r (b_0 + b·x) as each class's score; under kind "layer-relu" with max(0, scale_r (f̄_r − m)/√(v + ε) + shift_r) in
    place of f̄_r, m and v being the mean and the variance of the row's R firing levels f̄. The class is that of the largest score;
    probabilities are the softmax of the scores, each with its number of "log_prior" where there is one.

    A category column is 0 or 1; an unknown category is 0 everywhere. A column with
    levels is the rank of one of them, from 0; an unknown one counts as missing.
    """
    kind: Normalisation = {"kind": "paper", "epsilon": rules.epsilon} if rules.epsilon else {"kind": "softmax"}
    if rules.log_epsilon:
        kind = {"kind": "log", "epsilon": rules.log_epsilon}
    layers: list[_Layer] = [{} for _ in rules.biases[0]]
    if rules.layer:
        kind = {"kind": "layer-relu", "epsilon": LAYER_EPSILON, "of": kind}
        layers = [{"scale": scale, "shift": shift} for scale, shift in torch.cat(rules.layer).T.tolist()]
    constants = rules.biases[0].unsqueeze(-1)  # (R, C, 1)
    consequents = constants.new_zeros(*rules.biases[0].shape, len(columns) + 1)
    consequents[..., :1], consequents[..., 1:] = constants, rules.weights[0]
    exported: ExportedRules = {
        "format": "tsk-rules",
        "version": 1,
        "classes": [*classes],
        "columns": [_exported(column) for column in columns],
        "normalisation": kind,
        "rules": [
            {
                "log_weight": log_weight,
                "centers": centers,
                "sigmas": [None if math.isinf(sigma) else sigma for sigma in sigmas],
                "consequents": consequent,
                **layer,
            }
            for log_weight, centers, sigmas, consequent, layer in zip(
                rules.log_weights[0].tolist(),
                rules.centers[0].tolist(),
                rules.sigmas[0].tolist(),
                consequents.tolist(),
                layers,
                strict=True,
            )
        ],
    }
    if log_prior is not None:
        exported["log_prior"] = log_prior.tolist()
    return exported


def _exported(column: Column) -> ExportedColumn:
    exported: ExportedColumn = {
        "feature": column.feature, "kind": column.kind, "category": column.category, "impute": column.impute,
    }  # fmt: skip
    if column.levels:
        exported["levels"] = list(column.levels)
    return exported
