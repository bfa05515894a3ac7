"""How far the text of a readable rule base is the model: what its strongest rule says, and where that rule's sentence is true."""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tsk_core.model import Rules, infer
from tsk_core.model.firing import log_membership

__all__ = ["Faithfulness", "faithfulness"]

HOLDS = math.log(0.5)  # least log membership where a condition holds


class Faithfulness(NamedTuple):
    """Shares of rows.

    agreement: those whose strongest rule has the class of the model. literal: those for which all its conditions hold.
    """

    agreement: float
    literal: float


def faithfulness(rules: Rules, x: Tensor, features: np.ndarray, low: Tensor, high: Tensor) -> Faithfulness:
    """Of rows x, (N, D), normalised. rules: one model with constant consequents, in the same units.

    features: (D,), as ``Table.features``. low, high: (D,), the ends of the training rows' columns. A condition on a category
    holds where its membership is at least half of that of the likeliest category.
    """
    firing, scores = (values[0] for values in infer(rules, x, exact=False))
    winner = firing.argmax(1)
    agrees = rules.biases[0].argmax(1)[winner] == scores.argmax(1)
    centers, sigmas = rules.centers[0], rules.sigmas[0]
    number = torch.from_numpy(features).to(x.device)
    by_feature = torch.nn.functional.one_hot(number).double()
    levels = log_membership(x.double(), centers[winner], sigmas[winner]) @ by_feature  # (N, features)
    absent, present = (log_membership(end.double(), centers, sigmas) for end in (low, high))
    index, empty = number.expand_as(centers), centers.new_zeros(len(centers), by_feature.shape[1])
    likeliest = absent @ by_feature + empty.scatter_reduce(1, index, present - absent, "amax", include_self=False)
    categorical = torch.bincount(number) > 1
    levels = levels - torch.where(categorical, likeliest, 0.0)[winner]
    literal = (levels >= HOLDS).all(1)
    return Faithfulness(agrees.double().mean().item(), literal.double().mean().item())
