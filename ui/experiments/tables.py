"""Every training of an experiment as a row, for its CSV."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tsk_core.experiments import SWEEP, Plan, axis_values

__all__ = ["every_training"]

_MEASURED = ("window", "best_epoch", "epochs", "entropy", "dead", "fidelity", "seconds", "message")


def every_training(plan: Plan, points: Mapping[int, Mapping[str, Any]]) -> pd.DataFrame:
    """A row for each training that ended, in the order of the plan; all numbers as they are.

    A comparison names the variant, a sweep has a column for each axis and the fidelity.
    """
    rows = []
    for number in sorted(points):
        point = points[number]
        row = _place(plan, point["variant"]) | {"seed": point["seed"], "split": point["split"]}
        for score, values in point["scores"].items():
            rca, bca = values or (None, None)
            row |= {f"rca_{score}": rca, f"bca_{score}": bca}
        rows.append(row | {name: point.get(name) for name in _MEASURED if name != "fidelity" or plan.kind == SWEEP})
    return pd.DataFrame(rows)


def _place(plan: Plan, variant: int) -> dict[str, Any]:
    if plan.kind == SWEEP:
        return {axis.key: value for axis, value in zip(plan.axes, axis_values(plan, variant), strict=True)}
    return {"variant": plan.variants[variant].name, "key": plan.variants[variant].key}
