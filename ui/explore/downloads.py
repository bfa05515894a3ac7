"""The download buttons of a run. Each file is made only when its button is pressed."""

import json

import streamlit as st

from tsk_core.data import to_csv
from tsk_core.explain import RuleBaseSummary
from tsk_core.runs import model_archive
from ui.downloads import when_pressed
from ui.engine import the_engine
from ui.runs.rules import conditions
from ui.runs.run_view import RunView

__all__ = ["archive_download", "model_download", "rule_downloads"]


def rule_downloads(run: RunView, summary: RuleBaseSummary) -> None:
    """The rules as text, as CSV and as JSON. summary: the rules as shown on the page."""
    text, table, data = st.columns(3)
    text.download_button(
        "Rules as text", when_pressed(lambda: str(summary).encode("utf-8", "replace")),
        "rules.txt", "text/plain", on_click="ignore",
        width="stretch", help="As on the tab Rules, with the measured numbers of each rule.",
    )  # fmt: skip
    table.download_button(
        "Rules as CSV", when_pressed(lambda: to_csv(summary.to_frame())),
        "rules.csv", "text/csv", on_click="ignore", width="stretch",
        help="One row per rule, for a spreadsheet.",
    )  # fmt: skip
    data.download_button(
        "Rules as JSON", when_pressed(lambda: json.dumps(run.result.classifier.to_dict(), ensure_ascii=False)), "rules.json",
        "application/json", on_click="ignore", width="stretch",
        help="The full model as rules in original units, to compute its predictions elsewhere.",
    )  # fmt: skip


def model_download(run: RunView) -> None:
    """The folder that ``TSKClassifier.load`` reads."""
    st.download_button(
        "Download model",
        when_pressed(lambda: model_archive(run.result)),
        f"model-{run.id[:8]}.zip",
        "application/zip",
        on_click="ignore",
    )


def archive_download(run: RunView) -> None:
    """Everything that the run left."""
    st.download_button(
        "Download everything", when_pressed(lambda: the_engine().store.archive(run.id, conditions())), f"run-{run.id[:8]}.zip",
        "application/zip", on_click="ignore",
        help="A zip with the settings, epochs, numbers, predictions, model, rules, methods section, and the script that repeats"
        " the run. It has the true class of each test row, and no other cell of the table.",
    )  # fmt: skip
