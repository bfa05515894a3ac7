"""Ordered categories: names that leave no doubt of their order, open numbers such as "5 or more", and grades as whole numbers."""

import re

import numpy as np

from tsk_core import limits
from tsk_core.data.check.checked import Checked
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import listed, ordered
from tsk_core.data.orders import known_order

__all__ = ["find_orders"]

FEWEST, MOST = 3, 7  # whole numbers of a grade, from 0 or 1 without a gap
FEW = 12  # categories of numbers, at least one of which is open to one side
OPEN = re.compile(r"[<>≤≥]|[+]$|\b(?:more|less|over|under|above|below)\b|(?<=[0-9])more", re.IGNORECASE)
# Words of a name whose numbers grade something; other whole numbers count, or stand for categories without an order.
GRADING = re.compile(
    r"\b(agreement|degree|difficulty|education|grade|importance|intensity|level|likert|pain|priority|quality|rank|rating|risk"
    r"|satisfaction|severity|skill|stage|standard|stress|tier|urgency)s?\b"
)


def find_orders(table: Checked) -> list[Finding]:
    """An offer for each order that columns have and the model does not know; columns whose role a person chose have none."""
    columns: dict[tuple[str, ...], list[str]] = {}
    for column in table.columns:
        if column.name not in table.choices.roles and (order := _order(table, column)):
            columns.setdefault(order, []).append(column.name)
    return [_offer(order, names) for order, names in columns.items()]


def _order(table: Checked, column: ColumnReport) -> tuple[str, ...]:
    """The column's categories from lowest to highest; () where they have no order, or the model knows it."""
    if column.role == "category" and column.distinct <= limits.value("categories"):
        return known_order(table.cells(column.name).as_text().words)
    if column.role == "number" and column.distinct <= FEW and table.cells(column.name).kind == "text":
        words = table.cells(column.name).words  # read as numbers, "5 or more" as 5
        return known_order(words) if words.str.contains(OPEN).any() else ()
    if column.role == "number" and FEWEST <= column.distinct <= MOST and GRADING.search(_words(column.name)):
        values = np.unique(table.X[column.name].dropna()) if column.name in table.X.columns else np.empty(0)
        if len(values) and values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values))):
            return tuple(str(int(value)) for value in values)
    return ()


def _words(name: str) -> str:
    """A name in lower case, its words apart: "painLevel" and "pain_level" are "pain level"."""
    return re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower()


def _offer(order: tuple[str, ...], names: list[str]) -> Finding:
    several = len(names) > 1
    chain = ordered(order)
    fact = f"Column{'s' * several} {listed(names)}: {len(order)} categories that look ordered, {chain}."
    advice = f"With the order, rules name ranges such as '{names[0][:30]} ≥ {order[1][:30]}'."
    changes = {"roles": dict.fromkeys(names, "ordinal"), "orders": dict.fromkeys(names, order)}
    remedy = Remedy(f"Use {'their' if several else 'its'} order: {ordered(order, 4)}", changes)
    return Finding(fact, "", advice, "offer", tuple(names), "roles", "ordinal", remedy)
