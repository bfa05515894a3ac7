"""Explaining a trained model from its exported rules: data and plain text, never markup. Needs no PyTorch, except export.

export.py         the exported rules themselves, from a trained model
reader.py         firing levels and scores recomputed from the JSON alone
labels.py         words and intervals for one membership function; digits.py: numbers as people read them
antecedents.py    the IF part: flatness, which conditions to keep, how each reads
consequents.py    the THEN part: scores at a typical case, and what moves them
measures.py       support, wins, confidence, redundancy
rule.py, book.py  one readable rule; the readable rule base with its measured fidelity and accuracy
rows.py           rows to draw, ranges for sliders, and the principal components of a table
contributions.py  why one row got its class; firing entropy
"""

from tsk_core.explain.antecedents import Antecedent
from tsk_core.explain.consequents import Mover
from tsk_core.explain.contributions import Contributions, contributions, effective_rules, entropy
from tsk_core.explain.labels import Interval, Partition, label, partition
from tsk_core.explain.measures import confidence, is_dead, redundancy, support, wins
from tsk_core.explain.reader import firing_levels, rule_outputs, scores
from tsk_core.explain.rows import rows_to_show
from tsk_core.explain.rule import Rule
from tsk_core.explain.rule_base_summary import RuleBaseSummary

__all__ = [
    "Antecedent",
    "Contributions",
    "Interval",
    "Mover",
    "Partition",
    "Rule",
    "RuleBaseSummary",
    "confidence",
    "contributions",
    "effective_rules",
    "entropy",
    "firing_levels",
    "is_dead",
    "label",
    "partition",
    "redundancy",
    "rows_to_show",
    "rule_outputs",
    "scores",
    "support",
    "wins",
]
