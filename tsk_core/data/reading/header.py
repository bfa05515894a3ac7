"""Whether the first row of a table has the names of its columns, guessed from the rows below it."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from tsk_core.data.cell_text import LONGEST, moment_span, number_span
from tsk_core.data.reading.sniffing import NUMBER

MOST = 0.8  # share of a column's filled cells that are numbers or moments, for its name to stand out among them
_NOTHING = ("na", "n/a", "nan", "null", "?", "-", "k. a.")  # a missing value, neither a name nor a number
LIKE_MISSING = frozenset({  # words among numbers that are no unit either
    *_NOTHING, "--", "–", "—", ".", "none", "nil", "missing", "unknown", "n.a.", "nd", "n/d", "not available", "k.a.",
    "unbekannt", "not measured", "keine angabe", "#n/a",
})  # fmt: skip


def guess_header(rows: list[list[str]]) -> bool:
    """No header if the first row is like the rows below: numbers, dates, or cells with the unit of the column where these
    have them, and texts of which one occurs again below, such as a class name.

    Where all columns are text, most of the first row must occur again. Numbers that count the columns are a header, and so are
    others that run up behind an empty cell.
    """
    if not rows:
        return True
    first = [cell.strip() for cell in rows[0]]
    while first and not first[-1]:  # a separator at the end of each row
        first.pop()
    if all(NUMBER.fullmatch(cell) for cell in first):
        return _counts(first, rows[1:])
    if first and not first[0] and all(NUMBER.fullmatch(cell) for cell in first[1:]):
        return _names_an_index(first[1:], [row[0].strip() for row in rows[1:] if row])
    columns = [[row[k].strip() for row in rows[1:] if len(row) > k and row[k].strip()] for k in range(len(first))]
    like = [_like(cell, column) for cell, column in zip(first, columns, strict=True)]
    if False in like:
        return True
    texts = [k for k, of in enumerate(like) if of is None and first[k] and first[k].lower() not in _NOTHING]
    again = [k for k in texts if first[k] in columns[k]]
    if True in like:
        return bool(texts) and not again
    return 2 * len(again) <= len(texts)


def _like(cell: str, column: list[str]) -> bool | None:
    """Whether a cell of the first row is a number or moment as those below; None where these are text or it is missing."""
    counts = {below: count for below, count in Counter(column).items() if below.lower() not in _NOTHING}
    kinds = {below: kind for below in counts if (kind := kind_of_cell(below)) is not None}
    numbers, filled = sum(counts[below] for below in kinds), sum(counts.values())
    if not filled or numbers < MOST * filled or not cell or cell.lower() in _NOTHING:
        return None
    return kind_of_cell(cell) in kinds.values()


def kind_of_cell(cell: str) -> str | None:
    """Its kind as a value: "moment", or "number" with its unit; None for text."""
    return _kind(cell) if len(cell) <= LONGEST else None


@lru_cache(maxsize=4096)
def _kind(cell: str) -> str | None:
    if moment_span(cell):
        return "moment"
    span = number_span(cell)
    named = span is not None and span.bound and cell[0].isalpha()  # "Over 65" is a usual name
    return f"number {span.unit}" if span and not named else None


def _counts(first: list[str], below: list[list[str]]) -> bool:
    """Whether a row is 0, 1, 2, … or 1, 2, 3, …, names given by programs: hardly data where there are four of them, or text below
    one.
    """
    if first not in ([str(k + start) for k in range(len(first))] for start in (0, 1)):
        return False
    if len(first) < 4:
        columns = [[row[k].strip() for row in below if len(row) > k and row[k].strip()] for k in range(len(first))]
        return len(first) > 1 and any(column and not any(map(kind_of_cell, column)) for column in columns)
    return not any([cell.strip() for cell in row[: len(first)]] == first for row in below)


def _names_an_index(names: list[str], column: list[str]) -> bool:
    """Whether numbers behind an empty cell are names: they run up, or the column below that cell has the names of rows."""
    if not column or not all(column):
        return False
    counts = column == [str(k + int(column[0])) for k in range(len(column))] if column[0].isdecimal() else False
    return (
        (len(names) > 1 and runs_up(names))
        or counts
        or (len(set(column)) == len(column) > 1 and not any(map(kind_of_cell, column)))
    )


def runs_up(numbers: list[str]) -> bool:
    """Whether numbers are whole, without a sign, and each is larger than the one before, as years in names are."""
    whole = [int(number) for number in numbers if number.isdecimal()]
    return 0 < len(whole) == len(numbers) and all(one < other for one, other in zip(whole, whole[1:], strict=False))


def has_quoted_names(sample: list[str], delimiter: str, quote: str) -> bool:
    """Whether all cells of the first row are quoted, and in the next some are not, nor any number.

    Then even numbers are names.
    """
    cell = re.compile(f"{quote}(?:[^{quote}]|{quote}{quote})*{quote}(?=[{delimiter}]|$)|[^{delimiter}]+")
    filled = (cell.findall(line.strip("\r\n")) for line in sample if line.strip())
    first, below = (next(filled, []) for _ in range(2))
    if not first or not all(_is_quoted(cell, quote) for cell in first):
        return False
    quoted = [cell for cell in below if _is_quoted(cell, quote)]
    return len(quoted) < len(below) and not any(NUMBER.fullmatch(cell[1:-1].strip()) for cell in quoted)


def _is_quoted(cell: str, quote: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == quote


# Words that say what a column holds, such as "kg", "[m/s]", "continuous" or "varchar(20)", and are no values.


_TYPES = re.compile(
    r"continuous|discrete|string|time|class|meta|ignore|skip|weight|numeric|nominal|ordinal|categorical|category|real|integer|int"
    r"|u?int(?:8|16|32|64)|long|short|float(?:32|64)?|double|decimal|number|bool(?:ean)?|logical|factor|char(?:acter)?|str|text"
    r"|object|date|datetime(?:64\[ns\])?|timestamp|binary|label|id|feature|target|input|output|unitless|dimensionless|none|counts?"
    r"|index|code|n/a|(?:var)?char2?\(\d+\)|(?:decimal|numeric|number|int)\(\d+(?:, ?\d+)?\)|(?:tiny|small|big)int",
    re.IGNORECASE,
)
_BASE = (
    r"s|secs?|seconds?|mins?|minutes?|hr?s?|hours?|d|days?|wk|weeks?|mo|months?|yr?s?|years?|a|m|metres?|meters?|in|inch(?:es)?|ft"
    r"|feet|mi|miles?|yd|gr?|grams?|t|tons?|tonnes?|lbs?|oz|N|Pa|bar|psi|atm|[tT]orr|J|cal|eV|Wh?|V|A|C|K|F|l|L|ltr|lit(?:re|er)s?"
    r"|mol|M|Hz|pp[mbt]|pH|dBA?|lx|lux|lm|cd|rad|deg[CF]?|degrees|rpm|bpm|mmHg|USD|EUR|GBP|CHF|JPY|INR|BRL|BTC|px|pt|pixels|dpi"
    r"|bit|byte|Bq?|Gy|Sv|Ω|ohm|S|T|Wb|H|IU|U|pcs|psu|NTU|FTU|kts?|knots|[mk]ph|sq|ha|acres?|std|x|Å|%|‰|°[CF]?|℃|['\"€$£¥₹]|people"
    r"|persons|units"
)
_UNIT = rf"(?:[yzafpnuµμmcdhkMGTP]|da)?(?:{_BASE})"
_POWER = r"(?:\^?[-−+]?\d|[²³¹⁻]{1,2})?"
_UNITS = re.compile(rf"(?:1/|10\^?\d{{1,2}}[ ·*×/]?|10{{1,6}} )?{_UNIT}{_POWER}(?:(?:\s*[/·*×]\s*|[ ._]){_UNIT}{_POWER}){{0,4}}")
_BRACKETS = re.compile(r"[\[(<{].{0,40}[\])>}]")
_DATES = re.compile(r"[dmyhs]{1,4}(?:[-/:. t][dmyhs]{1,4}){1,5}", re.IGNORECASE)
_OF_ORANGE = re.compile(r"[dcstimw]|\d{1,3}[sdnf]|\w+=\S+(?: \w+=\S+)*|\{\"ImportId\".*\}", re.DOTALL)
_FLAGS = ("class", "meta", "ignore", "skip", "weight", "i", "m", "w")  # of Orange
_ATTRIBUTES = re.compile(r"\w+=\S+(?: \w+=\S+)*")
_LONGEST = 200
_NO_UNIT = ("-", "--", "–", "—", ".", "/")


def is_unit_or_type(text: str) -> bool:
    """Whether a text can be the unit or the type of a column, or says that it has none."""
    patterns = (_TYPES, _UNITS, _BRACKETS, _OF_ORANGE, _DATES)
    return text in _NO_UNIT or (len(text) <= _LONGEST and any(pattern.fullmatch(text) for pattern in patterns))


def is_type(text: str) -> bool:
    """Whether a text is a word for a type, or a unit in brackets, rather than a category."""
    return 1 < len(text) <= _LONGEST and (_TYPES.fullmatch(text) is not None or (text[0] == "[" and text[-1] == "]"))


def is_flag(text: str) -> bool:
    """Whether a text says in Orange's third line what a column is for."""
    return text.lower() in _FLAGS or (len(text) <= _LONGEST and _ATTRIBUTES.fullmatch(text) is not None)


