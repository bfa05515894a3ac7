"""The result in four sentences: for who has a minute."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from tsk_core.evaluate import corrected_t_interval
from tsk_core.numbers import minus
from tsk_core.study import COMPARABLE, DATASETS, mean_scores, split_counts
from ui.paper.printed import printed_table
from ui.text import in_markdown

BEST, BASELINE, WEAKEST = "TSK-MBGD-UR-BN", "TSK-MBGD", "satellite"
NEAR = 0.02  # RCA
FEW = 10  # cells that a count says little of


def headline(results: Mapping) -> None:
    """The sentences; where there are no results, what the page is for."""
    if not results:
        st.caption("The paper's tables and figures. There are no results of ours yet to compare with them.")
        return
    st.markdown(in_markdown(" ".join(sentences(results))))


def sentences(results: Mapping) -> list[str]:
    """The paper's main result, its gain beside ours, how many cells come back, and the one that does not."""
    ours, paper = ({metric: table(metric) for metric in ("rca", "bca")} for table in (_ours(results), printed_table))
    return [text for text in (_main(ours, paper, results), _gain(ours, paper), _near(ours, paper), _weakest(ours, paper)) if text]


def _ours(results: Mapping):
    return lambda metric: mean_scores(results, metric)


def _main(ours: Mapping[str, pd.DataFrame], paper: Mapping[str, pd.DataFrame], results: Mapping) -> str:
    rows, parts = list(COMPARABLE), []
    if not all(BEST in ours[metric] and set(rows) <= set(ours[metric][BEST].dropna().index) for metric in ours):
        return ""
    for metric in ours:
        own, printed = (tables[metric].loc[rows, BEST].mean() for tables in (ours, paper))
        parts.append(f"{metric.upper()} {own:.4f} (paper: {printed:.4f})")
    counts = split_counts(results).loc[rows, BEST]
    low, high = int(counts.min()), int(counts.max())
    splits = f"{low}" if low == high else f"{low} to {high}"
    return f"{BEST} reaches {' and '.join(parts)} on average over the 11 comparable datasets, {splits} splits each."


def _gain(ours: Mapping[str, pd.DataFrame], paper: Mapping[str, pd.DataFrame]) -> str:
    """What UR and BN together add to MBGD, with the interval over datasets, as a share of what the paper prints."""
    rows, parts = list(COMPARABLE), []
    for metric in ours:
        if not {BEST, BASELINE} <= set(ours[metric]):
            return ""
        own, printed = (tables[metric].reindex(rows)[BEST] - tables[metric].reindex(rows)[BASELINE] for tables in (ours, paper))
        if own.isna().any():
            return ""
        if (interval := corrected_t_interval(own.to_numpy(), 0.0)) is None:
            return ""
        found = interval.low, own.mean(), interval.high, printed.mean()
        low, mean, high, theirs = (minus(f"{100 * one:.1f}") for one in found)
        share = f"{own.mean() / printed.mean():.0%}"
        parts.append(
            f"{mean} points of {metric.upper()} (95% interval over datasets {low} to {high}), {share} of the paper's {theirs}"
        )
    return f"UR and BN together add to {BASELINE} {'; and '.join(parts)}."


def _near(ours: Mapping[str, pd.DataFrame], paper: Mapping[str, pd.DataFrame]) -> str:
    columns = [name for name in paper["rca"] if name in ours["rca"]]
    differences = (
        (ours["rca"].reindex(index=COMPARABLE, columns=columns) - paper["rca"].reindex(COMPARABLE)[columns]).stack().dropna()
    )
    if len(differences) < FEW:
        return ""
    near = int((differences.abs() <= NEAR).sum())
    return (
        f"Of {len(differences)} accuracies (RCA) that can be compared, {near} are within {NEAR:g} of the paper's,"
        f" {int((differences > NEAR).sum())} are higher and {int((differences < -NEAR).sum())} lower."
    )


def _weakest(ours: Mapping[str, pd.DataFrame], paper: Mapping[str, pd.DataFrame]) -> str:
    if BASELINE not in ours["rca"] or WEAKEST not in ours["rca"].index or pd.isna(own := ours["rca"].at[WEAKEST, BASELINE]):
        return ""
    printed = paper["rca"].at[WEAKEST, BASELINE]
    if own - printed < NEAR:
        return ""
    return (
        f"We could not reproduce the weak baseline: {BASELINE} has an RCA of {own:.4f} on {DATASETS[WEAKEST]}, not {printed:.4f}."
    )
