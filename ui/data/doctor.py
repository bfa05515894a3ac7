"""The data doctor: what was found, what was done, what the reader might do; nothing is changed silently."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.data import Finding
from ui.data.choose import Chosen
from ui.data.decisions import widget
from ui.text import in_markdown

__all__ = ["doctor_panel", "summary"]

_BADGES = {
    "read": ":blue-badge[read]",
    "repaired": ":green-badge[repaired]",
    "left out": ":gray-badge[left out]",
    "warning": ":orange-badge[look]",
    "offer": ":violet-badge[offer]",
}
_ORDER = ("warning", "offer", "read", "repaired", "left out")
_AT_FIRST = 12
_RARE = {"keep": "keep them", "merge": "merge them into one class", "drop": "drop their rows"}


def summary(findings: Sequence[Finding]) -> str:
    """How much there is to read here, in a line."""
    if not findings:
        return "The doctor found nothing to say: every cell is used as it is."
    found = "one thing" if len(findings) == 1 else f"{len(findings)} things"
    open_ones = sum(finding.kind in ("offer", "warning") for finding in findings)
    decide = f", {'one' if open_ones == 1 else open_ones} of them for you to decide or look at" if open_ones else ""
    return f"The doctor has {found} to say about this table{decide}."


def doctor_panel(chosen: Chosen) -> None:
    """Findings, what needs a decision first; then the decisions that were offered."""
    findings = sorted(chosen.shown.findings, key=lambda finding: _ORDER.index(finding.kind))
    for finding in findings[:_AT_FIRST]:
        _say(finding)
    if len(findings) > _AT_FIRST:
        with st.expander(f"{len(findings) - _AT_FIRST} more findings"):
            for finding in findings[_AT_FIRST:]:
                _say(finding)
    _offers(chosen)


def _say(finding: Finding) -> None:
    advice = f" *{in_markdown(finding.could)}*" if finding.could else ""
    st.markdown(f"{_BADGES[finding.kind]} {in_markdown(finding)}{advice}")


def _offers(chosen: Chosen) -> None:
    """Decisions stand here whenever the table as it came has the matter, also once they are taken."""
    base = chosen.base
    if any(finding.choice == "rare" for finding in base.findings):
        st.selectbox(
            "Rare classes", list(_RARE), key=widget("rare", chosen.key), format_func=_RARE.get,
            help="A class with few rows can hardly be learnt, and hardly be tested.",
        )  # fmt: skip
    telling = [name for finding in base.findings if finding.choice == "flags" for name in finding.columns]
    if telling:
        st.multiselect(
            "Add a column that says where gaps are", telling, key=widget("flags", chosen.key),
            help="In these columns a gap itself says something about the class.",
        )  # fmt: skip
