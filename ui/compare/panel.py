"""A comparison on the page: as it goes and at its end; progress, verdict, table, charts."""

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.jobs import Status
from ui.charts.explanations.of_scores import VERDICT, verdict_line
from ui.compare.beside_paper import lines_below
from ui.compare.charts import charts, send
from ui.compare.controls import Wanted
from ui.compare.texts import Verdict, in_common, variant_table, verdict
from ui.experiments import Collected, experiment_panel
from ui.platform import session
from ui.platform.caches import once_per_session
from ui.text import in_markdown

SHOWN = 6  # pairs in sight; the others are folded


def comparison_panel(wanted: Wanted, dataset: Dataset, status: Status) -> Collected:
    """Draw it; while it runs, a fragment draws the words again, and the browser updates its charts. Returns what is known."""
    plan = wanted.plan
    session.COMPARE_PLAN.set(plan)

    def draw(known: Collected) -> None:
        session.COMPARE_UR_WEIGHTS.set({number: point["ur_weight"] for number, point in known.points.items()})
        _words(wanted, dataset, known)
        send(plan, dataset, known, wanted.band, status.ended)

    collected = experiment_panel(plan, dataset, status, "compare_words", draw)
    charts(dataset)
    if status.ended and len(plan.variants) > 1 and collected.points:
        with st.expander("The verdict on RCA", key="verdict_rca"):
            of_rca = verdict_of(plan, collected.points, wanted.score, "rca")
            _sentences(of_rca)
            st.caption(in_markdown(of_rca.rests_on))
    return collected


verdict_of = once_per_session(entries=4)(verdict)  # of two scores, for two states of the page


def _words(wanted: Wanted, dataset: Dataset, collected: Collected) -> None:
    """The verdict, what it rests on, how λ was chosen, what the paper found, and the table of the variants."""
    if not collected.points:
        st.caption("The verdict appears when the first trainings have ended.")
        return
    verdict = verdict_of(wanted.plan, collected.points, wanted.score)
    with st.container(key="verdict", gap="xsmall"):
        _sentences(verdict)
        lines = lines_below(wanted.plan, dataset, collected.points, wanted.score)
        lines = [verdict.rests_on, *lines] if verdict.pairs else lines
        if lines:
            st.caption("  \n".join(map(in_markdown, lines)))
        if verdict.pairs:
            with st.popover("Explain", key="verdict_explained", width="content"):
                st.markdown(VERDICT.markdown([in_markdown(line) for line in _numbers(wanted, verdict)]))
    table = variant_table(wanted.plan, collected.points, wanted.score)
    st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="The variants: scores, dead rules, seconds")


def _numbers(wanted: Wanted, verdict: Verdict) -> list[str]:
    """The formula of each pair in sight with its numbers."""
    variants, shown = wanted.plan.variants, verdict.pairs[:SHOWN]
    return [verdict_line(f"{variants[pair.a].name} − {variants[pair.b].name}", pair.difference, pair.ratio) for pair in shown]


def _sentences(verdict: Verdict) -> None:
    """One line for each pair; the clear ones are bold."""
    if verdict.standing:
        st.caption(in_markdown(verdict.standing))
    if together := in_common(verdict):
        st.markdown(f"**{in_markdown(together)}**")
    lines = [in_markdown(pair.measured if together else pair.sentence) for pair in verdict.pairs]
    lines = [f"**{line}**" if pair.clear else line for pair, line in zip(verdict.pairs, lines, strict=True)]
    if lines:
        st.markdown("  \n".join(lines[:SHOWN]))
    if len(lines) > SHOWN:
        with st.expander(f"The other {len(lines) - SHOWN} pairs"):
            st.markdown("  \n".join(lines[SHOWN:]))
