"""The readable rules of a run on the page."""

import streamlit as st

from tsk_core.explain import Rule, RuleBaseSummary
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["conditions", "rule_base_summary", "sentence"]


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab Rules."""
    return st.session_state.get("rule_length", 4)


def rule_base_summary(run: RunView, max_antecedents: int) -> RuleBaseSummary:
    """The run's readable rules, summarised on its training rows and measured on its test rows; made once."""
    summaries = run.shared.summaries
    if max_antecedents not in summaries:
        summaries[max_antecedents] = run.result.rules(max_antecedents)
    return summaries[max_antecedents]


def sentence(rule: Rule) -> str:
    """A rule's IF and THEN as Markdown."""
    conditions = " **AND** ".join(in_markdown(a.text) for a in rule.antecedents) or "anything"
    return f"**IF** {conditions} **THEN** **{in_markdown(rule.conclusion)}**"
