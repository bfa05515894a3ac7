"""The rule base as a whole, below the rules: a figure a quadrant, the rest folded; fidelity, stability, and other rows."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.explain import Metrics, RuleBaseSummary, RuleStability, linear_in_disguise
from tsk_core.numbers import counted, percent
from tsk_core.tasks import StabilityCheck
from ui.charts.drawn import GREY, blank_chart, palette
from ui.live.task_subjects import task_row
from ui.platform.drawing import show_errors
from ui.runs.run_view import RunView
from ui.runs.side_tasks import (
    STABILITY,
    conditions,
    dataset_of,
    rule_base_summary,
    stability,
    stability_status,
    start_for,
    start_row,
)
from ui.text import in_markdown

# How stable the rules of a run are, at a press of a button: a task of its own in the queue.


MOST_NAMED = 6  # rules
_KEY = "rule_stability"
_LABEL = "How stable are these rules?"
_HELP = (
    "Trains 21 models with this run's settings: one as they are, ten with other seeds, and ten on bootstrap samples of its"
    " training rows."
    " A rule comes back in another training if that training has a rule with the same class and similar conditions (Dice"
    " coefficient of their terms at least 0.5)."
)
_MEANING = (
    "A rule comes back where the training has a rule with the same class and a Dice coefficient of at least 0.5 between the terms"
    " of their conditions, such as “petal length is low”. Matched one to one. Idea: SIRUS (Bénard et al. 2021). By chance: the"
    " same match after the conditions of the other training were shuffled among its rules, feature by feature (the"
    " permutation model of Hubert and Arabie 1985). The card of each rule says how often it comes back."
)


def stability_row(run: RunView) -> None:
    """The button; while it trains, the progress; then what it found. Nothing before the run has a model."""
    if run.result is None:
        return
    with show_errors():
        stable, status = stability(run, conditions()), stability_status(run)
        if stable is not None:
            st.caption(in_markdown(stable.text), help=_MEANING)
            st.caption(in_markdown(no_better_than_chance(stable)))
        elif status is not None and not status.ended:
            task_row(status, _KEY, "Training again", stop_label="Stop training again")
        else:
            start_row(run, _KEY, _LABEL, _HELP, _start, status)


def no_better_than_chance(stable: RuleStability) -> str:
    """The rules that need not come back more often than by chance in the trainings with other seeds."""
    seeds = stable.seeds
    found = sorted((times, rule) for rule, times in seeds.times.items() if not seeds.beyond_chance(rule))
    if not found:
        return (
            f"In the {seeds.of} trainings with other seeds, each rule that fires comes back more often than chance explains (its"
            " number of times has a probability below 5%)."
        )
    named = ", ".join(f"Rule {rule} in {times} (by chance: {seeds.chance[rule]:.1f})" for times, rule in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (
        f"In the {seeds.of} trainings with other seeds, {len(found)} of {len(seeds.times)} rules"
        f" {'comes' if len(found) == 1 else 'come'} back no more often than chance may explain: {named}{more}."
    )


def _start(run: RunView) -> None:
    start_for(STABILITY, run.id, lambda: StabilityCheck(run.config, dataset_of(run), run.id, run.test_size), background=True)


LISTED = 200  # rows without a true sentence
_CURVE = (
    "Share of rows for which the shortened rules predict the class of the full model: with each rule's linear function, which"
    " is not printed, and with one class per rule, where the strongest rule decides. The mark is the smallest number of"
    " conditions at which the first share reaches 95%."
)


def rule_base_section(run: RunView) -> None:
    """Draw the section; nothing before the run has a model, or where it kept no metrics."""
    if run.result is None:
        return
    with show_errors():
        summary = rule_base_summary(run, conditions())
        if summary.figures is None:
            return
        st.subheader("The rule base as a whole", anchor=False)
        _headline(summary.figures)
        if summary.rule_list is None and (sentence := linear_in_disguise(summary.figures.values)):
            st.warning(in_markdown(sentence))
        stability_row(run)
        _folded(run, summary, summary.figures)


def _headline(metrics: Metrics) -> None:
    """One figure of each group."""
    with st.container(horizontal=True, gap="medium", key="rule_base_figures"):
        for known in metrics.groups.values():
            metric = known[0]
            st.metric(metric.name, metric.text, help=in_markdown(f"{metric.good} ({metric.source})"), width="content")


def _folded(run: RunView, summary: RuleBaseSummary, metrics: Metrics) -> None:
    box = st.expander("All metrics, and what is good", key="rule_base_all", on_change="rerun")
    if box.open:
        with box:
            _tables(metrics)
    if summary.rule_list is None:  # else its readings stand above the rules
        box = st.expander("How faithful is the text?", key="rule_base_fidelity", on_change="rerun")
        if box.open:
            with box:
                _fidelity(summary, metrics)
    rows, of = summary.uncovered or (0, 0)  # known where the figures are
    which = "test" if run.trained.split.test.size else "training"
    label = f"Rows for which no sentence is true: {rows:,} of {of:,} {which} rows"
    box = st.expander(label, key="rule_base_uncovered", on_change="rerun")
    if box.open:
        with box:
            _uncovered(run, summary)


def _tables(metrics: Metrics) -> None:
    """Every figure by group."""
    for title, known in metrics.groups.items():
        st.caption(f"**{title}**")
        lines = [{"Metric": f.name, "Here": f.text, "What is good": f.good, "Source": f.source} for f in known]
        st.table(pd.DataFrame(lines).map(in_markdown), border="horizontal", hide_index=True, alt=title)


def _fidelity(summary: RuleBaseSummary, metrics: Metrics) -> None:
    """The inferences from the text, and fidelity over the number of conditions."""
    lines = [inference.text for inference in summary.readings]
    if summary.full_accuracy is not None:
        lines.append(f"The full model's accuracy is {percent(summary.full_accuracy)}.")
    st.markdown("\n".join(f"- {in_markdown(line)}" for line in lines))
    figure = fidelity_chart(metrics.curve, metrics.values["smallest"], dark=st.context.theme.type == "dark")
    alt = "Fidelity of the text over the number of conditions a rule: " + ", ".join(
        f"{k}: {fidelity:.0%}" for k, fidelity, _ in metrics.curve
    )
    st.plotly_chart(figure, theme=None, width="stretch", alt=alt, config={"displayModeBar": False}, key="fidelity_curve")
    none = "" if metrics.values["smallest"] else f" With up to {metrics.curve[-1][0]} conditions, the share stays below 95%."
    st.caption(f"{_CURVE}{none}")


def fidelity_chart(curve: Sequence[tuple[int, float, float | None]], smallest: float | None, *, dark: bool = False) -> go.Figure:
    """Fidelity over the number of conditions a rule: (conditions, with linear functions, of the text alone or None) a point.

    smallest: the number to mark; None for none.
    """
    figure, colours = blank_chart("Conditions per rule, at most", "Fidelity", dark), palette(dark)
    lengths = [point[0] for point in curve]
    lines = [("with linear functions", [one for _, one, _ in curve]), ("one class per rule", [one for _, _, one in curve])]
    for k, (name, shares) in enumerate(lines):
        style = {"color": colours[k], "dash": ("solid", "dash")[k]}
        figure.add_scatter(x=lengths, y=shares, name=name, mode="lines+markers", line=style)
    figure.add_hline(y=0.95, line={"color": GREY, "dash": "dot", "width": 1})
    if smallest is not None:
        text = f"{counted(round(smallest), 'condition agrees', 'conditions agree')} on 95%"
        line = {"color": GREY, "width": 1}
        figure.add_vline(x=smallest, line=line, annotation={"text": text}, annotation_position="bottom right")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_xaxes(tickmode="array", tickvals=lengths)
    return figure


def _uncovered(run: RunView, summary: RuleBaseSummary) -> None:
    """The rows of which no sentence is true, where this session has the table."""
    st.caption(in_markdown(summary.uncovered_text))
    dataset, split = run.dataset, run.trained.split
    if dataset is None:
        st.caption("The data of this run are not available here, so the rows cannot be listed.")
        return
    counted = split.test if split.test.size else split.train
    rows = counted[summary.uncovered_rows(dataset.X.iloc[counted])]
    if len(rows):
        shown = dataset.frame.iloc[rows[:LISTED]].set_axis(dataset.row_numbers(rows[:LISTED]))
        st.dataframe(shown, width="stretch", height=min(360, 38 + 35 * len(shown)))
        if len(rows) > LISTED:
            st.caption(f"The first {LISTED} of {len(rows):,} rows, by their numbers in the table.")
