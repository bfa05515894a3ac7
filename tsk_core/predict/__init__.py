"""Predictions with a finished model."""

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
