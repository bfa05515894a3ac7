"""Experiments: many trainings compared.

A comparison or a sweep, from its settings to its sentences:
variants.py       settings that an experiment compares, by their names
grid.py           the axes of a sweep, and their combinations
plan.py           which trainings an experiment consists of
stacks.py         which rows they use, and which of them train together
trainings.py      trained side by side, and the point that each leaves; plane.py: the plane of a model with two features
metrics.py        what is measured of each training
verdicts.py       how far variants are apart over seeds, in sentences
sweep_summary.py  what a sweep found, cell by cell and in a sentence
frames.py         both as pandas frames

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from importlib import import_module

__all__ = [
    "ACCURACIES", "AXES", "BASE", "COMPARISON", "DEFAULT_VARIANTS", "EXTRAS", "METRICS", "MOST_AXES", "MOST_CELLS",
    "MOST_SEEDS", "MOST_VARIANTS", "NAMED_VARIANTS", "SCORES", "SWEEP", "Axis", "Cell", "Mean", "Pair", "Plan", "Variant",
    "assumption", "axis_values", "cell_name", "cells", "comparison_plan", "every_training", "make_variant", "metric_of",
    "pairs", "parse_axis", "parse_variants", "score_of", "sentence", "summarise", "sweep_plan", "test_per_train",
]  # fmt: skip

_MODULES = {
    **dict.fromkeys(("AXES", "MOST_AXES", "MOST_CELLS", "Axis", "cells", "parse_axis"), "grid"),
    **dict.fromkeys(("COMPARISON", "MOST_SEEDS", "SWEEP", "Plan", "comparison_plan", "sweep_plan"), "plan"),
    **dict.fromkeys(("BASE", "DEFAULT_VARIANTS", "EXTRAS", "MOST_VARIANTS", "NAMED_VARIANTS", "Variant"), "variants"),
    **dict.fromkeys(("make_variant", "parse_variants"), "variants"),
    **dict.fromkeys(("Pair", "assumption", "pairs", "test_per_train"), "verdicts"),
    **dict.fromkeys(("Cell", "Mean", "axis_values", "cell_name", "sentence", "summarise"), "sweep_summary"),
    "every_training": "frames",
    **dict.fromkeys(("ACCURACIES", "METRICS", "SCORES", "metric_of", "score_of"), "metrics"),
}  # fmt: skip


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
