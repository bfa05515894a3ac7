"""The role of each column, in a table that can be edited."""

import pandas as pd
import streamlit as st

from ui.data.choose import Chosen
from ui.data.decisions import EDITABLE, editor, give_role, given_roles, widget

__all__ = ["columns_panel"]


def columns_panel(chosen: Chosen) -> None:
    """One row a column; a changed role prepares the table anew."""
    st.caption(
        "Click a role twice to change it. In a rule a number can be high or low, a category is or is not; ignored: left out."
    )
    reports = chosen.base.columns  # not of the dataset as decided: edits count from what was guessed
    given = given_roles(chosen.key, chosen.base)
    now = {report.name: report for report in chosen.shown.columns}
    table = pd.DataFrame(
        {
            "column": [r.name for r in reports],
            "role": [given.get(r.name, r.role) for r in reports],
            "distinct": [r.distinct for r in reports],
            "gaps": [r.gaps for r in reports],
            "example": [r.example for r in reports],
            "why": [now[r.name].reason if r.name in now else r.reason for r in reports],
        }
    )
    _by_boxes(chosen, dict(zip(table["column"], table["role"], strict=True)))
    options = [*EDITABLE, *sorted(set(table["role"]) - set(EDITABLE))]
    st.data_editor(
        table, key=editor(chosen.key), on_change=_make_target, args=(chosen,),
        hide_index=True, width="stretch", height=min(420, 38 + 35 * len(table)),
        disabled=["column", "distinct", "gaps", "example", "why"],
        column_config={
            "column": st.column_config.TextColumn(width="medium", pinned=True),
            "role": st.column_config.SelectboxColumn(options=options, required=True, width="small"),
            "distinct": st.column_config.NumberColumn("values", width="small", help="How many different values there are."),
            "gaps": st.column_config.NumberColumn(width="small", help="Cells without a value."),
            "example": st.column_config.TextColumn(width="small"),
            "why": st.column_config.TextColumn(width="large"),
        },
    )  # fmt: skip


def _by_boxes(chosen: Chosen, roles: dict[str, str]) -> None:
    """The same without the table, for the keyboard and for phones: a cell of it opens at a second click only."""
    column, role = st.columns(2)
    names = [name for name, role in roles.items() if role in EDITABLE]
    name = column.selectbox("Column", names, None, key=widget("column", chosen.key), placeholder="Choose a column")
    if name is not None:
        at = widget(f"role of {name}", chosen.key)
        st.session_state[at] = roles[name]

        def change() -> None:
            give_role(chosen.key, name, st.session_state[at])

        role.selectbox("Its role", EDITABLE, key=at, on_change=change)


def _make_target(chosen: Chosen) -> None:
    """The role "target" given to another column is a choice of target."""
    for row, changed in st.session_state.get(editor(chosen.key), {}).get("edited_rows", {}).items():
        if changed.get("role") == "target":
            st.session_state.target = chosen.base.columns[int(row)].name
