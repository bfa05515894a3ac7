"""How much of the difference between paper and ours the authors' way of running it explains."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from tsk_core.evaluate import corrected_t_interval
from tsk_core.numbers import signed
from tsk_core.study import COMPARABLE, mean_scores
from ui.paper.controls import Shown
from ui.paper.printed import printed_table
from ui.paper.shipped import results
from ui.text import in_markdown


def explained(shown: Shown) -> None:
    """The sentence, of the metric that the table shows."""
    metric = "bca" if shown.table.startswith(("BCA", "BN")) else "rca"
    st.markdown(in_markdown(explanation(results(), shown.results, metric)))


def explanation(ours: Mapping, authors: Mapping, metric: str) -> str:
    """Mean distance from the paper by its text and as the authors ran it, over the same splits of the same comparable cells."""
    both = [key for key in authors if key in ours]
    if not both:
        return "No cell has been computed both ways on the same split, so the two cannot be compared."
    text = mean_scores({key: ours[key] for key in both}, metric).stack()
    run = mean_scores({key: authors[key] for key in both}, metric).stack()
    cells = pd.DataFrame({"text": text, "run": run, "paper": printed_table(metric).stack()}).dropna()
    cells = cells[cells.index.isin(COMPARABLE, level=0)]
    if cells.empty:
        return "The paper prints none of these cells."
    by_text, by_run = ((cells[name] - cells["paper"]).abs() for name in ("text", "run"))
    gained = by_text - by_run
    by_dataset = gained.groupby(level=0).mean().to_numpy()
    interval = corrected_t_interval(by_dataset, 0.0) if len(by_dataset) > 1 else None
    over = f" (95% interval over datasets {signed(-interval.high, 4)} to {signed(-interval.low, 4)})" if interval else ""
    return (
        f"Over {len(cells)} cells, on the same splits, {metric.upper()} is on average {by_text.mean():.4f} away from the paper's"
        f" when run as its text says, and {by_run.mean():.4f} as the authors ran it: a change of"
        f" {signed(-gained.mean(), 4)}{over}. {int((gained > 0).sum())} of {len(cells)} cells come nearer."
    )
