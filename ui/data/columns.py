"""The role of each column, in an editable table."""

import pandas as pd
import streamlit as st

from tsk_core.data import EVERY, ColumnReport
from ui.data.choose import Chosen
from ui.data.column_choices import codes_box, order_box
from ui.data.decisions import EDITABLE, edited_rows, editor, end_split_by, set_role, widget
from ui.platform import session


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
        _table(chosen, roles)
    codes_box(chosen, EVERY)


def _reports(chosen: Chosen) -> list[ColumnReport]:
    """What is known of each column under all decisions, in the order of the table, by which its edits are stored."""
    now = {report.name: report for report in chosen.shown.columns}
    return [now.get(report.name, report) for report in chosen.base.columns]


def _table(chosen: Chosen, roles: dict[str, str]) -> None:
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
        box = session.DECISION(f"role of {name}", key)
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
            session.TARGET.set(names[int(row)])
        elif changed.get("role") in EDITABLE:
            end_split_by(table, names[int(row)])
