"""What a run left, to take home: a report, rules, the model, figures, and what repeats it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from tsk_core.errors import RunError
from ui import runs
from ui.card import address, card_panel
from ui.downloads import archive_download, model_download, rule_downloads
from ui.engine import the_engine
from ui.report import report
from ui.runs import Shown
from ui.text import in_markdown

__all__ = ["export_panel", "loading"]

LOADING = """\
from tsk_core import TSKClassifier
from tsk_core.data import {names}
print(TSKClassifier.load("model").predict(read_table("NEW.csv"{options}).frame))
"""


def export_panel(shown: Shown, ghost: Shown | None) -> None:
    """All downloads of a run that ended. ghost: the run before, which the report shows dashed."""
    if not shown.status.ended:
        st.info("The report, the rules, the model and what repeats this run stand here when training ends.")
        return
    if shown.result is not None:
        _report(shown, ghost)
        _rules(shown)
        _model(shown)
        _title("Figures")
        st.caption("Below each chart, here and in the report, SVG and PNG save it on white, at a size for a paper.")
    _title("Link and Python")
    card_panel(shown)
    if shown.result is not None:
        archive_download(shown)


def _title(words: str) -> None:
    st.subheader(words, anchor=False)


def _report(shown: Shown, ghost: Shown | None) -> None:
    _title("Report")
    st.caption(
        "One HTML file with live charts, scores, settings, rules and the Python that repeats the run. It opens in any browser,"
        " without a network; it never holds the table."
    )
    length, link = runs.conditions(), address(the_engine().store.card(shown.run).link)
    st.download_button(
        "Download report (HTML)", lambda: report(shown, ghost, link, length, datetime.now(UTC)), f"report-{shown.run[:8]}.html",
        "text/html", on_click="ignore", type="primary",
    )  # fmt: skip


def _rules(shown: Shown) -> None:
    _title("Rules")
    try:
        summary = runs.rule_base_summary(shown, runs.conditions())
    except RunError as error:
        st.caption(in_markdown(error))
        return
    st.caption(in_markdown(f"{' '.join(summary.measured_text.splitlines())} The tab Rules makes them shorter or longer."))
    rule_downloads(shown, summary)


def loading(identity: Mapping[str, Any]) -> str:
    """The Python that predicts a file like the one of this run. identity: the run's dataset, as its config.json has it."""
    options = ", ".join(f"{name}={value!r}" for name, value in identity.get("reading", {}).items())
    if not options:
        return LOADING.format(names="read_table", options="")
    return LOADING.format(names="ReadOptions, read_table", options=f", ReadOptions({options})")


def _model(shown: Shown) -> None:
    _title("Model")
    st.caption(
        "A zip of the folder model: numbers as safetensors, everything else as JSON. Unpack it; these lines then predict new rows"
        " as the Predict tab does. The model cleans them as it cleaned the training table:"
    )
    st.code(loading(shown.data), language="python", wrap_lines=True)
    model_download(shown)
