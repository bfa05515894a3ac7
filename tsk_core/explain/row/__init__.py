"""One row explained: why it gets its class, what would flip the decision, and which training rows are like it. No PyTorch."""

from tsk_core.explain.row.change import Change, nearest_changes
from tsk_core.explain.row.decomposition import Decomposition, decompose
from tsk_core.explain.row.explanation import FiringRule, RowExplanation, explain_row, firing_rules
from tsk_core.explain.row.features import Alike, RowFeature, row_features

__all__ = [
    "Alike",
    "Change",
    "Decomposition",
    "FiringRule",
    "RowExplanation",
    "RowFeature",
    "decompose",
    "explain_row",
    "firing_rules",
    "nearest_changes",
    "row_features",
]
