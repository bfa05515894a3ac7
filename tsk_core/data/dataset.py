"""Dataset: a named table with one target column, cleaned and fit for training a classifier."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean import clean_features, tidy_names, without_gap_words
from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed, printed_column, sorted_names
from tsk_core.data.splitting import Split, split_rows
from tsk_core.errors import DataError

__all__ = ["Dataset", "guess_target", "make_dataset"]

_LEAST_ROWS = 4
_TARGET_NAMES = (
    "class", "target", "label", "labels", "klasse", "ziel", "y", "species", "outcome", "diagnosis", "category",
    "result", "survived", "quality", "zielgröße", "art",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table ready for training; build one with ``make_dataset``, ``read_csv`` or ``load_dataset``.

    frame: N rows, the target column included; features are numbers or text, gaps allowed.
    target: the target column's name.
    findings: what was read, repaired, left out, or is on offer; ``notes`` has the same as sentences.
    raw: the table and findings before cleaning, from which ``with_choices`` starts again. choices: what a person decided.
    """

    frame: pd.DataFrame = field(repr=False)
    target: str
    name: str
    source: str = ""
    licence: str = ""
    findings: tuple[Finding, ...] = ()
    raw: tuple[pd.DataFrame, tuple[Finding, ...]] | None = field(default=None, repr=False)
    choices: Choices = field(default_factory=Choices)

    @property
    def notes(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(map(str, self.findings))

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802 - the field's name for it
        """The features, shape (N, number of features)."""
        return self.frame.drop(columns=self.target)

    @cached_property
    def y(self) -> np.ndarray:
        """Class names as a person sees them ("1", never "1.0"), object array of shape (N,)."""
        return printed_column(self.frame[self.target])

    @cached_property
    def classes(self) -> list[str]:
        """The distinct class names, sorted; as numbers where all are numbers."""
        return sorted_names(self.y)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the table written as CSV, in hexadecimal: the same table has the same one anywhere."""
        return hashlib.sha256(self.frame.to_csv(index=False, lineterminator="\n").encode()).hexdigest()

    def with_target(self, name: str) -> "Dataset":
        """The same table with another target column, cleaned anew. Raises DataError where that column cannot be one."""
        return self.with_choices(replace(self.choices, target=name))

    def with_choices(self, choices: Choices) -> "Dataset":
        """The same table under other decisions, cleaned anew. Raises as ``make_dataset`` does."""
        frame, findings = self.raw or (self.frame, ())
        return make_dataset(frame, name=self.name, source=self.source, licence=self.licence, findings=findings, choices=choices)

    def split(self, test_size: float = 0.3, seed: int = 0) -> Split:
        """Training and test rows, stratified by class; see ``split_rows``."""
        return split_rows(self.y, test_size, seed)


def make_dataset(
    frame: pd.DataFrame,
    target: str | None = None,
    *,
    name: str,
    source: str = "",
    licence: str = "",
    findings: Iterable[Finding] = (),
    choices: Choices | None = None,
) -> Dataset:
    """Clean and check a table; the one way into ``Dataset`` for every source.

    frame: any table; target: a column name, or None to take that of ``choices`` or guess it.
    findings: what reading it already had to say; choices: what a person decided.
    Raises DataError (a target or features that cannot be trained on) or LimitError (too many rows, columns, classes).
    """
    if not len(frame):
        raise DataError("The table has no rows.")
    limits.check("rows", len(frame), "Rows")
    limits.check("columns", frame.shape[1], "Columns")
    choices = choices or Choices()
    target = target if target is not None else choices.target
    raw = frame, tuple(findings)
    frame, said = tidy_names(frame.reset_index(drop=True))
    if target is None:
        target = guess_target(frame)
        said.append(f"Took column '{target}' as the target.")
    if target not in frame.columns:
        raise DataError(f"There is no column '{target}'; the columns are {listed(frame.columns, 12)}.")
    frame, gap_notes = _rows_with_target(frame, target)
    _check_target(frame[target])
    frame, clean_notes = clean_features(frame, target)
    if frame.shape[1] < 2:
        reasons = " ".join(n for n in clean_notes if n.startswith("Left out"))
        raise DataError(
            f"No column beside the target '{target}' can be a feature. {reasons} "
            "Is the separator a comma, semicolon, tab or |?".replace("  ", " ")
        )
    found = (*raw[1], *map(Finding, (*said, *gap_notes, *clean_notes)))
    return Dataset(frame, target, name, source, licence, found, raw, replace(choices, target=target))


def guess_target(frame: pd.DataFrame) -> str:
    """The column that is most likely the class.

    A plausible column has 2 to ``limits.value("classes")`` distinct values and fewer than it has rows. Taken is a
    column with a telling name ("class", "label", "Ziel", …) that is plausible or constant (whoever reads that it has a
    single class knows what to do), else the last column if plausible, else the first plausible one, else the last column.
    """
    if not frame.shape[1]:
        raise DataError("The table has no columns.")
    names = list(frame.columns)
    by_name = {str(n).strip().lower(): n for n in reversed(names)}
    telling = [by_name[n] for n in _TARGET_NAMES if n in by_name]
    for name, least in [*((n, 1) for n in telling), *((n, 2) for n in (names[-1], *names))]:
        filled = without_gap_words(frame[name]).dropna()
        if least <= filled.nunique() <= limits.value("classes") and filled.nunique() < len(filled):
            return name
    return names[-1]


def _rows_with_target(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    """Leave out the rows whose target is missing; booleans become the classes "True" and "False"."""
    column = without_gap_words(frame[target])
    if types.is_float_dtype(column):
        column = column.mask(np.isinf(column.to_numpy(dtype=float, na_value=np.nan)))
    if types.is_bool_dtype(column):
        column = pd.Series(printed_column(column), index=frame.index, name=target, dtype="str")
    missing = column.isna()
    frame = frame.assign(**{target: column})
    if not missing.any():
        return frame, []
    rows = int(missing.sum())
    note = f"Left out {rows:,} row{'s' if rows > 1 else ''} whose target '{target}' is missing."
    return frame[~missing].reset_index(drop=True), [note]


def _check_target(column: pd.Series) -> None:
    """Refuse a target that has no classes to tell apart."""
    n_rows, n_classes, name = len(column), column.nunique(), column.name
    most = limits.value("classes")
    if n_rows == 0:
        raise DataError(f"Column '{name}' is empty, so no row has a class; choose another target.")
    if types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        raise DataError(f"Column '{name}' holds dates, not classes; choose another target.")
    if n_classes < 2:
        raise DataError(f"Column '{name}' has a single class, {listed(printed_column(column)[:1])}; training needs at least two.")
    numeric = types.is_numeric_dtype(column)
    if numeric and (n_classes > most or n_classes > max(10, n_rows / 2)):
        raise DataError(
            f"Column '{name}' has {n_classes:,} different numbers in {n_rows:,} rows, so it looks like a regression target; "
            f"choose a column with at most {most} classes, or group the numbers into ranges first."
        )
    if n_classes > most:
        raise DataError(f"Column '{name}' has {n_classes:,} different values; choose a target with at most {most} classes.")
    if n_rows < _LEAST_ROWS:
        raise DataError(f"The table has {n_rows} rows with a class; training and testing need at least {_LEAST_ROWS}.")
    if n_classes == n_rows:
        raise DataError(f"Column '{name}' has a different value in every row, so it names no classes; choose another target.")
