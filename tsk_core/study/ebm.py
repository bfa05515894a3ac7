"""The Explainable Boosting Machine of the library interpret, which is optional."""

import warnings
from importlib.util import find_spec

from tsk_core.errors import TrainingError
from tsk_core.study.parts import Fit, SplitData

__all__ = ["ebm", "missing"]


def missing() -> str:
    """One sentence how to get it; empty where it is."""
    return "" if find_spec("interpret") else "It needs interpret: pip install interpret-core."


def ebm(split: SplitData) -> Fit:
    """With its defaults, on the table as it is."""
    if sentence := missing():
        raise TrainingError(sentence)
    from interpret.glassbox import ExplainableBoostingClassifier

    model = ExplainableBoostingClassifier(random_state=split.seed, n_jobs=1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "For multiclass we cannot currently visualize pairs")  # nobody looks at them here
        model.fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), {})
