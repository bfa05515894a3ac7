"""Readable rules as Markdown: a table of the rules, then what was measured of each. Every name is text there."""

import re
from collections.abc import Iterable

from tsk_core.explain.formats.tables import row_cells, row_heads, score_cells, score_heads
from tsk_core.explain.one_line import one_line
from tsk_core.explain.rule import Rule

__all__ = ["to_markdown"]

# What has a meaning anywhere in a line of CommonMark, in a table, or in what GitHub and others add: mathematics, mentions, icons.
_SIGNS = re.compile(r"[\\`*_{}\[\]<>$~&|^#@=]|:(?=\S)|^(?:[-+]|[0-9]+[.)])")


def to_markdown(measured_text: str, rules: Iterable[Rule], *, zero_order: bool = False) -> str:
    """The text of a file. measured_text: lines about all rules. zero_order: whether their scores are constants, to be listed."""
    rules = list(rules)
    heads = score_heads(rules) if zero_order else []
    scores = [_scores(rule) if zero_order else [] for rule in rules]
    rows = [_row([*_cells(rule), *cells, *map(_text, row_cells(rule))]) for rule, cells in zip(rules, scores, strict=True)]
    measured = [block for rule in rules for block in _measured(rule)]
    return "\n".join([
        "# Rules", "", "  \n".join(map(_text, measured_text.splitlines())), "",
        _row(["Rule", "IF", "THEN", *map(_text, heads), *row_heads(rules)]),
        f"|---:|---|---|{'---:|' * len(heads)}---:|---:|", *rows, "",
        "## What was measured", "", *measured,
    ])  # fmt: skip


def _cells(rule: Rule) -> list[str]:
    conditions = " **and** ".join(_text(antecedent.text) for antecedent in rule.antecedents) or "anything"
    told = ["never fires", "–"] if rule.dead else [conditions, f"**{_text(rule.then)}**"]
    return [str(rule.index), *told]


def _scores(rule: Rule) -> list[str]:
    cells = score_cells(rule)
    return cells if len(cells) > 1 else [_text(cells[0])]  # numbers, or one cell with names


def _row(cells: Iterable[str]) -> str:
    return " | ".join(["", *cells, ""]).strip()


def _measured(rule: Rule) -> list[str]:
    lines = [str(rule)] if rule.dead else (rule.headline, *rule.remarks, *rule.measured)
    return [f"### {rule.name}", "", *(f"- {_text(line)}" for line in lines), ""]


def _text(text: str) -> str:
    """Text on one line in which no character has a meaning."""
    return _SIGNS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", one_line(text))
