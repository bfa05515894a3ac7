"""What is decided about a column beside its role: cells that mean missing, and the order of its categories."""

from typing import Any

import streamlit as st

from tsk_core.data import EVERY
from ui.data.choose import Chosen
from ui.data.decisions import decide, decided
from ui.platform import session
from ui.text import in_markdown

_CODES_HELP = "As displayed, such as -99, 999 or n/a. Press Enter after each."


def codes_box(chosen: Chosen, column: str) -> None:
    """The cells that stand for a missing value in a column, or in all columns where it is ``EVERY``."""
    key, codes = chosen.key, chosen.choices.codes
    box = session.DECISION(f"codes of {column}", key)
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
    box, wrong = session.DECISION(f"order of {column}", key), session.DECISION(f"order note of {column}", key)
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
