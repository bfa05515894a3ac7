"""The tab Rules: how long they may be, downloads, and the place where the browser shows them at the epoch looked at."""

import streamlit as st

from tsk_core.explain import Rule
from ui import runs
from ui.downloads import rule_downloads
from ui.guard import errors_said
from ui.live import mount
from ui.runs import Shown
from ui.text import in_markdown

__all__ = ["rules_panel", "sentence"]

_NO_ROWS = (
    "The data of this run are not available here, so its rules are shown at the end only. Choose the same file in the sidebar."
)


def rules_panel(shown: Shown) -> None:
    """Draw the tab."""
    if shown.result is None and shown.status.ended:
        st.info("This run left no model, so there are no rules.")
        return
    st.session_state.setdefault("conditions", runs.conditions())
    with st.container(horizontal=True, vertical_alignment="bottom", key="rules_bar"):
        most = st.slider(
            "Conditions per rule, at most", 1, 12, key="conditions", on_change=_take_length, width=300,
            help="Shorter rules are easier to read but describe the model less well.",
        )  # fmt: skip
        if shown.result is not None:
            with errors_said():
                rule_downloads(shown, runs.rule_base_summary(shown, most))
    mount("order", "rules", key="views:rules", note="" if shown.rows() else _NO_ROWS)


def _take_length() -> None:
    """Before the page is drawn: what the browser is told stands above, the tab Export elsewhere, and the slider's own value goes
    when its tab is left.
    """
    st.session_state.rule_length = st.session_state.conditions


def sentence(rule: Rule) -> str:
    """A rule's IF and THEN as Markdown."""
    conditions = " **AND** ".join(in_markdown(a.text) for a in rule.antecedents) or "anything"
    return f"**IF** {conditions} **THEN** **{in_markdown(rule.conclusion)}**"
