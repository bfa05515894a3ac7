"""The tab Export: a report, the rules, the model, figures, and what repeats the run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from tsk_core.errors import RunError
from tsk_core.runs import methods_text
from ui.explore.downloads import archive_download, model_download, rule_downloads
from ui.platform.engine import get_engine
from ui.platform.errors import show_errors
from ui.report.run_report import report
from ui.runs.decision import decision_of, link_values
from ui.runs.reproduction import address, reproduction_panel
from ui.runs.rules import conditions, rule_base_summary
from ui.runs.run_view import RunView
from ui.text import in_markdown

LOADING = """\
from tsk_core import TSKClassifier
from tsk_core.data import {names}
print(TSKClassifier.load("model").predict(read_table("NEW.csv"{options}).frame))
"""


def export_tab(run: RunView, comparison: RunView | None) -> None:
    """All downloads of a run that ended. comparison: the run that the report shows dashed."""
    if not run.status.ended:
        st.info("When training ends, this tab has the report, the rules, the model, and the Python that repeats the run.")
        return
    if run.result is not None:
        _report(run, comparison)
        _methods(run)
        _rules(run)
        _model(run)
        _title("Figures")
        st.caption("The buttons SVG and PNG below each chart, here and in the report, save it on white at a size for a paper.")
    _title("Reproduce this run")
    reproduction_panel(run)
    if run.result is not None:
        archive_download(run)


def _title(text: str) -> None:
    st.subheader(text, anchor=False)


def _report(run: RunView, comparison: RunView | None) -> None:
    _title("Report")
    st.caption(
        "One HTML file with interactive charts, scores, settings, rules, samples whose values can be changed, and the Python that"
        " repeats the run. It opens in any browser and needs no internet."
    )
    with_rows = st.checkbox(
        "Include up to 1,000 rows of the table", bool(run.result.dataset.get("gallery")), key="report_rows",
        help="Readers can then select and change these rows, and anyone with the file can read them. Otherwise the file has no"
        " rows, and readers change a typical row. Rows can be included only if the table is available here.",
    )  # fmt: skip
    # What the session knows is asked for here: a file is made in a thread without it.
    chosen, length = decision_of(run), conditions()
    link = address(get_engine().store.reproduction(run.id).link) + "".join(
        f"&{urlencode({key: value})}" for key, value in link_values(chosen).items()
    )
    st.download_button(
        "Download report (HTML)",
        lambda: report(run, comparison, link, length, datetime.now(UTC), with_rows=with_rows, decision=chosen),
        f"report-{run.id[:8]}.html", "text/html", on_click="ignore", type="primary",
    )  # fmt: skip


def _rules(run: RunView) -> None:
    _title("Rules")
    try:
        summary = rule_base_summary(run, conditions())
    except RunError as error:
        summary, text = None, str(error)
    else:
        text = " ".join(summary.measured_text.splitlines())
        if summary.rule_list is None:
            text += " Change the number of conditions on the tab Rules."
    st.caption(in_markdown(text))
    rule_downloads(run, summary, explained=True)


def _methods(run: RunView) -> None:
    """The methods paragraph to copy, folded."""
    with st.expander("Methods section"), show_errors():
        st.caption(
            "Data, split, model, settings, results with intervals, baselines, versions and the paper to cite. Edit it as needed."
            " The button Download everything adds a table of all rows with their part, and of the test rows' predictions."
        )
        with st.container(height=320):
            st.code(methods_text(run.result), language=None, wrap_lines=True)


def loading(identity: Mapping[str, Any]) -> str:
    """The Python that predicts a file like the one of this run. identity: the run's dataset, as its config.json has it."""
    options = ", ".join(f"{name}={value!r}" for name, value in identity.get("reading", {}).items())
    if not options:
        return LOADING.format(names="read_table", options="")
    return LOADING.format(names="ReadOptions, read_table", options=f", ReadOptions({options})")


def _model(run: RunView) -> None:
    _title("Model")
    st.caption(
        "A zip of the folder model: numbers as safetensors, everything else as JSON. Unpack it; these lines then predict new rows"
        " as the tab Predict does. The model cleans them as it cleaned the training table:"
    )
    st.code(loading(run.result.dataset), language="python", wrap_lines=True)
    model_download(run)
