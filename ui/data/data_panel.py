"""The data panel: the table, the data check, the role of each column, the split, and the read options."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tsk_core.data import EVERY, ColumnReport, Dataset, ReadOptions
from tsk_core.numbers import counted
from tsk_core.settings import SETTINGS
from ui.data.choose import Chosen, second_uploader
from ui.data.data_check import DATA_VIEW, data_check_panel, is_open, summary
from ui.data.decisions import (
    DECISION,
    EDITABLE,
    chosen_read_options,
    decide,
    decided,
    edited_rows,
    editor,
    end_split_by,
    read_options_panel,
    set_role,
    widget,
)
from ui.data.source import PAINTED, TARGET
from ui.platform import session
from ui.platform.drawing import show_errors
from ui.platform.engine import how_long, when_full
from ui.platform.session import Key
from ui.text import in_markdown, shortened, shortened_names

TEST = Key[float]("test", 0.3, redraws=True)


# What is decided about a column beside its role: cells that mean missing, and the order of its categories.


_CODES_HELP = "As displayed, such as -99, 999 or n/a. Press Enter after each."


def codes_box(chosen: Chosen, column: str) -> None:
    """The cells that stand for a missing value in a column, or in all columns where it is ``EVERY``."""
    key, codes = chosen.key, chosen.choices.codes
    box = DECISION(f"codes of {column}", key)
    box.set(list(codes.get(column, ())))

    def change() -> None:
        cells = tuple(dict.fromkeys(filter(None, (cell.strip() for cell in box.get()))))
        others = {name: one for name, one in (decided("codes", key) or {}).items() if name != column}
        decide("codes", key, {**others, column: cells} if cells else others)

    where = ", in every column" if column == EVERY else ""
    st.multiselect(
        f"Cells that mean missing{where}", list(box.get()), key=box.name, on_change=change, accept_new_options=True,
        placeholder="Type a code", help=_CODES_HELP,
    )  # fmt: skip


def order_box(chosen: Chosen, column: str) -> None:
    """The categories of an ordinal column from lowest to highest, one a line, to be written in another order."""
    choices, key = chosen.choices, chosen.key
    known = [level for step in _steps(chosen, column) for level in step.levels]
    categories = known or (_unordered(chosen, column) if choices.roles.get(column) == "ordinal" else [])
    if not categories:
        return
    box, wrong = DECISION(f"order of {column}", key), DECISION(f"order note of {column}", key)
    box.set("\n".join(categories))

    def change() -> None:
        lines = list(dict.fromkeys(filter(None, map(str.strip, box.get().splitlines()))))
        wrong.set(_misfit(lines, categories))
        if not wrong.get():
            decide("orders", key, {**(decided("orders", key) or {}), column: tuple(lines)})

    st.text_area(
        "Its order, from low to high", key=box.name, on_change=change, height=min(300, 40 + 24 * len(categories)),
        help="One category a line, the lowest first.",
    )  # fmt: skip
    if not known:
        st.button("Use this order", on_click=change, help="The names do not show the order: list them from the lowest up.")
    if wrong.is_set() and wrong.get():
        st.warning(in_markdown(wrong.get()))


def _misfit(lines: list[str], categories: list[str]) -> str:
    """Why these lines are no order of the categories; "" if they are."""
    wrong = [f"“{line}” is not a category of this column" for line in lines if line not in categories]
    wrong += [f"“{category}” is not in the list" for category in categories if category not in lines]
    return f"{wrong[0]}, so the order stays as it was. Write each category once, the lowest first." if wrong else ""


def _unordered(chosen: Chosen, column: str) -> list[str]:
    """The categories of a column whose order nobody knows yet."""
    steps = [step for step in _steps(chosen, column) if step.role == "category"]
    return [name for step in steps for name in sorted(map(str, chosen.shown.frame[step.feature].dropna().unique()))]


def _steps(chosen: Chosen, column: str) -> list[Any]:
    """How the column becomes features, one step or none."""
    cleaning = chosen.shown.cleaning
    return [step for step in cleaning.steps if step.column == column] if cleaning else []


# The role of each column, in an editable table.


def columns_panel(chosen: Chosen, *, visible: bool) -> None:
    """Select boxes and, where it is visible, a table with one row for each column; a changed role cleans the table again."""
    st.caption(
        "Double-click a role to change it. In rules, numbers are high or low, categories are tested for equality, and ordinal"
        " columns are categories with an order, such as low, medium, high. Ignored columns are left out."
    )
    chosen_role = chosen.choices.roles
    now = _reports(chosen)
    roles = {report.name: chosen_role.get(report.name, report.role) for report in now}
    _select_boxes(chosen, roles)
    if visible:
        _column_table(chosen, roles)
    codes_box(chosen, EVERY)


def _reports(chosen: Chosen) -> list[ColumnReport]:
    """What is known of each column under all decisions, in the order of the table, by which its edits are stored."""
    now = {report.name: report for report in chosen.shown.columns}
    return [now.get(report.name, report) for report in chosen.base.columns]


def _column_table(chosen: Chosen, roles: dict[str, str]) -> None:
    reports = _reports(chosen)
    table = pd.DataFrame(
        {
            "column": list(roles),
            "role": list(roles.values()),
            "distinct": [r.distinct for r in reports],
            "missing": [r.missing for r in reports],
            "example": [r.example for r in reports],
            "why": [r.reason for r in reports],
        }
    )
    options = [*EDITABLE, *sorted(set(roles.values()) - set(EDITABLE))]
    st.data_editor(
        table, key=editor(chosen.key), on_change=_follow, args=(chosen.source.key, chosen.key, list(roles)),
        hide_index=True, width="stretch", height=min(420, 38 + 35 * len(table)),
        disabled=["column", "distinct", "missing", "example", "why"],
        column_config={
            "column": st.column_config.TextColumn(width="medium", pinned=True),
            "role": st.column_config.SelectboxColumn(options=options, required=True, width="small"),
            "distinct": st.column_config.NumberColumn("values", width="small", help="Number of distinct values."),
            "missing": st.column_config.NumberColumn(width="small", help="Number of cells without a value."),
            "example": st.column_config.TextColumn(width="small"),
            "why": st.column_config.TextColumn(width="large"),
        },
    )  # fmt: skip


def _select_boxes(chosen: Chosen, roles: dict[str, str]) -> None:
    """The same with select boxes, for keyboards and phones, where editing a table cell is difficult; and the codes."""
    column, role, codes = st.columns(3)
    names = [name for name, role in roles.items() if role != "target"]
    name = column.selectbox("Column", names, None, key=widget("column", chosen.key), placeholder="Choose a column")
    if name is not None:
        table, key = chosen.source.key, chosen.key  # what Streamlit keeps for a callback must not hold the table
        box = DECISION(f"role of {name}", key)
        box.set(roles[name])

        def change() -> None:
            set_role(table, key, name, box.get())

        options = dict.fromkeys([*EDITABLE, roles[name]])  # that of the split, for a column that decides it
        role.selectbox("Its role", list(options), key=box.name, on_change=change)
        with codes:
            codes_box(chosen, name)
        order_box(chosen, name)


def _follow(table: str, key: str, names: list[str]) -> None:
    """The role "target" for another column chooses the target; another role for the column of the split ends that split."""
    for row, changed in edited_rows(key).items():
        if changed.get("role") == "target":
            TARGET.set(names[int(row)])
        elif changed.get("role") in EDITABLE:
            end_split_by(table, names[int(row)])


# The split: a random share, whole groups, the latest rows, a column, or a second file.


_WAYS = {
    "random": "a random share of each class",
    "group": "whole groups, none in both training and test",
    "time": "the latest rows",
    "split": "rows marked by a column",
    "file": "a second file",
}
_COLUMN = {"group": "Column with the group", "time": "Column with the time", "split": "Column that says train or test"}
_REPEATED = {
    "keep": "keep them as they are",
    "together": "keep them on one side, training or test",
    "drop": "drop all but one",
}


def split_panel(chosen: Chosen, *, visible: bool) -> None:
    """The kind of split, its column, and, if ``visible``, the result."""
    table = chosen.source.key
    files = chosen.source.raw is not None
    ways = [way for way in _WAYS if way != "file" or files]
    marked = _marked(chosen)
    labels = _WAYS | ({} if marked is None else {"random": f"rows marked by the column {marked}"})
    way = st.selectbox("Test on", ways, key=widget("split", table), format_func=labels.__getitem__)
    if way == "random" and marked is not None:
        st.caption(in_markdown(f"For a random share, give the column {marked} the role “ignored” in Columns."))
    if way in _COLUMN:
        names = [name for name in chosen.source.columns if name != chosen.base.target]
        st.selectbox(_COLUMN[way], names, None, key=widget(f"by_{way}", table), placeholder="Choose a column")
        if decided(f"by_{way}", table) is None:
            st.info("Choose a column; until then, the test rows are a random share.")
    elif way == "file":
        second_uploader(chosen.source)
    st.selectbox(
        "Equal rows", list(_REPEATED), key=widget("repeated", chosen.key), format_func=_REPEATED.__getitem__,
        help="A row that is in training and in test makes the test score too good.",
    )  # fmt: skip
    if visible:
        _show_split(chosen)


def _marked(chosen: Chosen) -> str | None:
    """The name, in quotes, of the column that was found to say which rows are tested, unless it was given another role."""
    found = chosen.base.split_column
    return None if found is None or found.column in chosen.choices.roles else f"“{shortened(found.column, 40)}”"


def _show_split(chosen: Chosen) -> None:
    with show_errors():
        split = chosen.shown.split(TEST.get(), int(session.widget(SETTINGS["random_state"].key).get() or 0))
        st.caption(f"{len(split.train):,} training rows, {len(split.test):,} test rows.")
        for note in split.notes:
            st.caption(in_markdown(note))


# Keeping an uploaded table on the server: only if its owner chooses to.


def keep_table_checkbox(chosen: Chosen) -> None:
    """The checkbox, and what the server keeps in either case."""
    st.checkbox(
        "Keep this table with my runs", key=widget("keep", chosen.source.key),
        help="The link of a run then works without the file. Anyone with the link can use the table.",
    )  # fmt: skip
    st.caption(
        "Otherwise the server deletes the table when you close the page. Of each run it keeps the settings, epochs, model, rules,"
        f" and the names of columns and classes. {how_long()} {when_full()} The page Runs shows what is kept and can delete it."
    )


def keep_table(chosen: Chosen) -> bool:
    """Whether the server is to keep the table with the run; painted points always: the next stroke changes those of the page."""
    if chosen.source.key == PAINTED:
        return True
    return chosen.source.raw is not None and bool(decided("keep", chosen.source.key))


def read_options_of(chosen: Chosen) -> ReadOptions | None:
    """The read options that a person chose, None if all were detected; part of the reproduction recipe."""
    options = chosen_read_options(chosen.source.key)
    return options if chosen.source.raw is not None and options != ReadOptions() else None


PREVIEW_ROWS = 200


def data_panel(chosen: Chosen, *, expanded: bool, upcoming: bool = False) -> None:
    """Everything about the data in one box. expanded: whether the page has no run. upcoming: the run shown has other data.

    It is open where an own table has come and nothing is trained yet; else a reader opens it.
    """
    dataset, own = chosen.shown, expanded and chosen.source.raw is not None
    drawn_for = chosen.source.key if own else "" if expanded else "run"
    known_for, was_open = session.DATA_BOX_FOR.get()
    opened = session.DATA_BOX.get() if session.DATA_BOX.is_set() else was_open
    if known_for != drawn_for:
        opened = own
    session.DATA_BOX_FOR.set((drawn_for, opened))
    session.DATA_BOX.set(opened)  # each time: Streamlit closes a box whose title has changed
    title = _title(dataset, upcoming, whole=opened)
    if chosen.source.raw is not None and not DATA_VIEW.is_set() and any(map(is_open, dataset.findings)):
        DATA_VIEW.set("Data check")  # what waits for a decision is seen first
    box = st.expander(title, key=session.DATA_BOX.name, on_change="rerun")
    # Tables are drawn only if visible, since they take time. Other widgets are always drawn: they hold decisions.
    with box:
        if not expanded or chosen.source.raw is None:  # else the card above says it (table_card.py)
            st.caption(summary(chosen))
        titles, raw = ["Table", "Data check", "Columns", "Split"], chosen.source.raw
        # The key keeps the open tab: a change of the box title would otherwise open the first tab again.
        tabs = st.tabs([*titles, "Read options"] if raw is not None else titles, key=DATA_VIEW.name, on_change="rerun")
        with tabs[0]:
            if box.open and tabs[0].open:
                _table(dataset)
            if raw is not None:
                keep_table_checkbox(chosen)
        with tabs[1]:
            data_check_panel(chosen)
        with tabs[2]:
            if box.open:  # what is chosen there is stored outside of its widgets
                columns_panel(chosen, visible=bool(tabs[2].open))
        with tabs[3]:
            split_panel(chosen, visible=bool(box.open))
        if raw is not None:
            with tabs[4]:
                read_options_panel(chosen.source.key, raw)


def _title(dataset: Dataset, upcoming: bool, whole: bool) -> str:
    """The title of the box, as Markdown. whole: with the numbers of features and classes, for which a closed box has no room."""
    features = dataset.frame.shape[1] - 1
    name = in_markdown(shortened(dataset.name, 60 if whole else 18))
    rest = f", {counted(features, 'feature')}, {len(dataset.classes)} classes" if whole else ""
    return f"{'Data of the next run' if upcoming else 'Data'} – {name}: {len(dataset.frame):,} rows{rest}"


def _table(dataset: Dataset) -> None:
    """The first rows, and beside them, or below them on a phone, how many rows each class has."""
    first, sizes = dataset.frame.head(PREVIEW_ROWS), dataset.class_sizes
    names = shortened_names(sizes.index, 22)
    balance = pd.DataFrame({"class": names, "rows": sizes.to_numpy(), "share": 100 * sizes.to_numpy() / sizes.sum()})
    columns = {
        "class": st.column_config.TextColumn(width=165),
        "rows": st.column_config.NumberColumn(width=55),
        "share": st.column_config.NumberColumn(format="%.1f%%", width=65),
    }
    with st.container(horizontal=True):
        st.dataframe(first.set_axis(dataset.row_numbers(np.arange(len(first)))), height=_height(first), width="stretch")
        st.dataframe(balance, hide_index=True, height=_height(balance), width=290, column_config=columns)
    if len(dataset.frame) > PREVIEW_ROWS:
        st.caption(f"The first {PREVIEW_ROWS} of {len(dataset.frame):,} rows.")
    if dataset.source:
        licence = f" Licence: {dataset.licence}." if dataset.licence else ""
        st.caption(in_markdown(f"Source: {dataset.source}.{licence}"))


def _height(table: pd.DataFrame) -> int:
    return min(260, 38 + 35 * len(table))
