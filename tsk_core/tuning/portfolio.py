"""Settings that together cover many tables: where tuning starts.

How they were chosen, and what each is worth alone: docs/defaults.md.
"""

from dataclasses import replace
from typing import Any

from tsk_core.config import SETTINGS, TrainConfig

__all__ = ["PORTFOLIO", "distinct", "neighbours", "portfolio"]

PORTFOLIO: tuple[dict[str, Any], ...] = (
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.003, "l2": 0.001, "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.1, "l2": 0.03, "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 5, "shrinkage": 0.03, "l2": 0.01, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 20, "shrinkage": 0.0, "l2": 0.0001, "class_weight": None},
    {"firing": "htsk", "n_rules": 5, "shrinkage": 0.03, "l2": 0.01, "class_weight": "balanced"},
    {"firing": "softmax", "n_rules": 30, "shrinkage": 0.0, "l2": 0.0001, "learning_rate": 0.01, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "class_weight": None},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.001, "l2": 0.0001, "optimizer": "adam", "class_weight": "balanced"},
    {"firing": "htsk", "n_rules": 20, "shrinkage": 0.0, "l2": 0.0001, "class_weight": "balanced"},
    {"firing": "scaled", "n_rules": 8, "shrinkage": 0.01, "l2": 0.001, "optimizer": "adam", "class_weight": "balanced"},
)

_FACTORS = {"l2": 3.0, "shrinkage": 3.0, "n_rules": 1.5, "learning_rate": 2.0}
_LEAST = {"l2": 1e-5, "shrinkage": 1e-4}  # of what is multiplied, where a setting is 0


def portfolio(base: TrainConfig, *, class_weight: bool = True) -> list[TrainConfig]:
    """The first candidates of a tuning, the likeliest first; what the portfolio does not name is as in ``base``.

    class_weight: whether the portfolio may set it.
    """
    kept = {} if class_weight else {"class_weight": base.class_weight}
    return distinct([replace(base, **settings | kept) for settings in PORTFOLIO])


def distinct(configs: list[TrainConfig]) -> list[TrainConfig]:
    """Without repeats; class weights, which may be dictionaries, cannot be hashed."""
    return [config for at, config in enumerate(configs) if config not in configs[:at]]


def neighbours(config: TrainConfig) -> list[TrainConfig]:
    """Settings that differ from ``config`` by one step in one place; numbers have two digits, which people can read."""
    near = [replace(config, optimizer=name) for name in SETTINGS["optimizer"].options]
    for name, factor in _FACTORS.items():
        value = max(getattr(config, name), _LEAST.get(name, 0))
        for moved in (value * factor, value / factor):
            whole = max(2, round(moved))
            changed: dict[str, Any] = {name: whole if name == "n_rules" else float(f"{moved:.2g}")}
            near.append(replace(config, **changed))
    return [neighbour for neighbour in near if neighbour != config]
