"""Explaining a trained model from its exported rules: data and plain text; HTML only for notebooks.

Needs no PyTorch, except ``export``.
"""

from tsk_core.explain.antecedents import HOLDS, Antecedent, undirected
from tsk_core.explain.base import Metric, Metrics, linear_in_disguise
from tsk_core.explain.claims import Claim
from tsk_core.explain.consequents import FeatureEffect
from tsk_core.explain.exported import Contributions, contributions, firing_levels, rule_outputs, scores
from tsk_core.explain.fidelity import Inference
from tsk_core.explain.formats import FORMATS
from tsk_core.explain.printed import PrintedRules, printed_rules
from tsk_core.explain.readable import ListedRule, RuleList, rule_grid
from tsk_core.explain.rows import rows_to_show
from tsk_core.explain.rule import Rule
from tsk_core.explain.rule_base_file import MOST_BYTES_OF_RULES, read_rule_base
from tsk_core.explain.rule_base_summary import RuleBaseSummary
from tsk_core.explain.stability import RuleStability, sentences_of, stability_of, words_by_feature
from tsk_core.explain.summaries import Summaries, Summariser

__all__ = [
    "FORMATS",
    "HOLDS",
    "MOST_BYTES_OF_RULES",
    "Antecedent",
    "Claim",
    "Contributions",
    "FeatureEffect",
    "Inference",
    "ListedRule",
    "Metric",
    "Metrics",
    "PrintedRules",
    "Rule",
    "RuleBaseSummary",
    "RuleList",
    "RuleStability",
    "Summaries",
    "Summariser",
    "contributions",
    "firing_levels",
    "linear_in_disguise",
    "printed_rules",
    "read_rule_base",
    "rows_to_show",
    "rule_grid",
    "rule_outputs",
    "scores",
    "sentences_of",
    "stability_of",
    "undirected",
    "words_by_feature",
]
