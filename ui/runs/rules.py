"""The readable rules of a run on the page."""

from collections.abc import Sequence

from tsk_core.explain import HOLDS, Rule, RuleBaseSummary
from ui.platform import session
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["conditions", "rule_base_summary", "sentence"]


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab Rules."""
    return session.RULE_LENGTH.get()


def rule_base_summary(run: RunView, max_antecedents: int) -> RuleBaseSummary:
    """The run's readable rules, summarised on its training rows and measured on its test rows; made once."""
    summaries = run.shared.summaries
    if max_antecedents not in summaries:
        summaries[max_antecedents] = run.result.rules(max_antecedents)
    return summaries[max_antecedents]


def sentence(rule: Rule, levels: Sequence[float] | None = None) -> str:
    """A rule's IF and THEN as Markdown. levels: of a row, its membership in each condition, which is then said."""
    texts = [in_markdown(antecedent.text) for antecedent in rule.antecedents]
    if levels is not None:
        texts = [f"{text} {'✓' if level >= HOLDS else '✗'} {level:.2f}" for text, level in zip(texts, levels, strict=True)]
    return f"**IF** {' **AND** '.join(texts) or 'anything'} **THEN** **{in_markdown(rule.then)}**"
