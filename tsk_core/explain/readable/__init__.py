"""A readable rule base: one whose rules have a fixed score for each class (zero-order), so that its text is the model.

grid.py        the rule list as a grid of rules and features, for a drawing
ordering.py    the order in which a reader goes through the sentences, and the class where none is true
rule_list.py   the rule list: sentences in this order, with the rows that each takes
readings.py    three ways to read the text (the scores, the strongest rule, the sentences alone), measured
"""

from tsk_core.explain.readable.readings import READABLE, Readable, measure_readable, readable_text
from tsk_core.explain.readable.rule_list import ListedRule, RuleList, rule_grid

__all__ = ["READABLE", "ListedRule", "Readable", "RuleList", "measure_readable", "readable_text", "rule_grid"]
