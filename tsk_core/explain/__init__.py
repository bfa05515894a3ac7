"""Explaining a trained model from its exported rules: data and plain text, never markup, except html.py for notebooks.

Needs no PyTorch, except export.py.

export.py                the exported rules, from a trained model
reader.py                firing levels and scores, recomputed from the exported rules alone
labels.py, digits.py     words and intervals for a membership function; how numbers are printed, and in dates.py dates
hedges.py                "very" and "somewhat", where a membership is exactly that of another
antecedents.py           the IF part: flatness, which conditions to keep, their text; categories.py has that of categories
consequents.py           the THEN part: scores at a typical case, and the features with the largest effects on them
measures.py              support, wins, confidence, redundancy
spaced_rows.py           which rows to measure of a table with many
truth.py                 whether a rule's conditions hold for a row as printed; counting.py: of how many rows, by class
tally.py                 these counts as the headline of a rule; rule_texts.py what else is said of it
claims/                  what a rule's firing says of its class: confidence, certainty, the class at its centre
one_line.py              names from tables inside a line of text
rule.py                  one readable rule; describing.py makes all of a model; frames.py, html.py show them
readable/                a readable rule base (zero-order): three readings of its text, and its rule list
fidelity/                the classes inferred from the text in four ways, at every length
base/                    the metrics of the rule base as a whole
stability.py             how often rules come back when the model is trained again; matching.py: which are alike, and chance
rule_base_summary.py     all readable rules of a model, with their measured fidelity and accuracy
summaries.py             the summaries at every length; summariser.py makes them
rows.py                  rows to draw, ranges for sliders, and principal components of a table
formats/                 rules as text, tables, code and files of other tools
printed.py               a rule base printed in full: every number that its predictions need
contributions.py         why a row got its class; firing entropy
row/                     one row explained: contributions, the nearest change that flips the decision, rows like it
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
