"""Buttons that give what a run left, each made only when it is pressed."""

import json
from typing import Any

import streamlit as st

from tsk_core.data.export import to_csv
from tsk_core.runs.archive import model_archive
from ui.engine import the_engine
from ui.runs import Shown

__all__ = ["archive_download", "model_download", "rule_downloads"]


def rule_downloads(shown: Shown, summary: Any) -> None:
    """The rules as text, as CSV and as JSON. summary: the run's RuleBaseSummary as it is read on the page."""
    text, table, data = st.columns(3)
    text.download_button(
        "Rules as text", lambda: str(summary).encode("utf-8", "replace"), "rules.txt", "text/plain", on_click="ignore",
        width="stretch", help="As they stand on the tab Rules, with what was measured of each.",
    )  # fmt: skip
    table.download_button(
        "Rules as CSV", lambda: to_csv(summary.to_frame()), "rules.csv", "text/csv", on_click="ignore", width="stretch",
        help="One row a rule, for a spreadsheet.",
    )  # fmt: skip
    data.download_button(
        "Rules as JSON", lambda: json.dumps(shown.result.classifier.to_dict(), ensure_ascii=False), "rules.json",
        "application/json", on_click="ignore", width="stretch", help="The exact rules in original units, to recompute anywhere.",
    )  # fmt: skip


def model_download(shown: Shown) -> None:
    """The folder that ``TSKClassifier.load`` reads."""
    st.download_button(
        "Download model", lambda: model_archive(shown.result), f"model-{shown.run[:8]}.zip", "application/zip", on_click="ignore"
    )


def archive_download(shown: Shown) -> None:
    """All that the run left."""
    st.download_button(
        "Download everything", lambda: the_engine().store.archive(shown.run), f"run-{shown.run[:8]}.zip", "application/zip",
        on_click="ignore", help="Settings, epochs, numbers, model, rules and the script, as a zip.",
    )  # fmt: skip
