"""The decisions of this session about a table, collected from widgets further down on the page.

Streamlit sets widget values before the script runs, so decisions are known before their widgets are drawn.
"""

from dataclasses import replace
from typing import Any

from tsk_core.data import Choices, Dataset
from ui.platform import session

_TABLES = session.DECISION("roles", "").name
# Fields of Choices, each a decision of that name.
FIELDS = ("rare", "repeated", "flags", "missing", "codes", "orders", "spellings", "not_missing")
SPLITS = ("group", "time", "split")  # roles of the one column that decides the split
EDITABLE = ("number", "category", "ordinal", "ignored")  # roles available in the table of columns


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
    categories = dict.fromkeys(decided("categories", key, ()), "category")
    return Choices(target=target, bins=decided("bins", key), roles=categories)


def editor(key: str) -> str:
    """The key of the table of columns; it changes when a role is set elsewhere, which discards the edits of the old table."""
    return f"{widget('roles', key)}:{decided('version', key, 0)}"


def set_role(table: str, key: str, column: str, role: str | None) -> None:
    """Set a role from outside the table of columns; None leaves it to the guess again."""
    given = {name: one for name, one in _given(key).items() if name != column}
    if role in SPLITS:
        decide("split", table, role)
        decide(f"by_{role}", table, column)
    else:
        end_split_by(table, column)
        given |= {} if role is None else {column: role}
    decide("given", key, given)
    decide("version", key, decided("version", key, 0) + 1)


def end_split_by(table: str, column: str) -> None:
    """Split at random if this column decides the split."""
    if (way := decided("split", table)) in SPLITS and decided(f"by_{way}", table) == column:
        decide("split", table, "random")


def chosen_roles(key: str, base: Dataset) -> dict[str, str]:
    """Column -> the role that a person chose. Stored separately, since the edits of the table of columns end with its key."""
    chosen = _given(key)
    for row, changed in edited_rows(key).items():
        report = base.columns[int(row)]
        if changed.get("role") in EDITABLE and report.role != "target":
            chosen[report.name] = changed["role"]
    return chosen


def reset_decisions(table: str, target: str) -> None:
    """Reset every decision about a table."""
    key = key_of(table, target)
    for name in ("bins", "categories"):
        session.DECISION(name, key).pop()
        session.SAVED_DECISIONS.get().pop(widget(name, key), None)
    reset_choices(table, key)
    session.TABLES_SEEN.get().append(table)  # what was decided before is not to come back


def reset_choices(table: str, key: str) -> None:
    """Reset every decision about a table but the ranges of a numeric target, without which there is no table to show.

    Values are set and not removed: otherwise the browser would send the old values of the widgets again.
    """
    decide("given", key, {})
    decide("version", key, decided("version", key, 0) + 1)
    undecided = {("split", table): "random"} | {(name, key): _undecided(name) for name in FIELDS}
    for (what, of), value in undecided.items():
        if session.DECISION(what, of).is_set():
            decide(what, of, value)
    save_decisions()


def all_choices(table: str, key: str, base: Dataset) -> Choices:
    """All decisions; ``base`` is the dataset under ``first_choices``."""
    roles = dict(base.choices.roles) | chosen_roles(key, base)
    split = decided("split", table, "random")
    by = decided(f"by_{split}", table)
    if split in SPLITS and by and by != base.target:
        roles[by] = split
    return replace(base.choices, roles=roles, **_fields(key))


def as_decided(key: str, now: Choices) -> Choices:
    """The choices that a page was drawn with, after what was decided since: two presses may come before it is drawn again."""
    return replace(now, **_fields(key))


def _fields(key: str) -> dict[str, Any]:
    """All decisions but the roles of columns."""
    stored = {name: decided(name, key) or _undecided(name) for name in FIELDS}
    return stored | {name: tuple(value) for name, value in stored.items() if isinstance(value, list)}


def store_choices(table: str, key: str, now: Choices, wanted: Choices) -> None:
    """Decide what differs between two choices, as if by hand; in a callback, since it sets widgets."""
    for name in FIELDS:
        value = getattr(wanted, name)
        if value != getattr(now, name):
            decide(name, key, list(value) if isinstance(value, tuple) else value)
    for column in {**now.roles, **wanted.roles}:
        role = wanted.roles.get(column)
        if role != now.roles.get(column):
            set_role(table, key, column, role)
    save_decisions()


def edited_rows(key: str) -> dict[int, dict[str, Any]]:
    """What was changed in the table of columns: number of a row -> column -> value."""
    return session.COMPONENT(editor(key)).get().get("edited_rows", {})


def _undecided(name: str) -> Any:
    """What the field has where nothing is decided, as a widget holds it."""
    value = getattr(Choices(), name)
    return list(value) if isinstance(value, tuple) else value


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
