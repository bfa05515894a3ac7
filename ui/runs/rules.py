"""The readable rules of a run on the page."""

from typing import Any

import streamlit as st

from tsk_core.explain import Rule
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["conditions", "rule_book", "sentence"]


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab Rules."""
    return st.session_state.get("rule_length", 4)


def rule_book(run: RunView, max_antecedents: int) -> Any:
    """The run's readable rules, described on its training rows and measured on its test rows; made once."""
    books = run.shared.books
    if max_antecedents not in books:
        books[max_antecedents] = run.result.book(max_antecedents)
    return books[max_antecedents]


def sentence(rule: Rule) -> str:
    """A rule's IF and THEN as Markdown."""
    conditions = " **AND** ".join(in_markdown(a.text) for a in rule.antecedents) or "anything"
    return f"**IF** {conditions} **THEN** **{in_markdown(rule.conclusion)}**"
