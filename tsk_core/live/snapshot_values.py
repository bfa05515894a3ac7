"""Snapshots: the exported rules at some epochs of a training, as they stand in snapshots.jsonl.

    {"version": 2, "base": {…}}         what all snapshots share: ``to_dict()`` less its rules (columns, classes, normalisation)
    {"epoch": 1, "log_weight": [R], "centers": [R][D], "sigmas": [R][D], "consequents": [R][C][D+1]}

and "scale": [R], "shift": [R] of layer normalisation, where the base has it.

Numbers are those of ``to_dict()`` (original units, batch normalisation merged; a sigma is null where its antecedent was dropped),
rounded by the recorder (``live.snapshots``).
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

if TYPE_CHECKING:
    from tsk_core.explain.exported import ExportedRules

__all__ = ["as_rules", "as_snapshot", "check_base", "read_snapshot"]

Part = Literal["log_weight", "centers", "sigmas", "consequents", "scale", "shift"]
PARTS: tuple[Part, ...] = ("log_weight", "centers", "sigmas", "consequents")
LAYER: tuple[Part, ...] = ("scale", "shift")


def as_rules(base: dict[str, Any], snapshot: dict[str, Any]) -> "ExportedRules":
    """The snapshot as ``to_dict()`` would have given it at that epoch, for ``tsk_core.explain``."""
    parts = _parts(snapshot)
    rules = zip(*(snapshot[name] for name in parts), strict=True)
    return cast("ExportedRules", {**base, "rules": [dict(zip(parts, rule, strict=True)) for rule in rules]})


def as_snapshot(rules: "ExportedRules", epoch: int) -> dict[str, Any]:
    """The inverse of ``as_rules``: what ``to_dict()`` gave after this epoch as a snapshot, with all digits."""
    return {"epoch": epoch, **{name: [rule[name] for rule in rules["rules"]] for name in _parts(rules["rules"][0])}}


def _parts(rule: Mapping[str, Any]) -> tuple[Part, ...]:
    """The parts of these rules."""
    return (*PARTS, *LAYER) if "scale" in rule else PARTS


def check_base(head: dict[str, Any]) -> None:
    """Raise KeyError or TypeError where the head of the file lacks "base", with its columns and classes."""
    if not all(isinstance(head["base"][name], list) for name in ("columns", "classes")):
        raise TypeError("not as written")


def read_snapshot(line: bytes | str) -> dict[str, Any]:
    """A line as a snapshot; ValueError, KeyError or TypeError where it is damaged."""
    values: dict[str, Any] = json.loads(line)
    log_weight, centers, sigmas, consequents = (np.array(values[name], dtype=float) for name in PARTS)
    R, D = centers.shape
    if any(name in values for name in LAYER):
        layer = np.array([values[name] for name in LAYER], dtype=float)
        if layer.shape != (2, R) or not np.isfinite(layer).all():
            raise ValueError("not a layer normalisation")
    if log_weight.shape != (R,) or sigmas.shape != (R, D) or consequents.shape != (R, consequents.shape[1], D + 1):
        raise ValueError("shapes differ")
    if not (np.isfinite(log_weight).all() and np.isfinite(centers).all() and np.isfinite(consequents).all()):
        raise ValueError("not finite")
    if not isinstance(values["epoch"], int) or not (np.isnan(sigmas) | (sigmas > 0)).all() or np.isinf(sigmas).any():
        raise ValueError("not a snapshot")
    return values
