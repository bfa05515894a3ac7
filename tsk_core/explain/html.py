"""A rule base as HTML for notebooks. Names and classes come from people's tables, so every text is escaped here."""

from html import escape
from typing import TYPE_CHECKING

from tsk_core.explain.digits import percent
from tsk_core.explain.rule import Rule

if TYPE_CHECKING:
    from tsk_core.explain.rule_base_summary import RuleBaseSummary

__all__ = ["to_html"]

_HEAD = ("Rule", "Text", "Average firing level", "Strongest rule for")
_CELL = 'style="text-align: left; vertical-align: top"'


def to_html(summary: "RuleBaseSummary") -> str:
    """What was measured, then a table with one row per rule; needs no style sheet, script or network."""
    head = "".join(f"<th {_CELL}>{text}</th>" for text in _HEAD)
    rows = "".join(f"<tr>{_cells(rule)}</tr>" for rule in summary.rules)
    summary = escape(summary.measured_text).replace("\n", "<br>")
    # These classes keep a notebook from reading "$" in a name as mathematics.
    return f'<div class="tex2jax_ignore mathjax_ignore"><p>{summary}</p><table><tr>{head}</tr>{rows}</table></div>'


def _cells(rule: Rule) -> str:
    conditions = "<br>AND ".join(escape(antecedent.text) for antecedent in rule.antecedents) or "anything"
    text = "never fires" if rule.dead else f"IF {conditions}<br>THEN <b>{escape(str(rule.conclusion))}</b>"
    cells = (str(rule.index), text, percent(rule.support), f"{percent(rule.wins)} of training rows")
    return "".join(f"<td {_CELL}>{cell}</td>" for cell in cells)
