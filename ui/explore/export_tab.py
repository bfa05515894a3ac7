"""The tab Export: a report, the rules, the model, figures, and what repeats the run."""

from datetime import UTC, datetime

import streamlit as st

from tsk_core.errors import RunError
from ui.engine import the_engine
from ui.explore.downloads import archive_download, model_download, rule_downloads
from ui.report import report
from ui.runs.reproduction import address, reproduction_panel
from ui.runs.rules import conditions, rule_book
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["LOADING", "export_tab"]

LOADING = """\
import pandas as pd
from tsk_core import TSKClassifier
print(TSKClassifier.load("model").predict(pd.read_csv("NEW.csv")))
"""


def export_tab(run: RunView, comparison: RunView | None) -> None:
    """All downloads of a run that ended. comparison: the run that the report shows dashed."""
    if not run.status.ended:
        st.info("When training ends, this tab has the report, the rules, the model, and the Python that repeats the run.")
        return
    if run.result is not None:
        _report(run, comparison)
        _rules(run)
        _model(run)
        _title("Figures")
        st.caption("The buttons SVG and PNG below each chart, here and in the report, save it on white in a size for a paper.")
    _title("Reproduce this run")
    reproduction_panel(run)
    if run.result is not None:
        archive_download(run)


def _title(text: str) -> None:
    st.subheader(text, anchor=False)


def _report(run: RunView, comparison: RunView | None) -> None:
    _title("Report")
    st.caption(
        "One HTML file with interactive charts, scores, settings, rules and the Python that repeats the run. It opens in any"
        " browser and needs no internet. It does not contain the data."
    )
    link = address(the_engine().store.reproduction(run.id).link)
    st.download_button(
        "Download report (HTML)", lambda: report(run, comparison, link, conditions(), datetime.now(UTC)),
        f"report-{run.id[:8]}.html", "text/html", on_click="ignore", type="primary",
    )  # fmt: skip


def _rules(run: RunView) -> None:
    _title("Rules")
    try:
        book = rule_book(run, conditions())
    except RunError as error:
        st.caption(in_markdown(error))
        return
    st.caption(in_markdown(f"{' '.join(book.summary.splitlines())} Change the number of conditions on the tab Rules."))
    rule_downloads(run, book)


def _model(run: RunView) -> None:
    _title("Model")
    st.caption(
        "A zip of the folder model: numbers as safetensors, everything else as JSON. Unpack it; these lines then predict new rows"
        " with the same columns:"
    )
    st.code(LOADING, language="python", wrap_lines=True)
    model_download(run)
