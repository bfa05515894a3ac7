"""Predictions with a finished model.

prediction.py  a table of new rows: classes, probabilities, the rule that contributes most, warnings; cells without a usable value
new_row.py     one new row: what may be entered in each column, and why it gets its class
"""

from tsk_core.predict.new_row import (
    Field,
    RowPrediction,
    RuleContribution,
    by_importance,
    condition_memberships,
    fields_of,
    predict_row,
    row_of,
)
from tsk_core.predict.prediction import CellCheck, load_model, predict_checked, predict_table, true_classes

__all__ = [
    "CellCheck",
    "Field",
    "RowPrediction",
    "RuleContribution",
    "by_importance",
    "condition_memberships",
    "fields_of",
    "load_model",
    "predict_checked",
    "predict_row",
    "predict_table",
    "row_of",
    "true_classes",
]
