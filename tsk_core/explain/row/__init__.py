"""One row explained: why it gets its class, what would flip the decision, and which training rows are like it. No PyTorch.

features.py      what a row can be changed in: numbers with range and step, categories with their states
decomposition.py the scores as sums over rules and over features
margins.py       how far a row is from another class, along one or two features
line.py          the nearest place on one feature that flips the decision; pair.py: on two features
change.py        the nearest change that flips the decision
alike.py         the training rows nearest to it
explanation.py   all of it as one object, with its text; explaining.py makes it
"""

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
