"""IDs: whole numbers that name rows or things and measure nothing, among the columns used as numbers.

A column is a suspect if its name says so ("customer", "phone", "Postleitzahl") and its numbers are long or rarely repeat; if its
numbers count the rows; if all differ where measurements would repeat by chance; or if all are long and of the same length.
"""

import numpy as np

from tsk_core.data.check.checked import Checked
from tsk_core.data.check.times import is_moment, names_a_time
from tsk_core.data.clean.identifiers import name_words, names_an_id, whole
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import quoted

__all__ = ["ids"]

_LEAST_ROWS = 20
_LONG = 4  # digits of numbers that a name such as "phone" or "zip" tells are no measurements
_UNLIKE = 0.5  # least share of distinct numbers in a column whose name says it is an ID
_CONTACTS = {
    "phone", "telephone", "telefon", "tel", "mobile", "handy", "fax", "zip", "zipcode", "postcode", "postal", "plz",
    "postleitzahl", "iban", "isbn", "ean", "gtin", "upc", "sku", "barcode", "ssn", "imei", "serial", "fips", "kontonummer",
    "kundennummer", "personalnummer", "artikelnummer", "seriennummer", "invoice", "passport",
}  # fmt: skip
_REPEATS = 10.0  # repetitions to be expected by chance; their absence then has the probability exp(−10)
_DIGITS = 6  # of numbers that are all of the same length
_VERY_LONG = 9  # the same, of which nothing else is asked
_SPREAD = 0.8  # share of the numbers of that length over which they are spread
_UNIFORM = 1.36  # largest Kolmogorov-Smirnov distance × √N from a uniform distribution


def ids(table: Checked) -> list[Finding]:
    """Columns of numbers that are IDs, each with an offer to leave it out."""
    found = []
    for step in table.cleaning.steps:
        if step.role != "number" or step.date or step.feature not in table.X or step.column in table.choices.roles:
            continue
        column = table.X[step.feature].to_numpy(np.float64, na_value=np.nan)
        values = column[~np.isnan(column)]
        if len(values) >= _LEAST_ROWS and whole(values) and (why := _reason(step.column, values)):
            found.append(_finding(step.column, why))
    return found


def _finding(name: str, why: str) -> Finding:
    fact = f"Column {quoted(name)} seems to be an identifier rather than a measurement: {why}."
    remedy = Remedy("Leave it out", {"roles": {name: "ignored"}})
    return Finding(
        fact, "Used as a number.", "Leave it out if its size has no meaning.", "warning", (name,), "roles", "id", remedy
    )


def _reason(name: str, values: np.ndarray) -> str:
    """Why whole numbers are IDs, or ""."""
    if is_moment(values) or names_a_time(name):
        return ""
    distinct = np.unique(values)
    n_digits = len(str(int(distinct[-1])))
    if _CONTACTS & set(name_words(name)) and n_digits >= _LONG and len(distinct) > 2:
        return f"its numbers have {n_digits} digits, and its name says what they are"
    if names_an_id(name) and len(distinct) >= _UNLIKE * len(values):
        return f"it has {len(distinct):,} different numbers in {len(values):,} rows, and its name says what they are"
    if len(distinct) < len(values):
        return ""
    steps = np.diff(values)
    if steps[0] and (steps == steps[0]).all():
        return "its numbers count the rows"
    if _expected_repetitions(distinct) >= _REPEATS:
        return f"all of its {len(values):,} numbers differ, whereas some measurements would be equal by chance"
    if _same_length(distinct) and (distinct % 10).any():
        return f"all of its {len(values):,} numbers differ and have {n_digits} digits"
    return ""


def _expected_repetitions(distinct: np.ndarray) -> float:
    """Pairs of equal numbers to be expected among as many rounded measurements that are distributed alike.

    In each tenth of the numbers, n of them spread over a range of r: n(n − 1) / 2r.
    """
    parts = [part for part in np.array_split(distinct, 10) if len(part) > 1]
    return sum(len(part) * (len(part) - 1) / (2 * (part[-1] - part[0] + 1)) for part in parts)


def _same_length(distinct: np.ndarray) -> bool:
    """Whether numbers are long, of the same length, and, unless they are very long, spread evenly over all of that length."""
    low = 10.0 ** (len(str(int(distinct[0]))) - 1)
    if low < 10 ** (_DIGITS - 1) or distinct[-1] >= 10 * low:
        return False
    if low >= 10 ** (_VERY_LONG - 1):
        return True
    place = (distinct - low) / (9 * low)
    far = np.abs(place - (np.arange(len(place)) + 0.5) / len(place)).max() * np.sqrt(len(place))
    return bool(place[-1] - place[0] >= _SPREAD and far <= _UNIFORM)
