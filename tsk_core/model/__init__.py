"""The TSK stack in pure torch: parameters, firing levels, batch normalisation, closed-form gradients, merged rules."""

from importlib import import_module
from typing import Any

_MODULES = {
    "Batch": "batches",
    "Batches": "batches",
    "Expanded": "inference",
    "NO_ANTECEDENT": "rules",
    "Objective": "step",
    "Parameters": "parameters",
    "Rules": "rules",
    "RunningStatistics": "batch_norm",
    "Shape": "parameters",
    "Step": "step",
    "blocks": "inference",
    "class_scores": "inference",
    "infer": "inference",
    "merge": "rules",
}

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a name from its module on first use (PEP 562): ``model.firing`` needs no torch, and explaining takes only that."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