# The first rows of a table as cells of known kinds, each column looked at once.


_CLASSES = ("class", "target", "label", "klasse", "diagnosis", "group", "type", "species", "category")


class Sample:
    """The first rows of a file. rows: their cells as text, without outer spaces; width: cells of a row of the table."""

    def __init__(self, rows: Sequence[Sequence[str]], width: int) -> None:
        self.rows = [[cell.strip() for cell in row] for row in rows]
        self.width = width
        self._counts: dict[int, tuple[list[int], list[int]]] = {}

    def column(self, k: int, start: int) -> list[str]:
        """The filled cells of a column from row ``start`` on."""
        return [row[k] for row in self.rows[start:] if len(row) > k and row[k]]

    def is_numeric(self, k: int, start: int) -> bool:
        """Whether most filled cells of a column from row ``start`` on are numbers or moments."""
        numbers, filled = self._counted(k)
        return filled[start] > 0 and numbers[start] >= MOST * filled[start]

    def has_number(self, k: int, start: int) -> bool:
        """Whether a cell of a column from row ``start`` on is a number or moment."""
        return self._counted(k)[0][start] > 0

    def begins_numeric(self, k: int, start: int, most: int, least: int = 1) -> bool:
        """Whether a column is numeric from row ``start`` on, or, with two rows left, from one of the next ``most`` rows.

        least: filled cells of which this has to be true.
        """
        starts = [start, *range(start + 1, min(start + most + 1, len(self.rows) - 1))]
        return any(self._counted(k)[1][at] >= least and self.is_numeric(k, at) for at in starts)

    def _counted(self, k: int) -> tuple[list[int], list[int]]:
        """How many numbers and filled cells a column has from each row on."""
        if k not in self._counts:
            cells = [row[k] if len(row) > k else "" for row in self.rows]
            sorts = {cell: _sort(cell) for cell in set(cells)}
            numbers = accumulate((sorts[cell] == 2 for cell in reversed(cells)), initial=0)
            filled = accumulate((sorts[cell] > 0 for cell in reversed(cells)), initial=0)
            self._counts[k] = [*numbers][::-1], [*filled][::-1]
        return self._counts[k]


