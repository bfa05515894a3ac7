"""CleaningPipeline: how a table was cleaned, learned once and applied to new rows in the same way."""

import re
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from tsk_core.data.clean.categories import OTHER, in_spellings_of, with_truth_words
from tsk_core.data.clean.cells import MISSING_AMONG_NUMBERS, Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.dates import FORMATS, SCALES, DateFormat
from tsk_core.data.clean.numbers import NumberFormat, finite
from tsk_core.data.findings import Finding
from tsk_core.data.naming import LONGEST, cut, listed, quoted
from tsk_core.errors import DataError, DataWarning
from tsk_core.numbers import counted

# Column names that are distinct, not empty, and on one line that is read in one direction.


_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"  # characters of zero width: a name of only these looks empty
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028-\u202e\u2066-\u2069]")  # they break a line, or change the direction of its text


def tidy_names(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """Column names as distinct, non-empty text: " a " -> "a", "" -> "column 3", a second "a" -> "a (2)"; long ones are cut."""
    names: list[str] = []
    findings: list[Finding] = []
    used: set[str] = set()
    long: list[str] = []
    for position, original in enumerate(frame.columns, 1):
        whole = _text(original)
        name = cut(whole)
        if name != whole:
            long.append(name)
        if not name:
            name = f"column {position}"
            findings.append(Finding(f"Column {position} has no name.", f"Named it {quoted(name)}.", columns=(name,)))
        fresh = cut(fresh_name(name, used))
        if fresh != name:
            end = fresh if len(fresh) <= 40 else f"…{fresh[-39:]}"
            findings.append(
                Finding(f"Two columns are named {quoted(name)}.", f"Renamed the later one {quoted(end)}.", columns=(fresh,))
            )
        used.add(fresh)
        names.append(fresh)
    if len(findings) > 3:
        columns = tuple(column for finding in findings for column in finding.columns)
        findings = [Finding(f"{len(findings)} columns have no name or a repeated name.", "Numbered them.", columns=columns)]
    if long:
        which = f"{len(long)} columns have names" if len(long) > 1 else f"Column {quoted(long[0])} has a name"
        findings.append(Finding(f"{which} of more than {LONGEST} characters.", "Truncated.", columns=tuple(long)))
    return frame if list(frame.columns) == names else frame.set_axis(names, axis=1), findings


def fresh_name(name: str, used: set[str]) -> str:
    """``name``, with the first free number appended if a column has it: "a", "a (2)", "a (3)"."""
    fresh, copy = name, 1
    while fresh in used:
        copy += 1
        fresh = f"{name} ({copy})"
    return fresh


def _text(original: object) -> str:
    """A name on one line, without outer spaces; lone surrogates, which cannot be encoded, are replaced."""
    if original is None or original != original:
        return ""
    name = str(original).encode("utf-8", "replace").decode()
    if _CONTROLS.search(name):
        name = " ".join(_CONTROLS.sub(" ", name).split())
    return name.strip().strip(_UNSEEN).strip()


# Cells of new rows that cannot be read as those of training were: said in a warning, and an error where they are too many.


@dataclass(frozen=True, eq=False)
class UnreadableCells:
    """Cells of one column of new rows that are neither empty nor what training had there; they count as missing.

    rows: their row numbers, ascending, int64 (K,). texts: what they hold, object (K,). filled: cells of the column that are not
    empty. expected: what training had, such as "numbers like '12.5 kg'".
    """

    column: str
    rows: np.ndarray = field(repr=False)
    texts: np.ndarray = field(repr=False)
    filled: int
    expected: str

    def __str__(self) -> str:
        verb = "counts" if len(self.rows) == 1 else "count"
        return f"{self._fact} cannot be read as {self.expected} and {verb} as missing."

    def check(self) -> None:
        """Raise DataError where they are more than half of the filled cells."""
        if 2 * len(self.rows) > self.filled:
            raise DataError(f"{self._fact} cannot be read; write them as in training, as {self.expected}, or leave them empty.")

    @property
    def _fact(self) -> str:
        cells = f"{len(self.rows):,} of {counted(self.filled, 'filled cell')}"
        return f"Column {quoted(self.column)}: {cells}, such as {quoted(self.texts[0])},"


def unreadable_cells(cells: Cells, values: np.ndarray, expected: str) -> UnreadableCells | None:
    """Those of a column that training read as numbers or dates; None if there are none.

    values: what was read, float64 or int64 (N,), NaN for cells that are missing or were not read.
    """
    filled = ~cells.missing
    if not (filled & np.isnan(values)).any():
        return None
    cells = cells.as_text()
    filled &= ~cells.spread(cells.words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool), False)
    rows = np.flatnonzero(filled & np.isnan(values))
    if not len(rows):
        return None
    texts = cells.words.to_numpy(object)[cells.codes[rows]]
    return UnreadableCells(cells.name, rows, texts, int(filled.sum()), expected)


