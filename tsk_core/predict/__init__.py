"""Predictions with a finished model.

prediction.py  a table of new rows: classes, probabilities, the rule that contributes most, unusual values of its cells
decided.py     the same table with a decision that weighs the two mistakes differently
new_row.py     one new row: what may be entered in each column, and why it gets its class
"""

from tsk_core.data.cell_check import CellCheck, row_note
from tsk_core.predict.new_row import (
    Field,
    RowPrediction,
    by_importance,
    fields_of,
    predict_row,
    row_of,
)
from tsk_core.predict.prediction import (
    decided,
    decision_name,
    load_model,
    predict_checked,
    predict_table,
    true_classes,
    with_decision,
)

__all__ = [
    "CellCheck",
    "Field",
    "RowPrediction",
    "by_importance",
    "decided",
    "decision_name",
    "fields_of",
    "load_model",
    "predict_checked",
    "predict_row",
    "predict_table",
    "row_note",
    "row_of",
    "true_classes",
    "with_decision",
]
