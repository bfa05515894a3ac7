"""The data check: what was found in a table, what was done about it, and what the reader may do; no change is silent."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.data import Finding
from ui.data.choose import Chosen
from ui.data.decisions import widget
from ui.text import in_markdown

__all__ = ["data_check_panel", "summary"]

_BADGES = {
    "note": ":blue-badge[note]",
    "repaired": ":green-badge[repaired]",
    "left out": ":gray-badge[left out]",
    "warning": ":orange-badge[warning]",
    "offer": ":violet-badge[suggestion]",
}
_ORDER = ("warning", "offer", "note", "repaired", "left out")
_SHOWN = 12  # findings; the others are folded away
_RARE = {"keep": "keep them", "merge": "merge them into one class", "drop": "drop their rows"}


def summary(findings: Sequence[Finding]) -> str:
    """The number of issues, in one line. A note, such as how the file was read, is not an issue."""
    issues = sum(finding.kind != "note" for finding in findings)
    if not issues:
        return "Data check: no issues found."
    open_issues = sum(finding.kind in ("offer", "warning") for finding in findings)
    decide = f", {open_issues} for you to decide" if open_issues else ""
    return f"Data check: {issues} issue{'s' if issues > 1 else ''} found{decide}."


def data_check_panel(chosen: Chosen) -> None:
    """The findings, open ones first; then the suggested decisions."""
    findings = sorted(chosen.shown.findings, key=lambda finding: _ORDER.index(finding.kind))
    for finding in findings[:_SHOWN]:
        _show(finding)
    if len(findings) > _SHOWN:
        with st.expander(f"{len(findings) - _SHOWN} more findings"):
            for finding in findings[_SHOWN:]:
                _show(finding)
    _decisions(chosen)


def _show(finding: Finding) -> None:
    advice = f" *{in_markdown(finding.advice)}*" if finding.advice else ""
    st.markdown(f"{_BADGES[finding.kind]} {in_markdown(finding)}{advice}")


def _decisions(chosen: Chosen) -> None:
    """The suggested decisions; they depend on the table without decisions, so that they stay after they are taken."""
    base = chosen.base
    if any(finding.choice == "rare" for finding in base.findings):
        st.selectbox(
            "Rare classes", list(_RARE), key=widget("rare", chosen.key), format_func=_RARE.get,
            help="A class with few rows is hard to learn and hard to test.",
        )  # fmt: skip
    much = [name for finding in base.findings if finding.choice == "missing" for name in finding.columns]
    if much:
        st.multiselect(
            "Missing as a category of its own", much, key=widget("missing", chosen.key),
            help="More than a fifth of these columns is missing. Without this, rules treat the most frequent category, or the"
            " median, as if it were there. A column of numbers gets another column that marks missing values.",
        )  # fmt: skip
    informative = [name for finding in base.findings if finding.choice == "flags" for name in finding.columns]
    if informative:
        st.multiselect(
            "Add a column that marks missing values", informative, key=widget("flags", chosen.key),
            help="In these columns, a missing value depends on the class.",
        )  # fmt: skip
