"""Columns that name rows or what several rows come from (subjects, ids), or say when a row was (times).

A random split then tests on subjects that training knows. A column is a suspect by its name ("patient", "job number"), by its
words ("P017"), or because rows with the same number, and not those with the next, have the same class. It is reported if a
nearest neighbour predicts worse where it may not look at rows with the same value. The id of a subject is offered for the split
even if that cannot be measured.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from tsk_core.data.check.table import Checked
from tsk_core.data.clean.identifiers import (
    BIRTHS,
    are_codes,
    are_numbered,
    name_words,
    names_a_subject,
    names_an_entity,
    names_an_id,
    whole,
)
from tsk_core.data.clean.pipeline import CleaningStep
from tsk_core.data.clean.roles import REPEATED_ID, ColumnReport
from tsk_core.data.encoding import Encoder
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import quoted
from tsk_core.metrics import accuracy

_FEWEST = 8  # values of a column that names subjects
_FEWEST_IDS = 4  # the same of an id that is left out, which is offered without a measurement
_FEWEST_UNNAMED = 15  # the same where the name does not tell
_REPEATED = 1.5  # least mean number of rows with the same value
_MOST_MISSING = 0.2
_LARGEST = 0.2  # largest share of rows with one value where only the class tells
_SEVERAL = 3  # rows that (almost) all rows' values have, where only the class tells
_REGULAR = 0.9  # share that is "almost all"
_SAME_CLASS = 0.5  # least agreement (0 by chance, 1 always) of the classes of rows with the same value, where only it tells
_SOME = 0.03  # less, and a row's class does not tell that of the others
_ALWAYS = 0.9  # the same where nothing else tells
_ALIKE = 0.5  # least share of rows whose nearest row has the same number, where only the class tells
_UNORDERED = 0.7  # least distance of the number of the nearest row with another one, where 1 is that of any row
_DROP = 0.05  # least difference of balanced accuracy
_SURE = 3.0  # standard errors by which it differs from 0
_COMPARED = 1_000  # rows whose nearest rows are looked for
_MOST = 4  # columns looked at closely


def subjects(table: Checked) -> list[Finding]:
    """The column whose values name subjects, with their number, the rows of each, and what a fair test of them changes.

    At most one finding: of several such columns, the one that makes a nearest neighbour predict worst, else the first id.
    """
    if any(report.role in ("group", "time", "split") for report in table.columns):
        return []
    classes, y = np.unique(table.y.astype(str), return_inverse=True)
    if len(classes) < 2:
        return []
    found = []
    for suspect in _candidates(table, y)[:_MOST]:
        neighbours = _neighbours(table, suspect, y)
        if neighbours and _is_reported(suspect, neighbours):
            found.append((neighbours.apart, len(np.unique(suspect.codes)), suspect, neighbours))
    if found:
        return [_subject_finding(*min(found, key=lambda one: one[:2])[2:])]
    return [_offer(table, report) for report in table.columns if _is_left_out(table, report)][:1]


@dataclass(frozen=True, eq=False)
class _Suspect:
    """A column by the code of each row, (N,), increasing with its numbers. agreement: of the classes of rows with the same
    value. named: whether its name or words say what it is.
    """

    column: str
    codes: np.ndarray
    agreement: float
    named: bool


@dataclass(frozen=True)
class _Neighbours:
    """What the nearest rows tell. known, apart: balanced accuracy of the nearest neighbour among all rows, and among rows with
    other values. drop: their difference in standard errors. alike: share of rows whose nearest row has the same value.
    unordered: how far the number of the nearest row with another one is, where 1 is the distance of any row.
    """

    known: float
    apart: float
    drop: float
    alike: float
    unordered: float


def _subject_finding(suspect: _Suspect, neighbours: _Neighbours) -> Finding:
    name = quoted(suspect.column)
    fact = (
        f"Column {name} repeats: {_repetitions(suspect.codes)}, and the nearest neighbour of a"
        f" row predicts its class with balanced accuracy {neighbours.known:.3f}, but {neighbours.apart:.3f} when rows with the"
        f" same {name} are left out."
    )
    return Finding(fact, "", _advice(suspect.column), "warning", (suspect.column,), "roles", "group", _remedy(suspect.column))


def _offer(table: Checked, report: ColumnReport) -> Finding:
    """For an id of which nothing could be measured."""
    cells = table.cells(report.name)
    fact = f"Column {quoted(report.name)} repeats: {_repetitions(pd.factorize(cells.as_text().codes, use_na_sentinel=True)[0])}."
    return Finding(fact, "", _advice(report.name), "offer", (report.name,), "roles", "group", _remedy(report.name))


def _repetitions(codes: np.ndarray) -> str:
    """As "40 values in 320 rows, 8 rows each". codes: from 0, negative where there is no value, (N,)."""
    rows = np.bincount(codes[codes >= 0])
    least, most = int(rows.min()), int(rows.max())
    each = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{len(rows):,} values in {rows.sum():,} rows, {each} rows each"


def _advice(column: str) -> str:
    return f"Split by {quoted(column)} if the classifier is meant for new values of it."


def _remedy(column: str) -> Remedy:
    return Remedy(f"Split by {quoted(column)}", {"roles": {column: "group"}})


def _is_left_out(table: Checked, report: ColumnReport) -> bool:
    """Whether a column is a subject's id that is no feature for that reason, with values enough for a split."""
    named = report.reason.startswith(REPEATED_ID) and names_a_subject(report.name)
    return named and _FEWEST_IDS <= report.distinct <= (len(table.y) - report.missing) / _REPEATED


