"""A comparison on the page: as it goes and at its end; progress, verdict, table, charts."""

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.jobs import Status
from ui.compare.charts import charts, send
from ui.compare.controls import Wanted
from ui.compare.texts import Verdict, variant_table, verdict
from ui.experiments import Collected, experiment_panel
from ui.platform import session
from ui.platform.caches import once_per_session
from ui.text import in_markdown

__all__ = ["comparison_panel", "verdict_of"]

SHOWN = 6  # pairs in sight; the others are folded


def comparison_panel(wanted: Wanted, dataset: Dataset, status: Status) -> Collected:
    """Draw it; while it runs, a fragment draws the words again, and the browser updates its charts. Returns what is known."""
    plan = wanted.plan
    session.COMPARE_PLAN.set(plan)

    def draw(known: Collected) -> None:
        _words(wanted, known)
        send(plan, dataset, known, wanted.band, status.ended)

    collected = experiment_panel(plan, dataset, status, "compare_words", draw)
    charts(dataset)
    if status.ended and len(plan.variants) > 1 and collected.points:
        with st.expander("The verdict on RCA", key="verdict_rca"):
            _sentences(verdict_of(plan, collected.points, wanted.score, "rca"))
    return collected


verdict_of = once_per_session(entries=4)(verdict)  # of two scores, for two states of the page


def _words(wanted: Wanted, collected: Collected) -> None:
    """The verdict, what it rests on, and the table of the variants."""
    if not collected.points:
        st.caption("The verdict appears when the first trainings have ended.")
        return
    verdict = verdict_of(wanted.plan, collected.points, wanted.score)
    with st.container(key="verdict", gap="xsmall"):
        _sentences(verdict)
        if len(wanted.plan.variants) > 1:
            st.caption(in_markdown(verdict.assumption))
    table = variant_table(wanted.plan, collected.points, wanted.score)
    st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="The variants: scores, dead rules, seconds")


def _sentences(verdict: Verdict) -> None:
    """One line for each pair; the clear ones are bold."""
    if verdict.so_far:
        st.caption(in_markdown(f"{verdict.so_far}, partial results:"))
    if len(verdict.pairs) > 1 and not any(pair.clear for pair in verdict.pairs):
        st.markdown(f"**No clear difference in any of the {len(verdict.pairs)} pairs.**")
    lines = [f"**{in_markdown(pair.sentence)}**" if pair.clear else in_markdown(pair.sentence) for pair in verdict.pairs]
    if lines:
        st.markdown("  \n".join(lines[:SHOWN]))
    if len(lines) > SHOWN:
        with st.expander(f"The other {len(lines) - SHOWN} pairs"):
            st.markdown("  \n".join(lines[SHOWN:]))