def warn_of_unreadable(unreadable: Iterable[UnreadableCells]) -> None:
    """One DataWarning for each column."""
    for cells in unreadable:
        warnings.warn(str(cells), DataWarning, stacklevel=3)


VERSION = 1
MISSING, PRESENT = "yes", "no"  # the categories of "<name> is missing"


@dataclass(frozen=True)
class CleaningStep:
    """How one column becomes features.

    column: its name in the raw table. role: "number", "category", "ordinal", or "ignored" (only its flag is a feature).
    feature: its name as a feature. number, date: how to read a number column, one of the two. kept: the categories that do
    not become "other"; None keeps all. truth: whether "TRUE" becomes "True". flag: name of its "is missing" column, or "".
    missing: the category that missing values are, or "" where training imputes them. codes: cells that are missing values.
    not_missing: words such as "NA" that are none. levels: of ordered categories, lowest first; empty in other roles.
    spellings: words in place of which other spellings stand.
    """

    column: str
    role: str
    feature: str
    number: NumberFormat | None = None
    date: DateFormat | None = None
    kept: tuple[str, ...] | None = None
    truth: bool = False
    flag: str = ""
    missing: str = ""
    codes: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()
    not_missing: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its features."""
        return tuple(filter(None, (self.feature, self.flag)))

    def renamed(self, feature: str, flag: str) -> "CleaningStep":
        """The same step with other feature names."""
        return replace(self, feature=feature, flag=flag)

    def with_missing(self, words: Iterable[str]) -> "CleaningStep":
        """The same step with missing values as a category, named as none of these words."""
        return replace(self, missing=fresh_name("missing", set(words)))

    def cells(self, column: pd.Series) -> Cells:
        """A raw column with its codes for missing values missing, in one spelling where one was chosen. Raises DataError for
        cells such as lists.
        """
        return in_spellings_of(without_codes(Cells.of(column, self.not_missing), self.codes), self.spellings)

    def features(self, cells: Cells, numbers: np.ndarray | None = None) -> dict[str, Any]:
        """The features of the column by name: float64 or int64 with NaN for missing values, text, or an ordered Categorical.
        Unreadable cells are missing.

        numbers: the cells read as numbers, if known already.
        """
        features: dict[str, Any] = {}
        values: Any = None
        if self.role == "number":
            features[self.feature] = values = self._numbers(cells) if numbers is None else numbers
        elif self.role == "category":
            features[self.feature] = values = self._categories(cells)
        elif self.role == "ordinal":
            features[self.feature] = values = self._ranked(cells.as_text())
        if self.flag:
            missing = cells.missing if values is None else pd.isna(values)
            features[self.flag] = pd.array(np.where(missing, MISSING, PRESENT), dtype="str")
        return features

    @property
    def _format(self) -> NumberFormat:
        return self.number or NumberFormat()

    @property
    def expected(self) -> str:
        """What the cells of a number column are, such as "numbers like '12.5 kg'"."""
        if self.date:
            return f"{'dates' if self.date.format else 'times of day'} like {quoted(self.date.example)}"
        return f"numbers like {quoted(self._format.example)}"

    def _numbers(self, cells: Cells) -> np.ndarray:
        if self.date:
            return self.date.read(cells)
        if cells.kind == "number":
            return cells.values
        if cells.kind != "text":
            return np.full(len(cells.values), np.nan)
        return finite(cells, self._format.read(cells.words))

    def _categories(self, cells: Cells) -> Any:
        cells = cells.as_text()
        words = with_truth_words(cells.words) if self.truth else cells.words
        if self.kept is not None:
            words = words.where(words.isin(self.kept), OTHER)
        values = words.array.take(cells.codes, allow_fill=True)
        return values.fillna(self.missing) if self.missing else values

    def _ranked(self, cells: Cells) -> pd.Categorical:
        """The cells in the order of the levels; words that are no level come last, for the encoder to know them as unseen."""
        unseen = [word for word in cells.words if word not in set(self.levels)]
        values = cells.words.array.take(cells.codes, allow_fill=True)
        return pd.Categorical(values, categories=[*self.levels, *unseen], ordered=True)


@dataclass(frozen=True)
class CleaningPipeline:
    """The steps of a table, in column order; columns without a step are not used."""

    steps: tuple[CleaningStep, ...]

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The features of a raw table, all rows kept; the target is not needed, unused columns are ignored.

        A column that is clean already stays as it is, so features of this pipeline are returned unchanged. Cells that cannot
        be read are missing. Raises DataError naming the columns that are missing.
        """
        return self._read(frame)[0]

    def apply_to_new(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[UnreadableCells, ...]]:
        """The same features of rows to predict, and by column the cells that cannot be read.

        Raises DataError also where these are more than half of the filled cells of a column.
        """
        features, unreadable = self._read(frame)
        for cells in unreadable:
            cells.check()
        return features, unreadable

    def _read(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[UnreadableCells, ...]]:
        frame, _ = tidy_names(frame)
        present = set(frame.columns)
        self._check_columns(present)
        features: dict[str, Any] = {}
        unreadable = []
        for step in self.steps:
            if step.column in present:
                cells = step.cells(frame[step.column])
                of_column = step.features(cells)
                features |= of_column
                if step.role == "number":
                    unreadable.append(unreadable_cells(cells, of_column[step.feature], step.expected))
            else:  # features of dates and flags have names of their own, so these are clean already
                features |= {name: frame[name].array for name in step.names}
        return pd.DataFrame(features, index=frame.index, copy=False), tuple(filter(None, unreadable))

    def _check_columns(self, present: set[str]) -> None:
        missing = [step.column for step in self.steps if step.column not in present and not present.issuperset(step.names)]
        if missing:
            several = len(missing) > 1
            raise DataError(
                f"The table has no column{'s' if several else ''} {listed(missing)}, which training used;"
                f" add {'them' if several else 'it'}, with empty cells for unknown values."
            )

    @property
    def feature_names(self) -> list[str]:
        """The names of all features, in order."""
        return [name for step in self.steps for name in step.names]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, from which ``from_dict`` makes an equal pipeline."""
        return {"version": VERSION, "steps": [_plain(step) for step in self.steps]}

    @classmethod
    def from_dict(cls, values: Any) -> "CleaningPipeline":
        """The inverse of ``to_dict``; anything else raises DataError."""
        try:
            if values["version"] != VERSION:
                raise ValueError(f"its version is not {VERSION}")
            if set(values) != {"version", "steps"}:
                raise ValueError("a key is unknown")
            steps = tuple(_step(step) for step in _list(values["steps"]))
            _distinct(step.column for step in steps)
            _distinct(name for step in steps for name in step.names)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DataError(f"How the table was cleaned cannot be read ({str(error)[:120]}).") from None
        return cls(steps)


def _plain(step: CleaningStep) -> dict[str, Any]:
    kept = None if step.kept is None else list(step.kept)
    values = asdict(step) | {"kept": kept, "codes": list(step.codes), "levels": list(step.levels)}
    # Written only where they say something, so that most files stay as they were.
    if step.number and not step.number.labelled:
        del values["number"]["labelled"]
    for name, words in (("spellings", step.spellings), ("not_missing", step.not_missing)):
        del values[name]
        if words:
            values[name] = list(words)
    return values


def _step(values: Any) -> CleaningStep:
    """One step from an untrusted file, with types and values checked. Raises ValueError, TypeError or KeyError."""
    number, date, kept = values["number"], values["date"], values["kept"]
    codes, levels = _list(values["codes"]), _list(values["levels"])
    spellings, not_missing = _list(values.get("spellings", [])), _list(values.get("not_missing", []))
    step = CleaningStep(**values)
    if step.role not in ("number", "category", "ordinal", "ignored") or not isinstance(step.truth, bool):
        raise ValueError("a role is unknown")
    _texts(
        [
            step.column,
            step.feature,
            step.flag,
            step.missing,
            *codes,
            *_list([] if kept is None else kept),
            *levels,
            *spellings,
            *not_missing,
        ]
    )
    _distinct(levels)
    if (step.role == "ordinal") != bool(levels):
        raise ValueError("ordered categories need their order")
    number = None if number is None else NumberFormat(**number)
    date = None if date is None else DateFormat(**date)
    if number is not None and not (
        number.decimal in (".", ",") and isinstance(number.unit, str) and isinstance(number.labelled, bool)
    ):
        raise ValueError("a number format is unknown")
    if date is not None:
        _check_date(date)
    if step.role == "number" and (number is None) == (date is None):
        raise ValueError("a number needs one format")
    kept = None if kept is None else tuple(kept)
    tuples = {
        "kept": kept, "codes": tuple(codes), "levels": tuple(levels), "spellings": tuple(spellings),
        "not_missing": tuple(not_missing),
    }  # fmt: skip
    return CleaningStep(**{**values, "number": number, "date": date, **tuples})


def _check_date(date: DateFormat) -> None:
    if date.format not in FORMATS or date.scale not in SCALES or (date.format == "") != (date.scale == "clock"):
        raise ValueError("a date format is unknown")
    if not isinstance(date.midnights, bool):
        raise ValueError("whether dates have a time of day is not said")
    if date.scale in ("days", "hours"):
        _texts([date.origin])
        if not np.datetime64("0001-01-01") <= np.datetime64(date.origin, "D") <= np.datetime64("9999-12-31"):
            raise ValueError("the origin of a date is not a date")


def _list(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise TypeError("a list is expected")
    return values


def _texts(values: list[Any]) -> None:
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a text is expected")


def _distinct(names: Iterable[str]) -> None:
    names = list(names)
    if len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
