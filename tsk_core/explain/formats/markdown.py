"""Readable rules as Markdown: a table of the rules, then what was measured of each. Every name is text there."""

import re
from collections.abc import Iterable

from tsk_core.explain.digits import percent
from tsk_core.explain.rule import Rule

__all__ = ["to_markdown"]

# What has a meaning anywhere in a line of CommonMark, in a table, or in what GitHub and others add: mathematics, mentions, icons.
_SIGNS = re.compile(r"[\\`*_{}\[\]<>$~&|^#@=]|:(?=\S)|^(?:[-+]|[0-9]+[.)])")


def to_markdown(measured_text: str, rules: Iterable[Rule]) -> str:
    """The text of a file. measured_text: lines about all rules."""
    rules = list(rules)
    rows = [" | ".join(["", *_cells(rule), ""]).strip() for rule in rules]
    measured = [block for rule in rules for block in _measured(rule)]
    return "\n".join([
        "# Rules", "", "  \n".join(map(_text, measured_text.splitlines())), "",
        "| Rule | IF | THEN | Average firing level | Strongest rule for |", "|---:|---|---|---:|---:|", *rows, "",
        "## What was measured", "", *measured,
    ])  # fmt: skip


def _cells(rule: Rule) -> list[str]:
    conditions = " **and** ".join(_text(antecedent.text) for antecedent in rule.antecedents) or "anything"
    told = ["never fires", "–"] if rule.dead else [conditions, f"**{_text(rule.then)}**"]
    return [str(rule.index), *told, percent(rule.support), percent(rule.wins)]


def _measured(rule: Rule) -> list[str]:
    lines = [str(rule)] if rule.dead else rule.measured
    return [f"### {rule.name}", "", *(f"- {_text(line)}" for line in lines), ""]


def _text(text: str) -> str:
    """Text on one line in which no character has a meaning."""
    return _SIGNS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", " ".join(text.split()))
