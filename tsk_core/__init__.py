"""TSK fuzzy classifiers: train them, watch them, read their rules.

TSKClassifier   the scikit-learn estimator
TSKClassifierCV the same with settings found by cross-validation
fit_many        many of them on one table, side by side
TrainConfig     one training run's settings
load_dataset    a dataset of the gallery by name
read_csv        a table of one's own
rule_stability  how often the rules of one come back when it is trained again
compare         variants of the settings over several seeds, as a pandas frame
compare_pairs   how far each two of these variants are apart, as a pandas frame
sweep           all combinations of some values over several seeds, as a pandas frame

Everything loads when first used, so that a command that needs no torch does not wait for it.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    "TSKClassifier": "tsk_core.estimators.classifier",
    "TSKClassifierCV": "tsk_core.estimators.classifier_cv",
    "TrainConfig": "tsk_core.config",
    "compare": "tsk_core.experiments.frames",
    "compare_pairs": "tsk_core.experiments.frames",
    "fit_many": "tsk_core.estimators.fit_many",
    "load_dataset": "tsk_core.data",
    "read_csv": "tsk_core.data",
    "rule_stability": "tsk_core.estimators.stability",
    "sweep": "tsk_core.experiments.frames",
}

__all__ = [
    "TSKClassifier", "TSKClassifierCV", "TrainConfig", "compare", "compare_pairs", "fit_many", "load_dataset", "read_csv",
    "rule_stability", "sweep",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module 'tsk_core' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
