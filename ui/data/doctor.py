"""The data doctor: what was found, what was done, what the reader might do; nothing is changed silently."""

import streamlit as st

from tsk_core.data import Finding
from ui.data.choose import Chosen
from ui.data.decisions import widget
from ui.text import in_markdown

__all__ = ["doctor_panel"]

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


def doctor_panel(chosen: Chosen) -> None:
    """Findings, what needs a decision first; then the decisions that were offered."""
    findings = sorted(chosen.shown.findings, key=lambda finding: _ORDER.index(finding.kind))
    if not findings:
        st.caption("Nothing was found that needs saying: every cell is used as it is.")
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
