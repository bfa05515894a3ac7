"""A text file that has proved to be a table, as an Arrow table: pyarrow's reader, and what it does not read itself."""

import csv as plain_csv
import io
import re
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from tsk_core.data.reading.lines import Lines
from tsk_core.data.reading.sniffing import cells_of
from tsk_core.data.reading.structure import Structure
from tsk_core.errors import DataError

__all__ = ["GAP_WORDS", "delimited_table"]

GAP_WORDS = ["", "?", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "#N/A"]
_COMMA_NUMBER = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+(e[+-]?\d+)?|[+-]?\d{1,3}(\.\d{3})+", re.IGNORECASE)
_BLOCK = 1 << 20


def delimited_table(structure: Structure, types: dict[int, pa.DataType] | None = None, gaps: list[str] | None = None) -> pa.Table:
    """The table, columns called "0", "1" and so on: int64, float64, bool or text, gaps null.

    types: of columns that need no guess. gaps: words that stand for a missing cell. Raises DataError.
    """
    gaps = GAP_WORDS if gaps is None else gaps
    try:
        table = _read(structure, gaps, {str(k): kind for k, kind in (types or {}).items()})
        # Arrow makes dates of some columns; as text, they keep the form in which a person wrote them.
        dates = {c: pa.string() for c in table.column_names if pa.types.is_temporal(table[c].type)}
        if dates:
            again = _read(structure, gaps, dates, only=True)
            for k, name in enumerate(table.column_names):
                if name in dates:
                    table = table.set_column(k, name, again[name])
    except pa.ArrowInvalid:
        raise DataError("This file cannot be read as a table; save it as CSV in UTF-8 with text in quotation marks.") from None
    return pa.table([_tidied(column, structure) for column in table.columns], names=table.column_names)


def _read(structure: Structure, gaps: list[str], types: dict[str, pa.DataType], only: bool = False) -> pa.Table:
    """Arrow's table; ``only``: the columns of ``types`` alone."""
    reading, plain = structure.reading, structure.plain
    file = structure.file if plain else _rewritten(structure)
    file.seek(structure.offset if plain else 0)
    names = [str(k) for k in range(len(structure.names))]
    return csv.read_csv(
        _Unclosed(file),
        read_options=csv.ReadOptions(use_threads=False, block_size=max(_BLOCK, 2 * structure.longest), column_names=names),
        parse_options=csv.ParseOptions(
            delimiter=reading.delimiter if plain else ",", quote_char=reading.quote if plain else '"',
            newlines_in_values=structure.quoted or not plain,
        ),
        convert_options=csv.ConvertOptions(
            null_values=[*gaps, *(f" {word}" for word in gaps if structure.spaced)], strings_can_be_null=True,
            true_values=["true", "True", "TRUE"], false_values=["false", "False", "FALSE"], check_utf8=False,
            decimal_point=reading.decimal, include_columns=list(types) if only else None, column_types=types,
        ),
    )  # fmt: skip


class _Unclosed(io.BufferedIOBase):
    """Arrow closes what it has read to the end; this file is read twice."""

    def __init__(self, file: BinaryIO) -> None:
        self.read, self._file = file.read, file

    def readable(self) -> bool:
        return True


def _rewritten(structure: Structure) -> BinaryIO:
    """The rows as plain CSV, without comments, blank lines and cells beyond the last column."""
    reading, width = structure.reading, len(structure.names)
    out = io.BytesIO()
    text = io.TextIOWrapper(out, "utf-8", newline="")
    writer = plain_csv.writer(text, lineterminator="\n")
    lines = Lines(structure.file, structure.offset)
    try:
        for row in cells_of(lines, reading.delimiter, reading.quote):
            if row and (len(row) > 1 or row[0].strip()) and not structure.comments.has(row[0], len(row)):
                writer.writerow(row[:width])
    finally:
        lines.close()
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
    return _with_points(column) if structure.reading.decimal == "," else column


def _with_points(text: pa.ChunkedArray) -> pa.ChunkedArray:
    """Numbers among other text as 1234.5 where the file writes 1.234,5; cells of other kinds as they are."""

    def point(cell: str | None) -> str | None:
        return cell.replace(".", "").replace(",", ".") if cell and _COMMA_NUMBER.fullmatch(cell.strip()) else cell

    # Each distinct cell is looked at once; the column may be long.
    coded = text.combine_chunks().dictionary_encode()
    cells = pa.array([point(cell) for cell in coded.dictionary.to_pylist()], pa.string())
    return pa.chunked_array([cells.take(coded.indices)])
