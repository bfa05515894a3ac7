"""A text file with a known structure as an Arrow table, read by pyarrow, with the cases that pyarrow does not cover."""

import csv as plain_csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from csv import writer
from dataclasses import replace
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from tsk_core import limits
from tsk_core.data.cell_text import number_span, with_point
from tsk_core.data.findings import Finding
from tsk_core.data.naming import listed
from tsk_core.data.reading.header import is_transposed, names_classes
from tsk_core.data.reading.parsed import MISSING_WORDS, Parsed, ReadOptions
from tsk_core.data.reading.structure import NO_ROWS, Structure, examine
from tsk_core.errors import DataError
from tsk_core.numbers import counted

_BLOCK = 1 << 20
_POWERS = ((pc.any, "^ *[0-9]+[eE][0-9]+ *$"), (pc.all, "^ *[+-]?[0-9]+([eE][0-9]+)? *$"))
_CODES = ("NA", "na")  # words for a missing value that are codes in some tables


def delimited_table(
    structure: Structure, types: dict[int, pa.DataType] | None = None, missing: Sequence[str] | None = None
) -> pa.Table:
    """The table, columns named "0", "1" and so on: int64, float64, bool or text, missing cells null.

    types: of columns whose type is known. missing: words that stand for a missing value. Raises DataError.
    """
    missing = MISSING_WORDS if missing is None else missing
    try:
        table = _read(structure, missing, {str(k): kind for k, kind in (types or {}).items()})
        table = _as_spelled(table, structure, missing, numbers=types is None)
        table = _with_codes(table, structure, missing)
    except pa.ArrowInvalid:
        raise DataError("This file cannot be read as a table; save it as CSV in UTF-8 with text in quotation marks.") from None
    if not table.num_rows:  # what looked like a row was a byte order mark
        raise DataError(NO_ROWS)
    return pa.table([_tidied(column, structure) for column in table.columns], names=table.column_names)


def _read(structure: Structure, missing: Sequence[str], types: dict[str, pa.DataType], only: bool = False) -> pa.Table:
    """The table by pyarrow; ``only`` reads just the columns of ``types``."""
    options, plain = structure.read_options, structure.plain
    file = structure.file if plain else _rewritten(structure)
    file.seek(structure.offset if plain else 0)
    names = [str(k) for k in range(len(structure.names))]
    return csv.read_csv(
        _Unclosed(file),
        read_options=csv.ReadOptions(use_threads=False, block_size=max(_BLOCK, 2 * structure.longest), column_names=names),
        parse_options=csv.ParseOptions(
            delimiter=options.delimiter if plain else ",", quote_char=options.quote if plain else '"',
            newlines_in_values=structure.quoted or not plain,
        ),
        convert_options=csv.ConvertOptions(
            null_values=[*missing, *(f" {word}" for word in missing if structure.spaced)], strings_can_be_null=True,
            true_values=["true", "True", "TRUE"], false_values=["false", "False", "FALSE"], check_utf8=False,
            decimal_point=options.decimal, include_columns=list(types) if only else None, column_types=types,
        ),
    )  # fmt: skip


def _as_spelled(table: pa.Table, structure: Structure, missing: Sequence[str], numbers: bool) -> pa.Table:
    """The table with columns as text that Arrow parsed and whose spelling says more: dates and, if ``numbers``, 007, 5E1 and
    whole numbers of more digits than numbers have here, which are ids or codes.
    """
    dates = [name for name in table.column_names if pa.types.is_temporal(table[name].type)]
    whole = [name for name in table.column_names if numbers and pa.types.is_integer(table[name].type)]
    zeros = whole if whole and _may_have_leading_zeros(structure) else []
    floats = [name for name in table.column_names if numbers and pa.types.is_floating(table[name].type)]
    large = [name for name in floats if _has_large_numbers(table[name])]
    powers = [name for name in floats if name not in large and _is_whole(table[name])]
    powers = powers if powers and _has(structure, (rb"e(?<=[0-9]e)[0-9]", rb"E(?<=[0-9]E)[0-9]")) else []
    again = [*dates, *zeros, *large, *powers]
    if not again:
        return table
    as_text = _read(structure, missing, dict.fromkeys(again, pa.string()), only=True)
    for k, name in enumerate(table.column_names):
        of_spelling = name in dates or (name in zeros and _has_leading_zeros(as_text[name]))
        if of_spelling or (name in large and _is_digits(as_text[name])) or (name in powers and _has_powers(as_text[name])):
            table = table.set_column(k, name, as_text[name])
    return table


def _with_codes(table: pa.Table, structure: Structure, missing: Sequence[str]) -> pa.Table:
    """The table with NA as it is written in columns of words, where it may be a code; cleaning decides that."""
    texts = [name for name in table.column_names if pa.types.is_string(table[name].type) and table[name].null_count]
    words = [name for name in texts if not pc.any(pc.match_substring_regex(table[name], "^[ +-]*[0-9]")).as_py()]
    if not words or not {*missing} & {*_CODES} or not any(b"NA" in piece or b"na" in piece for piece in _pieces(structure)):
        return table
    if not _may_begin(structure, rb"(?:NA|na)(?![0-9A-Za-z])"):
        return table
    rest = [word for word in missing if word not in _CODES]
    as_written = _read(structure, rest, dict.fromkeys(words, pa.string()), only=True)
    for k, name in enumerate(table.column_names):
        if name in words:
            table = table.set_column(k, name, as_written[name])
    return table


def _may_have_leading_zeros(structure: Structure) -> bool:
    """Whether a cell of the file may begin with a zero and another digit; quick, since few files have such a cell."""
    return _may_begin(structure, rb"0[0-9]")