def _sort(cell: str) -> int:
    """0 of a missing cell, 2 of a number or moment, 1 of another."""
    if not cell or cell.lower() in LIKE_MISSING:
        return 0
    return 1 if kind_of_cell(cell) is None else 2


def normal(row: Sequence[str]) -> tuple[str, ...]:
    """A row for a comparison: without outer spaces, capital letters, and empty cells at its end."""
    cells = [cell.strip().casefold() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def names_classes(name: str) -> bool:
    """Whether a name is usual for the classes of cases."""
    return name.strip().lower() in _CLASSES


def is_transposed(rows: Sequence[Sequence[str]], header: bool, of_classes: bool = False) -> bool:
    """Whether each row, behind its name, has cells of one kind: numbers in some, categories that recur in others.

    header: whether the first row names the cases. of_classes: whether it rather has the class of each.
    """
    features = [row[0].strip() for row in rows[header:]]
    if not all(features) or len(set(features)) < len(features) or any(map(kind_of_cell, features)):
        return False
    numeric, texts, recurring = 0, [], 0
    for k, row in enumerate(rows):
        cells = [cell.strip() for cell in row[1:] if cell.strip() and cell.strip().lower() not in LIKE_MISSING]
        numbers = sum(kind_of_cell(cell) is not None for cell in cells)
        if not numbers:
            classes = 1 < len(set(cells)) < len(cells)
            recurring += classes and (k >= header or of_classes)
            texts += cells if classes else []
        elif numbers >= MOST * len(cells):
            numeric += k >= header or not _ascends(cells)
        elif k >= header:
            return False
    told = any(map(names_classes, features)) or not all(map(is_unit_or_type, texts))
    return numeric > 0 and recurring > 0 and told


def _ascends(cells: Sequence[str]) -> bool:
    """Whether cells are numbers, each larger than the one before, as doses in the names of columns are."""
    values = [float(cell.replace(",", ".")) for cell in cells if NUMBER.fullmatch(cell)]
    return len(values) == len(cells) and all(one < other for one, other in zip(values, values[1:], strict=False))