def _is_reported(suspect: _Suspect, neighbours: _Neighbours) -> bool:
    if neighbours.known - neighbours.apart < _DROP or neighbours.drop < _SURE:
        return False
    return suspect.named or ((suspect.agreement >= _ALWAYS or neighbours.alike >= _ALIKE) and neighbours.unordered >= _UNORDERED)


def _candidates(table: Checked, y: np.ndarray) -> list[_Suspect]:
    """Columns that may name subjects, those whose name or words say so first."""
    found = []
    for report in table.columns:
        if report.role == "target" or report.missing > _MOST_MISSING * len(y):
            continue
        if not _FEWEST <= report.distinct <= (len(y) - report.missing) / _REPEATED:
            continue
        named = _names_subjects(table, report)
        if not named and report.distinct < _FEWEST_UNNAMED or (codes := _codes(table, report)) is None:
            continue
        filled = codes >= 0
        rows = np.bincount(codes[filled])
        same, following = _agreement(codes[filled], y[filled])
        if same < _SOME:
            continue
        even = rows.max() <= _LARGEST * filled.sum() and rows[rows >= _SEVERAL].sum() >= _REGULAR * filled.sum()
        if named or (even and same >= _SAME_CLASS and following < same / 2):
            found.append(_Suspect(report.name, codes, same, named))
    return sorted(found, key=lambda suspect: not suspect.named)


def _names_subjects(table: Checked, report: ColumnReport) -> bool:
    """Whether a column's name or words say that it names subjects. A job is one where it has a number, and not in words."""
    if names_a_subject(report.name):
        return True
    cells, is_number = table.cells(report.name), report.role == "number"
    if names_an_entity(report.name):
        return cells.kind != "text" or is_number or are_numbered(cells)
    return not is_number and are_codes(cells)


def _codes(table: Checked, report: ColumnReport) -> np.ndarray | None:
    """Each row's value as an integer from 0, -1 where it is missing, (N,); None for measurements, dates, and the target."""
    cells = table.cells(report.name)
    step = next((step for step in table.cleaning.steps if step.column == report.name and step.role == "number"), None)
    if step and (step.date or step.feature not in table.X):
        return None
    if step or cells.kind == "number":
        values = table.X[step.feature].to_numpy(np.float64, na_value=np.nan) if step else cells.values.astype(np.float64)
        if not whole(values):
            return None
        return pd.factorize(values, sort=True)[0].astype(np.int64)
    return cells.codes if cells.kind == "text" and report.role in ("category", "ignored") else None


