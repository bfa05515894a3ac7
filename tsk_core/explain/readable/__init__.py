"""A readable rule base: one whose rules have a fixed score for each class (zero-order), so that its text is the model."""

from tsk_core.explain.readable.readings import Readable, order_sentences, readable_text
from tsk_core.explain.readable.rule_list import ListedRule, RuleList, rule_grid, true_sentences

__all__ = ["ListedRule", "Readable", "RuleList", "order_sentences", "readable_text", "rule_grid", "true_sentences"]
