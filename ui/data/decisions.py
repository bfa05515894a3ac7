"""The decisions of this session about a table, collected from widgets further down on the page.

Streamlit sets widget values before the script runs, so decisions are known before their widgets are drawn.
"""

from dataclasses import replace
from typing import Any

from tsk_core.data import Choices, Dataset
from ui.platform import session

__all__ = [
    "EDITABLE", "chosen_roles", "decide", "decided", "edited_rows", "editor", "save_decisions", "key_of", "reset_decisions",
    "set_role", "widget",
]  # fmt: skip

_TABLES = session.DECISION("roles", "").name
EDITABLE = ("number", "category", "ignored")  # roles available in the table of columns


def key_of(table: str, target: str) -> str:
    """The key of one table with one target, under which decisions are stored."""
    return f"{table}:{target}"


def widget(what: str, key: str) -> str:
    """The key of a widget that holds a decision."""
    return session.DECISION(what, key).name


def decide(what: str, key: str, value: Any) -> None:
    """Store a decision that has no widget."""
    session.DECISION(what, key).set(value)


def decided(what: str, key: str, default: Any = None) -> Any:
    """One decision, or ``default`` if there is none."""
    decision = session.DECISION(what, key)
    return decision.get() if decision.is_set() else default


def first_choices(key: str, target: str) -> Choices:
    """The decisions that are needed to build any Dataset."""
    return Choices(target=target, bins=decided("bins", key))


def editor(key: str) -> str:
    """The key of the table of columns; it changes when a role is set elsewhere, which discards the edits of the old table."""
    return f"{widget('roles', key)}:{decided('version', key, 0)}"


def set_role(key: str, column: str, role: str) -> None:
    """Set a role from outside the table of columns."""
    _given(key)[column] = role
    decide("version", key, decided("version", key, 0) + 1)


def chosen_roles(key: str, base: Dataset) -> dict[str, str]:
    """Column -> the role that a person chose. Stored separately, since the edits of the table of columns end with its key."""
    chosen = _given(key)
    for row, changed in edited_rows(key).items():
        report = base.columns[int(row)]
        if changed.get("role") in EDITABLE and report.role != "target":
            chosen[report.name] = changed["role"]
    return chosen


def reset_decisions(table: str, target: str) -> None:
    """Reset every decision about a table.

    Values are set and not removed: otherwise the browser would send the old values of the widgets again.
    """
    key = key_of(table, target)
    session.DECISION("bins", key).pop()
    decide("given", key, {})
    decide("version", key, decided("version", key, 0) + 1)
    for what, of, value in (("split", table, "random"), ("rare", key, "keep"), ("flags", key, []), ("missing", key, [])):
        if session.DECISION(what, of).is_set():
            decide(what, of, value)


def all_choices(table: str, key: str, base: Dataset) -> Choices:
    """All decisions; ``base`` is the dataset under ``first_choices``."""
    roles = dict(chosen_roles(key, base))
    split = decided("split", table, "random")
    by = decided(f"by_{split}", table)
    if split in ("group", "time", "split") and by and by != base.target:
        roles[by] = split
    flags, missing = (tuple(decided(what, key) or ()) for what in ("flags", "missing"))
    return replace(base.choices, roles=roles, rare=decided("rare", key) or "keep", flags=flags, missing=missing)


def edited_rows(key: str) -> dict[int, dict[str, Any]]:
    """What was changed in the table of columns: number of a row -> column -> value."""
    return session.COMPONENT(editor(key)).get().get("edited_rows", {})


def _given(key: str) -> dict[str, str]:
    """The roles that were set from outside the table of columns, to be changed in place."""
    decision = session.DECISION("given", key)
    if not decision.is_set():
        decision.set({})
    return decision.get()


def save_decisions() -> None:
    """Remember the decisions that widgets of this page hold: another page does not have these widgets."""
    known = {one.name: one.get() for one in session.DECISION.existing() if not one.name.startswith(_TABLES)}  # see chosen_roles
    session.SAVED_DECISIONS.get().update(known)
