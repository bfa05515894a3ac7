"""The rules of a run as sentences, with what was measured of each, and downloads."""

import streamlit as st

from tsk_core.explain import Rule
from ui import runs
from ui.downloads import rule_downloads
from ui.guard import errors_said
from ui.runs import Shown
from ui.text import in_markdown

__all__ = ["rules_panel", "sentence"]

RULES_AT_FIRST = 10


@st.fragment
def rules_panel() -> None:
    """The readable rules of the run on the page; drawn alone when the reader wants them shorter or longer."""
    with errors_said():
        _rules(runs.shown())


def _rules(shown: Shown) -> None:
    if shown.result is None:
        later = "The rules can be read when training ends; press Stop to read them now."
        st.info("This run left no model, so there are no rules." if shown.status.ended else later)
        return
    st.session_state.setdefault("conditions", runs.conditions())
    most = st.slider(
        "Conditions per rule, at most", 1, 12, key="conditions",
        help="Shorter rules are easier to read but describe the model less well.",
    )  # fmt: skip
    st.session_state.rule_length = most  # which the tab Export follows; a widget's own value goes when its tab is left
    book = runs.rule_book(shown, most)
    st.markdown("  \n".join(in_markdown(line) for line in book.summary.splitlines()))
    rule_downloads(shown, book)
    for rule in book.rules[:RULES_AT_FIRST]:
        _rule(rule)
    if len(book.rules) > RULES_AT_FIRST:
        with st.expander(f"{len(book.rules) - RULES_AT_FIRST} more rules, less active ones"):
            for rule in book.rules[RULES_AT_FIRST:]:
                _rule(rule)


def sentence(rule: Rule) -> str:
    """A rule's IF and THEN as Markdown."""
    conditions = " **AND** ".join(in_markdown(a.text) for a in rule.antecedents) or "anything"
    return f"**IF** {conditions} **THEN** **{in_markdown(rule.conclusion)}**"


def _rule(rule: Rule) -> None:
    """One rule in a box: the sentence large, the measures small."""
    with st.container(border=True):
        if rule.dead:
            st.markdown(in_markdown(str(rule)))
            return
        st.markdown(f"**{rule.name}** — {sentence(rule)}")
        st.caption("  \n".join(in_markdown(line.strip()) for line in str(rule).splitlines()[1:]))