def _may_begin(structure: Structure, pattern: bytes) -> bool:
    """Whether a cell of the file may begin so."""
    delimiter = (structure.read_options.delimiter or ",").encode()
    return _has(structure, [re.escape(sign) + pattern for sign in {delimiter, b"\n", b"\r", b" ", b'"', b"'"}])


def _has(structure: Structure, patterns: Iterable[bytes]) -> bool:
    """Whether one of the patterns occurs in the rows. Each begins with one sign, which makes the search several times as fast."""
    begins = [re.compile(pattern) for pattern in patterns]
    return any(begin.search(piece) for piece in _pieces(structure) for begin in begins)


def _pieces(structure: Structure) -> Iterator[bytes]:
    """The rows of the file, some at a time, each after a line break."""
    structure.file.seek(structure.offset)
    return (b"\n" + b"".join(lines) for lines in iter(lambda: structure.file.readlines(_BLOCK), []))


def _has_leading_zeros(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, "^ *0[0-9]")).as_py())


def _has_large_numbers(column: pa.ChunkedArray) -> bool:
    """Whether a column of floats has a number that no int64 holds."""
    return pa.types.is_floating(column.type) and bool(pc.any(pc.greater_equal(pc.abs(column), 2.0**63)).as_py())


def _is_whole(column: pa.ChunkedArray) -> bool:
    """Whether all numbers of a column of floats are whole, some of them."""
    return column.null_count < len(column) and bool(pc.all(pc.equal(column, pc.floor(column))).as_py())


def _has_powers(column: pa.ChunkedArray) -> bool:
    """Whether cells are like 5E1, of digits and an exponent without a sign, and no cell has decimals."""
    return all(found(pc.match_substring_regex(column, pattern)).as_py() for found, pattern in _POWERS)


def _is_digits(column: pa.ChunkedArray) -> bool:
    return bool(pc.all(pc.match_substring_regex(column, "^ *[+-]?[0-9]+ *$")).as_py())


class _Unclosed(io.BufferedIOBase):
    """pyarrow closes a file that it has read to the end; this one may be read twice."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        return self._file.read(-1 if size is None else size)

    def readable(self) -> bool:
        return True


def _rewritten(structure: Structure) -> BinaryIO:
    """The rows as plain CSV, without other lines and without cells beyond the last column."""
    width = len(structure.names)
    out = io.BytesIO()
    text = io.TextIOWrapper(out, "utf-8", newline="")
    writer = plain_csv.writer(text, lineterminator="\r\n")  # cells with either of the two are quoted
    for row in structure.rows():
        writer.writerow(row[:width])
    text.flush()
    text.detach()
    return out


def _tidied(column: pa.ChunkedArray, structure: Structure) -> pa.ChunkedArray:
    if pa.types.is_null(column.type):
        return column.cast(pa.float64())
    if not pa.types.is_string(column.type):
        return column
    if structure.spaced and structure.plain:
        column = pc.utf8_ltrim(column, " ")
    return _with_points(column) if structure.read_options.decimal == "," else column


def _with_points(text: pa.ChunkedArray) -> pa.ChunkedArray:
    """Numbers among other text as 1234.5 where the file writes 1.234,5, also beside a unit or sign; other cells as they are.

    A column with numbers that only fit a decimal point, and none that only fit a comma, stays as it is.
    """
    # Each distinct cell is converted once; the column may be long.
    coded = text.combine_chunks().dictionary_encode()
    cells = coded.dictionary.to_pylist()
    spans = [number_span(cell.strip()) if "," in cell or "." in cell else None for cell in cells]
    decimals = {span.decimals for span in spans if span}
    if "." in decimals and "," not in decimals:
        return text
    written = [with_point(cell.strip(), span) if span else cell for cell, span in zip(cells, spans, strict=True)]
    return pa.chunked_array([pa.array(written, pa.string()).take(coded.indices)])


# Tables whose rows are features and whose columns are cases: recognised by rows of numbers beside rows of categories.


_LEAST_CASES = 3


def upright(parsed: Parsed) -> Parsed:
    """The table with its rows as columns, if these are features; else as it is."""
    table = parsed.table
    if table.num_columns <= _LEAST_CASES or not len(table) < limits.value("columns"):
        return parsed
    of_classes = bool(parsed.read_options.header) and names_classes(parsed.names[0])
    if not all(pa.types.is_string(column.type) for column in (table.columns[:1] if of_classes else table.columns)):
        return parsed  # a case has cells of several kinds
    names = [_rows_with_points(parsed)] if parsed.read_options.header else []
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in table.columns]
    rows = [*names, *([cells[k] for cells in columns] for k in range(len(table)))]
    if not is_transposed(rows, bool(names), of_classes):
        return parsed
    out = io.StringIO()
    writer(out).writerows(zip(*rows, strict=True))
    options = ReadOptions("utf-8", ",", ".", True, '"', "")
    structure = examine(io.BytesIO(out.getvalue().encode()), 0, "utf-8", options)
    fact = f"The table is transposed: {counted(len(rows), 'row')}, such as {listed([row[0] for row in rows[-2:]])}, are features"
    note = Finding(f"{fact}, and the columns are cases.", "Used the rows as columns.")
    return replace(parsed, table=delimited_table(structure), names=structure.names, findings=(*parsed.findings, note))


def _rows_with_points(parsed: Parsed) -> list[str]:
    """The first row, its numbers with a decimal point, as those of the other rows have by now."""
    if parsed.read_options.decimal != ",":
        return parsed.names
    spans = [number_span(name.strip()) for name in parsed.names]
    return [with_point(name.strip(), span) if span else name for name, span in zip(parsed.names, spans, strict=True)]
