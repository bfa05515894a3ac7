"""Explaining a trained model from its exported rules: data and plain text, never markup, except html.py for notebooks.

Needs no PyTorch, except export.py.

export.py                the exported rules, from a trained model
reader.py                firing levels and scores, recomputed from the exported rules alone
labels.py, digits.py     words and intervals for a membership function; how numbers are printed
antecedents.py           the IF part: flatness, which conditions to keep, their text
consequents.py           the THEN part: scores at a typical case, and the features with the largest effects on them
measures.py              support, wins, confidence, clear classes, redundancy
truth.py                 whether a rule's sentence is true of a row
rule.py                  one readable rule
rule_base_summary.py     all readable rules of a model, with their measured fidelity and accuracy
summaries.py             the summaries at every length; summariser.py makes them; lengths.py measures the lengths
rows.py                  rows to draw, ranges for sliders, and principal components of a table
contributions.py         why a row got its class; firing entropy
"""

from tsk_core.explain.antecedents import HOLDS, Antecedent
from tsk_core.explain.consequents import Mover
from tsk_core.explain.contributions import Contributions, contributions
from tsk_core.explain.digits import percent
from tsk_core.explain.reader import firing_levels, rule_outputs, scores
from tsk_core.explain.rows import rows_to_show
from tsk_core.explain.rule import Rule
from tsk_core.explain.rule_base_summary import RuleBaseSummary
from tsk_core.explain.summaries import Summaries
from tsk_core.explain.summariser import Summariser

__all__ = [
    "HOLDS",
    "Antecedent",
    "Contributions",
    "Mover",
    "Rule",
    "RuleBaseSummary",
    "Summaries",
    "Summariser",
    "contributions",
    "firing_levels",
    "percent",
    "rows_to_show",
    "rule_outputs",
    "scores",
]
