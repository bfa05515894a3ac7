"""The decisions of this session about a table, from widgets further down on the page; and why there is no table yet.

Streamlit sets widget values before the script runs, so decisions are known before their widgets are drawn.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from tsk_core.data import Choices, Dataset, RawTable, ReadOptions
from ui.platform import session
from ui.platform.session import Key, Keys
from ui.text import in_markdown, shortened

SAVED_DECISIONS = Key[dict[str, Any]]("decisions_saved", make=dict)
UNREADY = Key["Unready | None"]("unready")  # why there is no table to train on, as the page is to say it
TABLES_SEEN = Key[list[str]]("tables_seen", make=list)  # keys of the tables whose decisions were looked for
READ_OPTIONS = Keys[dict[str, Any]]("read_options:{}", make=dict)  # chosen for a file
READ_OPTION = Keys[Any]("read_option:{}:{}")  # option, file: the widget
DECISION = Keys[Any]("decide:{}:{}")  # what, table or table and target
RANGES = Keys[int]("ranges:{}")


_TABLES = DECISION("roles", "").name
# Fields of Choices, each a decision of that name.
FIELDS = ("rare", "repeated", "flags", "missing", "codes", "orders", "spellings", "not_missing")
SPLITS = ("group", "time", "split")  # roles of the one column that decides the split
EDITABLE = ("number", "category", "ordinal", "ignored")  # roles available in the table of columns


def key_of(table: str, target: str) -> str:
    """The key of one table with one target, under which decisions are stored."""
    return f"{table}:{target}"


def widget(what: str, key: str) -> str:
    """The key of a widget that holds a decision."""
    return DECISION(what, key).name


def decide(what: str, key: str, value: Any) -> None:
    """Store a decision that has no widget."""
    DECISION(what, key).set(value)


def decided(what: str, key: str, default: Any = None) -> Any:
    """One decision, or ``default`` if there is none."""
    decision = DECISION(what, key)
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
        DECISION(name, key).pop()
        SAVED_DECISIONS.get().pop(widget(name, key), None)
    reset_choices(table, key)
    TABLES_SEEN.get().append(table)  # what was decided before is not to come back


def reset_choices(table: str, key: str) -> None:
    """Reset every decision about a table but the ranges of a numeric target, without which there is no table to show.

    Values are set and not removed: otherwise the browser would send the old values of the widgets again.
    """
    decide("given", key, {})
    decide("version", key, decided("version", key, 0) + 1)
    undecided = {("split", table): "random"} | {(name, key): _undecided(name) for name in FIELDS}
    for (what, of), value in undecided.items():
        if DECISION(what, of).is_set():
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
    decision = DECISION("given", key)
    if not decision.is_set():
        decision.set({})
    return decision.get()


def save_decisions() -> None:
    """Remember the decisions that widgets of this page hold: another page does not have these widgets."""
    known = {one.name: one.get() for one in DECISION.existing() if not one.name.startswith(_TABLES)}  # see chosen_roles
    SAVED_DECISIONS.get().update(known)


# The ranges that a numeric target is grouped into, each of which is a class.


DEFAULT_RANGES = 3


def ranges_box(key: str, **options: Any) -> None:
    """The box with their number. options: of ``st.number_input``."""
    st.number_input(
        "Number of ranges, about equally many rows in each",
        2,
        20,
        DEFAULT_RANGES,
        key=RANGES(key).name,
        width=360,
        **options,
    )


def group_into_ranges(key: str) -> None:
    """Group the target into as many as the box says; a callback."""
    decide("bins", key, int(RANGES(key).get() or DEFAULT_RANGES))


# The read options of a file, which can be changed; "detected" stands for the detected value.


DETECTED = "detected"
_ENCODINGS = [
    "utf-8",
    "cp1252",
    "utf-16",
    "iso-8859-15",
    "cp1250",
    "cp1251",
    "gb18030",
    "shift_jis",
    "euc_kr",
    "big5",
    "mac_roman",
]
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_DECIMALS = {".": "point", ",": "comma"}
_HEADERS = {True: "the first row has names", False: "no header row"}


def chosen_read_options(file: str) -> ReadOptions:
    """The options that this session chose for the file with this digest."""
    chosen = READ_OPTIONS(file).get()
    return ReadOptions(**{name: value for name, value in chosen.items() if value is not None})


def choose_read_options(file: str, options: ReadOptions) -> None:
    """Choose them as if by hand; before their boxes are drawn."""
    for field, value in asdict(options).items():
        if value is not None:
            READ_OPTIONS(file).get()[field] = value
            READ_OPTION(field, file).set(value)


def reset_button(file: str | None) -> None:
    """A button that resets the options, shown if any was chosen: the file may be unreadable with them."""
    if any(value is not None for value in READ_OPTIONS(file or "").get().values()):
        st.button("Use the detected options", on_click=READ_OPTIONS(file or "").remove)


def read_options_panel(file: str, raw: RawTable) -> None:
    """One box for each option that applies to this kind of file; a change reads the file again."""
    st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
    boxes: list[tuple[str, str, Mapping[Any, str]]] = []
    if raw.kind == "CSV":
        boxes = [
            ("encoding", "Encoding", {e: e for e in _ENCODINGS}),
            ("delimiter", "Separator", _DELIMITERS),
            ("decimal", "Decimal sign", _DECIMALS),
            ("header", "Header", _HEADERS),
        ]
    elif raw.sheets:
        boxes = [("sheet", "Sheet", {s: s for s in raw.sheets}), ("header", "Header", _HEADERS)]
    if not boxes:
        st.caption("This kind of file has no read options.")
        return
    for column, (field, label, options) in zip(st.columns(len(boxes)), boxes, strict=True):
        box = READ_OPTION(field, file).name
        column.selectbox(
            label, [None, *options], key=box, format_func=partial(_label, options),
            on_change=_store, args=(file, field),
        )  # fmt: skip


def _label(options: Mapping[Any, str], value: object) -> str:
    return DETECTED if value is None else options[value]


def _store(file: str, field: str) -> None:
    """Store the choice outside the widget, which disappears if the file is then of another kind."""
    READ_OPTIONS(file).get()[field] = READ_OPTION(field, file).get()


# Why there is no table to train on: said in the middle of the page, which a phone shows too, with what helps.
#
# The choice of the data is drawn in the sidebar before the page, so it leaves here what the page is to say.


@dataclass(frozen=True)
class Unready:
    """What a page says of data that cannot be trained on.

    text: one sentence. kind: how grave it is; an "info" says what to do first. file: the file whose read options may be the
    reason. grouped: of a numeric target, where its decisions are stored and the bin edges that grouping would use.
    left_out: where all columns are, where the decisions are stored and the columns that could be categories.
    """

    text: str
    kind: Literal["info", "warning", "error"] = "error"
    file: str | None = None
    grouped: tuple[str, tuple[float, ...]] | None = None
    left_out: tuple[str, tuple[str, ...]] | None = None


def show_unready(*, beside_run: bool) -> None:
    """Say it, if there is anything. beside_run: whether the page shows a run, which what to do first must not push down."""
    unready = UNREADY.get()
    if unready is None:
        return
    if unready.kind == "info" and beside_run:
        st.caption(in_markdown(unready.text))
        return
    {"info": st.info, "warning": st.warning, "error": st.error}[unready.kind](in_markdown(unready.text))
    reset_button(unready.file)
    if unready.grouped:
        _offer_ranges(*unready.grouped)
    if unready.left_out and unready.left_out[1]:
        _offer_categories(*unready.left_out)


def _offer_ranges(key: str, edges: tuple[float, ...]) -> None:
    """Show the bin edges of a numeric target, and offer to group it."""
    ranges_box(key)
    st.caption(in_markdown(f"Bin edges: {', '.join(f'{edge:g}' for edge in edges)}."))
    st.button("Group into ranges", type="primary", on_click=group_into_ranges, args=(key,))


def _offer_categories(key: str, columns: tuple[str, ...]) -> None:
    """Offer to use the columns that were left out, with their most frequent values as categories."""
    names = ", ".join(f"“{shortened(name, 40)}”" for name in columns[:3])
    more = f" and {len(columns) - 3} more" if len(columns) > 3 else ""
    st.button(
        in_markdown(f"Use {names}{more} as {'a category' if len(columns) == 1 else 'categories'}"), type="primary",
        on_click=decide, args=("categories", key, columns),
    )  # fmt: skip
