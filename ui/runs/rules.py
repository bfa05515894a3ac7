"""The readable rules of a run on the page."""

from collections.abc import Sequence

from tsk_core.explain import Rule, RuleBaseSummary
from ui.platform import session
from ui.runs.run_view import RunView
from ui.text import in_markdown


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab Rules."""
    return session.RULE_LENGTH.get()


def is_readable(run: RunView) -> bool:
    """Whether the run's rules have a fixed score for each class, so that their text is the model and is never shortened."""
    return not run.config.has_slopes


def rule_base_summary(run: RunView, max_antecedents: int) -> RuleBaseSummary:
    """The run's readable rules, summarised on its training rows and measured on its test rows; made once."""
    summaries = run.shared.summaries
    if max_antecedents not in summaries:
        summaries[max_antecedents] = run.result.rules(max_antecedents)
    return summaries[max_antecedents]


def sentence(rule: Rule, row: Sequence[tuple[float, bool]] | None = None) -> str:
    """A rule's IF and THEN as Markdown. row: its membership in each condition, and whether it holds, which is then said."""
    texts = [in_markdown(antecedent.text) for antecedent in rule.antecedents]
    if row is not None:
        texts = [f"{text} {'✓' if holds else '✗'} {level:.2f}" for text, (level, holds) in zip(texts, row, strict=True)]
    return f"**IF** {' **AND** '.join(texts) or 'anything'} **THEN** **{in_markdown(rule.then)}**"
