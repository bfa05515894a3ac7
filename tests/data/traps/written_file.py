"""Files in the many ways in which people and programs write tables, with the values that they hold."""

import csv
import datetime
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from tsk_core.data import Dataset, make_dataset
from tsk_core.data.clean.pipeline import CleaningStep
from tsk_core.data.reading.process import parse
from tsk_core.data.reading.table import raw_table
from tsk_core.errors import TSKError

_GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
OPTIONS = {
    "encoding": ("utf-8", "utf-8-sig", "utf-16", "cp1252"),
    "delimiter": (",", ";", "\t", "|"),
    "decimal": (".", ","),
    "thousands": ("", "other sign", "'", " ", "\xa0", "\u202f"),
    "dates": (
        "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%b-%Y",
        "%d %B %Y", "%B %d, %Y", "%d.%m.%y", "%y-%m-%d", "german", "Excel",
        "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M", "%m/%d/%Y %I:%M %p", "%d.%m.%Y, %H:%M Uhr",
        "unpadded", "%H:%M",
    ),
    "unit": ("", "{} kg", "{}kg", "{} %", "{} €", "{} EUR", "${}", "CHF {}", "{} mg/dl", "{} °C", "{} m²"),
    "quoting": (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC),
    "missing": ("", "NA", "n/a", "?", "null", "-", "k. A."),
    "line_end": ("\n", "\r\n", "\r"),
    "header": (True, True, False),
    "minus": ("-", "-", "\u2212"),
}  # fmt: skip
_WORDS = (("rot", "grün", "blau"), ("Ja", "Nein"), ("north, east", "south; west", "centre"), ("Größe A", "Größe B", "Größe C"))
_AMONG_NUMBERS = ("-", "k. A.")  # among categories, words like these may be categories


@dataclass(frozen=True)
class Style:
    """How a file is written: each field is one of ``OPTIONS``. quoting: a constant of ``csv``."""

    encoding: str
    delimiter: str
    decimal: str
    thousands: str
    dates: str
    unit: str
    quoting: int
    missing: str
    line_end: str
    header: bool
    minus: str

    @property
    def possible(self) -> "Style":
        """The same style without what its encoding cannot write or what could not be told apart."""
        thousands = {".": ",", ",": "."}[self.decimal] if self.thousands == "other sign" else self.thousands
        if self.encoding != "cp1252":
            return replace(self, thousands=thousands)
        return replace(self, thousands=thousands.replace("\u202f", "\xa0"), minus="-")


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A file and what it holds. values: kind of column ("measure", "amount", "whole", "change", "tiny", "moment", "word" or
    "class") -> its values: float64, datetime64 (timedelta64 for times of day) or text, NaN, NaT or None where missing.

    order: the kinds from the first column to the last. cells: as written, by kind.
    """

    content: bytes
    style: Style
    values: dict[str, np.ndarray]
    order: tuple[str, ...]
    cells: dict[str, list[str]]


def drawn_style(random: np.random.Generator) -> Style:
    """Any style."""
    return Style(**{name: options[random.integers(len(options))] for name, options in OPTIONS.items()}).possible


def written_file(style: Style, seed: int) -> WrittenFile:
    """A table of 12 to 60 rows in this style: two to five columns of numbers, moments and words, and the class."""
    random, style = np.random.default_rng(seed), style.possible
    rows = int(random.integers(12, 61))
    numbers = {
        "measure": random.normal(20, 9, rows).round(digits := int(random.integers(1, 5))),
        "amount": (np.exp(random.normal(8, 1.5, rows))).round(2),
        "whole": np.exp(random.normal(9, 2, rows)).round(0),
        "change": random.normal(0, 30, rows).round(1),
    }
    digits_of = {"measure": digits, "amount": 2, "whole": 0, "change": 1}
    thousands = {"amount": style.thousands, "whole": style.thousands}
    values: dict[str, np.ndarray] = {}
    cells: dict[str, list[str]] = {}
    for kind, of in numbers.items():
        values[kind] = of
        texts = [_number(value, digits_of[kind], thousands.get(kind, ""), style) for value in of]
        cells[kind] = [(style.unit or "{}").format(text) if kind == "amount" else text for text in texts]
    moments = _moments(random, rows, style.dates)
    values["tiny"] = np.exp(random.normal(-12, 6, rows))
    texts = [f"{value:.3e}" for value in values["tiny"]]
    values["tiny"], cells["tiny"] = np.array(texts, dtype=float), [text.replace(".", style.decimal) for text in texts]
    values["moment"], cells["moment"] = moments, [_moment(moment, style.dates) for moment in moments.tolist()]
    words = _WORDS[random.integers(len(_WORDS))]
    values["word"] = random.choice(np.array(words, dtype=object), rows)
    values["class"] = random.choice(np.array(["p", "q"], dtype=object), rows)
    values["class"][:4] = ["p", "q", "p", "q"]
    cells |= {kind: values[kind].tolist() for kind in ("word", "class")}
    few = 2 if style.header else 3
    chosen = random.permutation(["amount", "whole", "change", "measure", "tiny", "moment", "word"])[
        : random.integers(few, 6)
    ].tolist()
    order = tuple(random.permutation([*chosen, "class"]).tolist())
    for kind in order:
        if kind != "class" and random.random() < 0.4:
            _leave_out(random, kind, style, values, cells)
    return WrittenFile(_content(style, order, cells, numbers), style, values, order, cells)


def _number(value: float, digits: int, thousands: str, style: Style) -> str:
    text = f"{abs(value):,.{digits}f}".replace(",", "T").replace(".", style.decimal).replace("T", thousands)
    return f"{style.minus if value < 0 else ''}{text}"


def _moments(random: np.random.Generator, rows: int, form: str) -> np.ndarray:
    """Moments within three years, as exact as the format writes them; times of day for "%H:%M"."""
    if form == "%H:%M":
        return (random.integers(0, 24 * 60, rows) * 60).astype("timedelta64[s]")
    exact = 1 if "%S" in form else 60 if "%M" in form else 86_400
    start = np.datetime64("2019-01-01", "s") + random.integers(0, 1000) * np.timedelta64(86_400, "s")
    return start + (random.integers(0, 1100 * 86_400, rows) // exact * exact).astype("timedelta64[s]")


def _moment(moment: datetime.datetime | datetime.timedelta, form: str) -> str:
    if isinstance(moment, datetime.timedelta):
        return f"{moment.seconds // 3600:02d}:{moment.seconds // 60 % 60:02d}"
    if form in ("german", "Excel"):
        month = _GERMAN_MONTHS[moment.month - 1]
        return (
            f"{moment.day}. {month} {moment.year}"
            if form == "german"
            else f"{moment.day:02d}. {month.replace('är', 'r')[:3]} {moment.year}"
        )
    return f"{moment.day}.{moment.month}.{moment.year}" if form == "unpadded" else moment.strftime(form)


def _leave_out(
    random: np.random.Generator, kind: str, style: Style, values: dict[str, np.ndarray], cells: dict[str, list[str]]
) -> None:
    """Make some values of a column missing, at most one of twelve."""
    rows = random.choice(len(cells[kind]), max(1, len(cells[kind]) // 12), replace=False)
    nothing = {"M": np.datetime64("NaT"), "m": np.timedelta64("NaT"), "f": np.nan}.get(values[kind].dtype.kind)
    values[kind][rows] = nothing
    for row in rows:
        cells[kind][row] = "NA" if kind == "word" and style.missing in _AMONG_NUMBERS else style.missing


def _content(style: Style, order: tuple[str, ...], cells: dict[str, list[str]], numbers: dict[str, np.ndarray]) -> bytes:
    rows: list[tuple[object, ...]] = list(zip(*(cells[kind] for kind in order), strict=True))
    if style.quoting == csv.QUOTE_NONNUMERIC:  # csv quotes all text; cells of digits are meant to stay bare
        rows = [
            tuple(_Bare(cell) if kind in (*numbers, "tiny") and cell else cell for kind, cell in zip(order, row, strict=True))
            for row in rows
        ]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=style.delimiter, quoting=style.quoting, lineterminator=style.line_end)
    if style.header:
        writer.writerow(order)
    writer.writerows(rows)
    return out.getvalue().encode(style.encoding)


class _Bare:
    """A cell that counts as a number for ``csv``, which then quotes it only if it has to."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __float__(self) -> float:
        raise NotImplementedError

    def __str__(self) -> str:
        return self._text


