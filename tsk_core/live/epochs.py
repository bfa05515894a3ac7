"""The values of an epoch in a message, by the names that the browser has for them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsk_core.epoch import Epoch
from tsk_core.numbers import six_digits

__all__ = ["FIELDS", "epoch_values"]


def _measured(values: NDArray[Any] | None) -> NDArray[Any]:
    if values is None:
        raise ValueError("The firing levels of this epoch were not measured, so no message can have it.")
    return values


FIELDS: dict[str, Callable[[Epoch], Any]] = {
    "stage": lambda e: e.stage,
    "epoch": lambda e: e.epoch,
    "ce": lambda e: six_digits(e.loss_ce),
    "l2": lambda e: six_digits(e.loss_l2),
    "shrinkage": lambda e: six_digits(e.loss_shrinkage),
    "sharpness": lambda e: six_digits(e.loss_sharpness),
    "covering": lambda e: six_digits(e.loss_covering),
    "l1": lambda e: six_digits(e.loss_l1),
    "conditions": lambda e: e.conditions,
    "ur": lambda e: six_digits(max(0.0, e.loss_ur - e.ur_floor)),  # above its constant minimum
    "rcaTrain": lambda e: six_digits(e.rca_train),
    "bcaTrain": lambda e: six_digits(e.bca_train),
    "rcaValidation": lambda e: six_digits(e.rca_validation),
    "bcaValidation": lambda e: six_digits(e.bca_validation),
    "rcaTest": lambda e: six_digits(e.rca_test),
    "bcaTest": lambda e: six_digits(e.bca_test),
    "gradAntecedents": lambda e: six_digits(e.grad_antecedents),
    "gradConsequents": lambda e: six_digits(e.grad_consequents),
    "seconds": lambda e: six_digits(e.seconds),
    "firing": lambda e: np.round(_measured(e.firing), 6).tolist(),
    "initialFiring": lambda e: None if e.initial_firing is None else np.round(e.initial_firing, 6).tolist(),
    "dead": lambda e: np.flatnonzero(_measured(e.dead)).tolist(),
    "idle": lambda e: np.flatnonzero(_measured(e.idle)).tolist(),
    "entropy": lambda e: _measured(e.entropy).tolist(),
}


def epoch_values(epoch: Epoch) -> list[Any]:
    """The values of an epoch whose firing levels were measured, in the order of ``FIELDS``."""
    return [value(epoch) for value in FIELDS.values()]
