"""The tab Rules: the length of the rules, downloads, and the elements in which the browser shows the rules of an epoch."""

import streamlit as st

from ui.explore.downloads import rule_downloads
from ui.explore.make_readable import before_and_after, make_readable_button, rules_in_full
from ui.explore.readings import readings_section
from ui.explore.rule_base import rule_base_section
from ui.explore.samples_tab import samples_data
from ui.live import mount
from ui.platform import session
from ui.platform.errors import show_errors
from ui.runs.rules import conditions, is_readable, rule_base_summary
from ui.runs.run_view import RunView

_NO_ROWS = (
    "The data of this run are not available here, so only its final rules are shown. Choose the same file in the sidebar to see"
    " the rules of every recorded epoch."
)


def rules_tab(run: RunView) -> None:
    """Draw the tab."""
    if run.result is None and run.status.ended:
        st.info("This run left no model, so there are no rules.")
        return
    if not session.RULE_LENGTH_SLIDER.is_set():
        session.RULE_LENGTH_SLIDER.set(conditions())
    with st.container(horizontal=True, vertical_alignment="bottom", key="rules_bar"):
        if not is_readable(run):  # of a readable rule base every condition is shown
            st.slider(
                "Conditions per rule, at most", 1, 12, key=session.RULE_LENGTH_SLIDER.name, on_change=_store_length, width=300,
                help="Shorter rules are easier to read but describe the model less well.",
            )  # fmt: skip
        if run.result is not None:
            with show_errors():
                rule_downloads(run, rule_base_summary(run, conditions()))
                make_readable_button(run)
    before_and_after(run)
    if run.config.shows_conditions:
        mount("readable", "strengths", key="views:rule_grid")
    _readings(run)
    mount("ruleBar", "rules", key="views:rules", note="" if run.rows() else _NO_ROWS)
    rules_in_full(run)
    with st.spinner("Fetching rows…", show_time=False):  # after the rules, which need none
        mount("pictures", key="views:pictures", run=run.id, **samples_data(run))
    rule_base_section(run)


def _readings(run: RunView) -> None:
    """Of a run whose rules are readable, once it has a model."""
    if run.result is None or not is_readable(run):
        return
    with show_errors():
        summary = rule_base_summary(run, conditions())
        if summary.rule_list is not None:
            readings_section(run, summary)


def _store_length() -> None:
    """Outside the slider, whose value is lost when its tab is closed: other parts of the page use it as well."""
    session.RULE_LENGTH.set(session.RULE_LENGTH_SLIDER.get())
