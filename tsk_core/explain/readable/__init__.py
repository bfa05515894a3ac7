"""A readable rule base: one whose rules have a fixed score for each class (zero-order), so that its text is the model."""

from tsk_core.explain.readable.readings import READABLE, Readable, measure_readable, readable_text
from tsk_core.explain.readable.rule_list import ListedRule, RuleList, rule_grid

__all__ = ["READABLE", "ListedRule", "Readable", "RuleList", "measure_readable", "readable_text", "rule_grid"]
