"""The table of scores by class, with intervals, below the charts of the tab Mistakes."""

import pandas as pd
import streamlit as st

from tsk_core.evaluate import drawn_text, how_drawn
from ui.runs.run_view import RunView
from ui.runs.score_texts import class_scores
from ui.text import in_markdown, shortened_names

HIGH = 20  # classes; more are in a box that scrolls


def by_class_table(run: RunView) -> None:
    """The table of a run that ended; nothing where it has no test rows."""
    lines = class_scores(run.metrics)
    if not lines:
        return
    drawn = in_markdown(drawn_text(run.metrics["resampled"], run.metrics["test_rows"]))
    st.caption(
        f"**Scores of the final model by class.** In brackets: the 95% interval{drawn}.", help=how_drawn(run.metrics["resampled"])
    )
    names = shortened_names([line["Class"] for line in lines], 40)
    shown = [{**line, "Class": in_markdown(name)} for line, name in zip(lines, names, strict=True)]
    with st.container(height=700 if len(shown) > HIGH else "content", border=False, key="by_class"):
        st.table(pd.DataFrame(shown), border="horizontal", hide_index=True, alt="Scores by class")