# A file is read as an upload is, and compared cell by cell with the values it holds.
SAYS = ("decimal", "comma", "thousands", "assumed")  # what a finding about an ambiguous column says


@dataclass(frozen=True)
class Wrong:
    """A column that is not read as written. kind: of the column; "file" where no table came out. said: whether a finding says
    how it was read. cell, read: the first wrong cell, and what came out.
    """

    kind: str
    said: bool
    cell: str
    read: str


def misread(file: WrittenFile) -> Iterator[Wrong]:
    """Read a file in this process and compare each column."""
    try:
        raw = raw_table(parse(file.content))
        target = raw.frame.columns[file.order.index("class")]
        dataset = make_dataset(raw.frame, target, name="t", findings=raw.findings)
    except (TSKError, IndexError) as error:
        yield Wrong("file", False, "", str(error))
        return
    steps = {step.column: step for step in dataset.cleaning.steps}
    if len(raw.frame) != len(file.values["class"]) or raw.frame.shape[1] != len(file.order):
        yield Wrong("file", False, "", f"{len(raw.frame)} rows, {raw.frame.shape[1]} columns, not {len(file.values['class'])}")
        return
    for kind, column in zip(file.order, raw.frame.columns, strict=True):
        if column == target:
            right, read = dataset.y == file.values[kind], dataset.y
        elif column in steps:
            right, read = _compared(steps[column], dataset, file.values[kind])
        else:
            right, read = np.zeros(len(raw.frame), dtype=bool), np.full(len(raw.frame), "left out", dtype=object)
        if not right.all():
            first = int(np.argmin(right))
            yield Wrong(kind, _is_said(dataset, str(column)), file.cells[kind][first], str(read[first]))


def _compared(step: CleaningStep, dataset: Dataset, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows of a feature are right, and the feature."""
    read = dataset.frame[step.feature].to_numpy()
    if values.dtype == object:
        return (read == values) | (pd.isna(read) & pd.isna(values)), read
    if values.dtype.kind in "mM":
        if step.date is None:
            return np.zeros(len(read), dtype=bool), read
        values = step.date.numbers(values)
    if read.dtype.kind not in "fi":
        return np.zeros(len(read), dtype=bool), read
    return np.isclose(read, values, rtol=1e-12, atol=1e-12, equal_nan=True), read


def _is_said(dataset: Dataset, column: str) -> bool:
    """Whether a finding about the column says which of several readings was taken."""
    return any(column in finding.columns and any(word in str(finding) for word in SAYS) for finding in dataset.findings)
