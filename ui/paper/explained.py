"""How much of the difference between paper and ours the authors' way of running it explains."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from tsk_core.study import mean_scores
from ui.paper.controls import Shown
from ui.paper.printed import printed_table
from ui.paper.shipped import results
from ui.text import in_markdown

__all__ = ["explained", "explanation"]


def explained(shown: Shown) -> None:
    """The sentence, of the metric that the table shows."""
    metric = "bca" if shown.table.startswith(("BCA", "BN")) else "rca"
    st.markdown(in_markdown(explanation(results(), shown.results, metric)))


def explanation(ours: Mapping, authors: Mapping, metric: str) -> str:
    """Mean distance from the paper by its text and as the authors ran it, over the same splits of the same cells."""
    both = [key for key in authors if key in ours]
    if not both:
        return "No cell has been computed both ways on the same split, so the two cannot be compared."
    text = mean_scores({key: ours[key] for key in both}, metric).stack()
    run = mean_scores({key: authors[key] for key in both}, metric).stack()
    cells = pd.DataFrame({"text": text, "run": run, "paper": printed_table(metric).stack()}).dropna()
    if cells.empty:
        return "The paper prints none of these cells."
    by_text, by_run = ((cells[name] - cells["paper"]).abs().mean() for name in ("text", "run"))
    share = 1 - by_run / by_text
    moved = f"{share:.0%} of the difference is explained by it" if share > 0 else "none of the difference is explained by it"
    nearer = int(((cells["run"] - cells["paper"]).abs() < (cells["text"] - cells["paper"]).abs()).sum())
    return (
        f"Over {len(cells)} cells, on the same splits, {metric.upper()} is on average {by_text:.4f} away from the paper's when"
        f" run as its text says, and {by_run:.4f} as the authors ran it: {moved}. {nearer} of {len(cells)} cells come nearer."
    )
