"""Rules as HTML for notebooks. Names and classes come from users' tables, so every text is escaped here."""

from collections.abc import Iterable
from html import escape

from tsk_core.explain.rule import Rule

__all__ = ["to_html"]

_HEAD = ("Rule", "Text")
_CELL = 'style="text-align: left; vertical-align: top"'


def to_html(measured_text: str, rules: Iterable[Rule]) -> str:
    """``measured_text``, then a table with one row per rule; needs no style sheet, script or network."""
    head = "".join(f"<th {_CELL}>{text}</th>" for text in _HEAD)
    rows = "".join(f"<tr>{_cells(rule)}</tr>" for rule in rules)
    measured = escape(measured_text).replace("\n", "<br>")
    # These classes keep a notebook from reading "$" in a name as mathematics.
    return f'<div class="tex2jax_ignore mathjax_ignore"><p>{measured}</p><table><tr>{head}</tr>{rows}</table></div>'


def _cells(rule: Rule) -> str:
    conditions = "<br>AND ".join(escape(antecedent.text) for antecedent in rule.antecedents) or "anything"
    text = "never fires"
    if not rule.dead:
        told = "".join(f"<br>{escape(line)}" for line in (rule.headline, *rule.remarks))
        more = "<br>".join(map(escape, rule.measured))
        text = f"IF {conditions}<br>THEN <b>{escape(rule.then)}</b>{told}<details><summary>More</summary>{more}</details>"
    cells = (str(rule.index), text)
    return "".join(f"<td {_CELL}>{cell}</td>" for cell in cells)
