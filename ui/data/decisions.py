"""What this session decided about a table, collected from the widgets that stand further down on the page.

Widgets write their value before the script runs, so decisions are known before the widgets are drawn again.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from tsk_core.data import Choices, Dataset

__all__ = ["EDITABLE", "decide", "decided", "editor", "give_role", "given_roles", "key_of", "take_back_all", "widget"]

EDITABLE = ("number", "category", "ignored")  # the roles that a person may give in the table of columns


def key_of(table: str, target: str) -> str:
    """Decisions belong to one table with one target."""
    return f"{table}:{target}"


def widget(what: str, key: str) -> str:
    """The key of a widget that holds a decision."""
    return f"decide:{what}:{key}"


def decide(what: str, key: str, value: Any) -> None:
    """Keep a decision that no widget holds."""
    st.session_state[widget(what, key)] = value


def decided(what: str, key: str, default: Any = None) -> Any:
    """One decision, or ``default`` where there was none."""
    return st.session_state.get(widget(what, key), default)


def first_choices(key: str, target: str) -> Choices:
    """Decisions without which there is no Dataset at all."""
    return Choices(target=target, bins=decided("bins", key))


def editor(key: str) -> str:
    """The key of the table of columns: a new one whenever roles were given elsewhere, so that its own edits do not come back."""
    return f"{widget('roles', key)}:{decided('version', key, 0)}"


def give_role(key: str, column: str, role: str) -> None:
    """Give a role elsewhere than in the table of columns."""
    st.session_state.setdefault(widget("given", key), {})[column] = role
    decide("version", key, decided("version", key, 0) + 1)


def given_roles(key: str, base: Dataset) -> dict[str, str]:
    """Column -> the role that a person gave it. Kept apart from the table of columns, whose edits end with its key."""
    given = st.session_state.setdefault(widget("given", key), {})
    for row, changed in st.session_state.get(editor(key), {}).get("edited_rows", {}).items():
        report = base.columns[int(row)]
        if changed.get("role") in EDITABLE and report.role != "target":
            given[report.name] = changed["role"]
    return given


def take_back_all(table: str, target: str) -> None:
    """Every decision about a table as if none had been made.

    Set rather than removed: the browser would send a widget's old value again.
    """
    key = key_of(table, target)
    st.session_state.pop(widget("bins", key), None)
    decide("given", key, {})
    decide("version", key, decided("version", key, 0) + 1)
    for what, of, value in (("split", table, "random"), ("rare", key, "keep"), ("flags", key, [])):
        if widget(what, of) in st.session_state:
            decide(what, of, value)


def all_choices(table: str, key: str, base: Dataset) -> Choices:
    """Every decision; ``base`` is the table under the first ones."""
    roles = dict(given_roles(key, base))
    split = decided("split", table, "random")
    by = decided(f"by_{split}", table)
    if split in ("group", "time", "split") and by and by != base.target:
        roles[by] = split
    return replace(base.choices, roles=roles, rare=decided("rare", key) or "keep", flags=tuple(decided("flags", key) or ()))
