"""Predictions of new rows with a decision that weighs the two mistakes differently, as one column more."""

from collections.abc import Sequence

import pandas as pd

from tsk_core.data.clean.names import fresh_name
from tsk_core.data.naming import printed
from tsk_core.evaluate import Decision

__all__ = ["decided", "decision_name", "with_decision"]

_BESIDE = 3  # new columns of a table of predictions besides the probabilities: "predicted", "rule", "warning"


def decision_name(decision: Decision) -> str:
    """The name of the column, such as "decision if missing malignant costs 5"."""
    return f"decision if missing {decision.positive} costs {decision.miss_cost:g}"


def with_decision(predictions: pd.DataFrame, classes: Sequence[str], decision: Decision) -> pd.DataFrame:
    """A table of ``predict_table`` with one column more behind "predicted", which stays the predicted class.

    classes: of the model, as ``printed``. SettingError as for ``Decision.position``.
    """
    column = decided(predictions, classes, decision)
    at = predictions.shape[1] - len(classes) - _BESIDE + 1
    before, behind = predictions.iloc[:, :at], predictions.iloc[:, at:]
    named = column.rename(fresh_name(decision_name(decision), set(predictions.columns)))
    return pd.concat([before, named, behind], axis=1)


def decided(predictions: pd.DataFrame, classes: Sequence[str], decision: Decision) -> pd.Series:
    """The class of each row by the decision. The arguments are those of ``with_decision``."""
    decision.position(classes)
    start = predictions.shape[1] - len(classes) - _BESIDE
    names = pd.Index(classes)
    predicted = names.get_indexer(pd.Index(predictions.iloc[:, start].map(printed)))
    probabilities = predictions.iloc[:, start + 1 : start + 3].to_numpy(float)
    return pd.Series(names[decision.decide(predicted, probabilities, classes)], index=predictions.index)
