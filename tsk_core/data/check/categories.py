"""Whole numbers that stand for categories, and categories whose names have an order.

As numbers they have an order, which rules use ("continent is high"). A column of few small whole numbers is a suspect where the
classes of its rows depend on the number by more than a threshold or a straight line (of five numbers and more, a parabola)
explains, and where the order of the numbers says little: rows of neighbouring numbers are not clearly more alike in their classes
than they would be with the numbers in random order.
"""

import re
from itertools import permutations

import numpy as np
from scipy import stats

from tsk_core import limits
from tsk_core.data.check.table import Checked
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import listed, ordered
from tsk_core.data.orders import known_order

_FEWEST, _MOST = 4, 12  # different numbers; three have too few orders to compare with
_LARGEST = 20
_LEAST_ROWS = 5  # with a number, for it to count in the tests
_SURE = 1e-4  # largest p-value, divided by the number of such columns
_SMOOTHER = 0.75  # least share of orders with less alike neighbours that is no chance
_ORDERS = 500  # random ones, of more than six numbers


def numbered_categories(table: Checked) -> list[Finding]:
    """One offer for all columns whose numbers look like categories; those whose role a person chose have none."""
    few = [column for column in table.columns if _is_candidate(table, column)]
    if not few:
        return []
    _, y = np.unique(table.y.astype(str), return_inverse=True)
    found = [column.name for column in few if _looks_nominal(table.X[column.name].to_numpy(np.float64), y, _SURE / len(few))]
    return [_offer_categories(found)] if found else []


def _is_candidate(table: Checked, column: ColumnReport) -> bool:
    """Whether it has few different numbers, whole ones from 0 or 1."""
    if column.role != "number" or column.name in table.choices.roles or not _FEWEST <= column.distinct <= _MOST:
        return False
    if column.name not in table.X.columns:
        return False
    values = np.unique(table.X[column.name].dropna().to_numpy(np.float64))
    whole = len(values) >= _FEWEST and bool((values == np.round(values)).all())
    return whole and values[0] in (0, 1) and values[-1] <= _LARGEST


def _looks_nominal(x: np.ndarray, y: np.ndarray, sure: float) -> bool:
    """Whether classes (N,) depend on numbers (N,), NaN for missing, but not on their order."""
    known = ~np.isnan(x)
    values, number = np.unique(x[known], return_inverse=True)
    counts = np.zeros((len(values), y.max() + 1))
    np.add.at(counts, (number, y[known]), 1)
    often = counts.sum(1) >= _LEAST_ROWS
    values, counts = values[often], counts[often]
    counts = counts[:, counts.sum(0) > 0]
    if len(values) < _FEWEST or counts.shape[1] < 2:
        return False
    return _departure(values, counts) < sure and _share_rougher(counts) < _SMOOTHER


def _departure(values: np.ndarray, counts: np.ndarray) -> float:
    """The p-value of what ordered numbers leave of Pearson's χ² of a table (values, classes): what neither a straight line, or a
    parabola, explains nor a threshold.

    χ² is a sum over orthogonal polynomials of the numbers (Rayner and Best 2001, A Contingency Table Approach to Nonparametric
    Testing); the parts of the first ones are those of the mean and the spread of the numbers in each class.
    """
    rows, classes, total = counts.sum(1), counts.sum(0), counts.sum()
    degree = 1 if len(values) == _FEWEST else 2
    weight = np.sqrt(rows / total)[:, None]
    powers = np.vander((values - values.mean()) / values.std(), degree + 1, increasing=True)
    scores = np.linalg.qr(powers * weight)[0][:, 1:] / weight  # mean 0, variance 1 and uncorrelated over the rows
    curve = float(((scores.T @ counts) ** 2 / classes).sum())
    below = np.cumsum(counts, 0)[:-1]
    threshold = max(_chi_squared(np.stack([part, classes - part])) for part in below)
    p_values = (
        stats.chi2.sf(max(0.0, _chi_squared(counts) - explained), (len(values) - 1 - used) * (len(classes) - 1))
        for explained, used in ((curve, degree), (threshold, 1))
    )
    return float(max(p_values))


def _chi_squared(counts: np.ndarray) -> float:
    expected = np.outer(counts.sum(1), counts.sum(0)) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def _share_rougher(counts: np.ndarray) -> float:
    """The share of orders of the numbers in which the classes of neighbouring ones differ more than in their own order."""
    n = len(counts)
    if n <= 6:
        orders = np.array(list(permutations(range(n))))
    else:
        orders = np.random.default_rng(0).permuted(np.tile(np.arange(n), (_ORDERS, 1)), axis=1)
    shares, rows = counts / counts.sum(1, keepdims=True), counts.sum(1)
    distances = ((shares[:, None] - shares) ** 2 / counts.sum(0)).sum(2) * (rows[:, None] * rows / (rows[:, None] + rows))
    roughness = distances[orders[:, :-1], orders[:, 1:]].sum(1)
    own = distances[np.arange(n - 1), np.arange(1, n)].sum()
    return float((roughness > own * (1 + 1e-9)).mean())


def _offer_categories(names: list[str]) -> Finding:
    several = len(names) > 1
    fact = (
        f"Column{'s' * several} {listed(names)}: small whole numbers whose order says little about the class: rows with"
        " neighbouring numbers are hardly more alike than others."
    )
    advice = (
        "If the numbers only name categories, use them as such: rules then name single values instead of high or low numbers."
    )
    remedy = Remedy("Use them as categories", {"roles": dict.fromkeys(names, "category")})
    return Finding(fact, "", advice, "offer", tuple(names), "roles", "numbered categories", remedy)


# Ordered categories: names that leave no doubt of their order, open numbers such as "5 or more", and grades as whole numbers.


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
    return [_offer_order(order, names) for order, names in columns.items()]


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


def _offer_order(order: tuple[str, ...], names: list[str]) -> Finding:
    several = len(names) > 1
    chain = ordered(order)
    fact = f"Column{'s' * several} {listed(names)}: {len(order)} categories that look ordered, {chain}."
    advice = f"With the order, rules name ranges such as '{names[0][:30]} ≥ {order[1][:30]}'."
    changes = {"roles": dict.fromkeys(names, "ordinal"), "orders": dict.fromkeys(names, order)}
    remedy = Remedy(f"Use {'their' if several else 'its'} order: {ordered(order, 4)}", changes)
    return Finding(fact, "", advice, "offer", tuple(names), "roles", "ordinal", remedy)
