"""Time: a column that says when each row was, so that a random split tests on rows older than some that were trained on.

Such are dates but those of birth; whole numbers that are dates (20240305) or seconds since 1970; and, where the rows are in their
order, years and numbers whose name says time ("period", "Woche").
"""

import numpy as np

from tsk_core.data.check.checked import Checked
from tsk_core.data.clean.identifiers import BIRTHS, name_words, whole
from tsk_core.data.clean.pipeline import CleaningStep
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import quoted

__all__ = ["is_moment", "names_a_time", "times"]

_LEAST_ROWS = 3
_FEWEST = 3  # times
_IN_ORDER = 0.99  # least share of rows that are not before the row above them
_TIMES = {
    "date", "datum", "datetime", "day", "epoch", "hour", "jahr", "jahre", "monat", "month", "period", "periode", "quarter",
    "quartal", "season", "stunde", "tag", "tick", "time", "timestamp", "week", "woche", "wave", "year", "yr", "zeit", "zeitpunkt",
    "zeitstempel",
}  # fmt: skip
_SECONDS = (946_684_800, 2_145_916_800)  # of the years 2000 to 2037


def times(table: Checked) -> list[Finding]:
    """The column that says when each row was, with an offer to test on the latest rows; at most one, rows in its order first."""
    if any(report.role in ("group", "time", "split") for report in table.columns):
        return []
    found: list[tuple[bool, int, Finding]] = []
    for step in table.cleaning.steps:
        if step.role != "number" or step.feature not in table.X or BIRTHS & set(name_words(step.column)):
            continue
        values = table.X[step.feature].to_numpy(np.float64, na_value=np.nan)
        values = values[~np.isnan(values)]
        if len(values) < _LEAST_ROWS or 2 * len(values) < len(table.y) or not _is_candidate(step, values):
            continue
        in_order = _in_order(values)
        if (in_order or _is_dated(step, values)) and len(np.unique(values)) >= _FEWEST:
            found.append((not in_order, len(found), _finding(step, values, in_order)))
    return [min(found, key=lambda one: one[:2])[2]] if found else []


def _finding(step: CleaningStep, values: np.ndarray, in_order: bool) -> Finding:
    what = "the rows are sorted by it" if in_order else "it has dates of the rows"
    first, last = (_year(step, value) for value in (values.min(), values.max()))
    years = f", {first}" if first == last else f", {first} to {last}"
    fact = f"Column {quoted(step.column)}: {what}{years if first and last else ''}."
    advice = "Test on the latest rows if the classifier is to predict later ones."
    remedy = Remedy("Test on the latest rows", {"roles": {step.column: "time"}})
    return Finding(fact, "", advice, "offer", (step.column,), "roles", "time", remedy)


def _year(step: CleaningStep, value: float) -> str:
    """The year of a moment; "" of a number that only counts, and outside the years 1 to 9999. No more of a cell: findings are
    kept where the table is not.
    """
    if step.date:
        moment = step.date.moment(float(value))
        return "" if np.isnat(moment) else str(moment)[:4]
    if not is_moment(np.array([value])):
        return ""
    for unit in (1, 1_000):
        if _SECONDS[0] * unit <= value <= _SECONDS[1] * unit:
            return str(np.datetime64(int(value) // unit, "s"))[:4]
    return str(int(value))[:4]


def _is_candidate(step: CleaningStep, values: np.ndarray) -> bool:
    return _is_dated(step, values) or (whole(values) and (_are_years(values) or names_a_time(step.column)))


def _is_dated(step: CleaningStep, values: np.ndarray) -> bool:
    """Whether numbers are dates, not only years or steps."""
    if step.date:
        return step.date.scale != "clock"
    return is_moment(values) and not _are_years(values)


def names_a_time(name: str) -> bool:
    """Whether a column's name is that of a time, such as "year" or "Period"; "years since" or "age in months" is a length."""
    words = [word for word in name_words(name) if word not in ("id", "nr", "no", "number", "of", "the", "in")]
    return 1 <= len(words) <= 2 and words[-1] in _TIMES


def is_moment(values: np.ndarray) -> bool:
    """Whether all numbers are years, dates such as 20240305, or seconds or milliseconds since 1970. values: no NaN."""
    if not whole(values) or not len(values):
        return False
    low, high = values.min(), values.max()
    for unit in (1, 1_000):
        if _SECONDS[0] * unit <= low and high <= _SECONDS[1] * unit:
            return True
    return _are_years(values) or (low >= 19_000_101 and high <= 21_001_231 and _are_days(values))


def _are_years(values: np.ndarray) -> bool:
    return bool(whole(values) and values.min() >= 1_900 and values.max() <= 2_100)


def _are_days(values: np.ndarray) -> bool:
    months, days = values // 100 % 100, values % 100
    return bool(((months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)).all())


def _in_order(values: np.ndarray) -> bool:
    """Whether the rows are in the order of these numbers, the earliest or the latest first."""
    steps = np.diff(values)
    return bool(max((steps >= 0).mean(), (steps <= 0).mean()) >= _IN_ORDER and values[0] != values[-1])