def _agreement(codes: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """How often two rows have the same class, 0 by chance and 1 always: two of the same value, and of a value and the next."""
    counts = np.bincount(codes * (y.max() + 1) + y, minlength=(codes.max() + 1) * (y.max() + 1)).reshape(codes.max() + 1, -1)
    rows, chance = counts.sum(1), ((counts.sum(0) / counts.sum()) ** 2).sum()
    same = (counts * (counts - 1)).sum() / max((rows * (rows - 1)).sum(), 1)
    following = (counts[1:] * counts[:-1]).sum() / max((rows[1:] * rows[:-1]).sum(), 1)
    return tuple((float(agreement) - chance) / max(1 - chance, 1e-9) for agreement in (same, following))


def _neighbours(table: Checked, suspect: _Suspect, y: np.ndarray) -> _Neighbours | None:
    """What the nearest rows tell, of a sample of rows that has all rows of a value or none; None without other features."""
    features = [name for step in table.cleaning.steps if step.column != suspect.column for name in step.names]
    rows = _whole_groups(suspect.codes)
    if not features or len(rows) < _FEWEST:
        return None
    frame, codes, y = table.X.iloc[rows][features], suspect.codes[rows], y[rows]
    encoder = Encoder().fit(frame)
    points = encoder.normalise(encoder.transform(frame)).astype(np.float32)
    squares = np.square(points).sum(1)
    distances = squares[:, None] + squares - 2 * points @ points.T
    np.fill_diagonal(distances, np.inf)
    nearest = distances.argmin(1)
    distances[codes[:, None] == codes] = np.inf
    apart = distances.argmin(1)
    right, right_apart = y[nearest] == y, y[apart] == y
    known, without = (accuracy(y, y[row]).numbers[1] for row in (nearest, apart))
    other = codes[nearest] != codes
    place = np.argsort(np.argsort(codes, kind="stable"), kind="stable")
    far = np.abs(place - place[nearest])[other].mean() / (len(rows) / 3) if other.any() else 1.0
    changed = max(int((right ^ right_apart).sum()), 1)
    drop = (int(right.sum()) - int(right_apart.sum())) / np.sqrt(changed)
    return _Neighbours(known, without, float(drop), 1 - float(other.mean()), float(far))


def _whole_groups(codes: np.ndarray) -> np.ndarray:
    """Sorted row numbers: all rows of values drawn at random, but for the last one, until there are enough."""
    order = np.random.default_rng(0).permutation(codes.max() + 1)
    filled = np.flatnonzero(codes >= 0)
    place = np.argsort(order)[codes[filled]]
    return np.sort(filled[np.argsort(place, kind="stable")][:_COMPARED])


# Time: a column that says when each row was, so that a random split tests on rows older than some that were trained on.
#
# Such are dates but those of birth; whole numbers that are dates (20240305) or seconds since 1970; and, where the rows are in
# their order, years and numbers whose name says time ("period", "Woche").


_LEAST_TIME_ROWS = 3
_FEWEST_TIMES = 3  # times
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
        if len(values) < _LEAST_TIME_ROWS or 2 * len(values) < len(table.y) or not _is_candidate(step, values):
            continue
        in_order = _in_order(values)
        if (in_order or _is_dated(step, values)) and len(np.unique(values)) >= _FEWEST_TIMES:
            found.append((not in_order, len(found), _time_finding(step, values, in_order)))
    return [min(found, key=lambda one: one[:2])[2]] if found else []


def _time_finding(step: CleaningStep, values: np.ndarray, in_order: bool) -> Finding:
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


# IDs: whole numbers that name rows or things and measure nothing, among the columns used as numbers.
#
# A column is a suspect if its name says so ("customer", "phone", "Postleitzahl") and its numbers are long or rarely repeat; if
# its numbers count the rows; if all differ where measurements would repeat by chance; or if all are long and of the same length.


_LEAST_ID_ROWS = 20
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
        if len(values) >= _LEAST_ID_ROWS and whole(values) and (why := _reason(step.column, values)):
            found.append(_id_finding(step.column, why))
    return found


def _id_finding(name: str, why: str) -> Finding:
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
