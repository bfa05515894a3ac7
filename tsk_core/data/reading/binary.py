"""Parquet files and sheets of workbooks (.xlsx, .xlsb, .xls, .ods) as Arrow tables."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, BinaryIO, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.naming import listed, quoted
from tsk_core.data.reading.head import Footnotes, Repeats, left_out_below, may_repeat
from tsk_core.data.reading.header import Sample, guess_header
from tsk_core.data.reading.parsed import Parsed, ReadOptions
from tsk_core.data.reading.top import BETWEEN, left_out, table_top
from tsk_core.errors import DataError, TSKError
from tsk_core.numbers import counted

_MICRO = pa.timestamp("us")
_PLAIN = (  # the type that each kind is converted to; columns of other kinds are left out
    (types.is_boolean, pa.bool_()),
    (types.is_uint64, pa.float64()),
    (types.is_integer, pa.int64()),
    (types.is_null, pa.float64()),
    (types.is_floating, pa.float64()),
    (types.is_decimal, pa.float64()),
    (types.is_date, _MICRO),
    (types.is_timestamp, _MICRO),
    (types.is_duration, pa.duration("us")),
    (types.is_time, pa.string()),
    (types.is_string, pa.string()),
    (types.is_large_string, pa.string()),
    (types.is_string_view, pa.string()),
)
_SPANS = (  # what dates and durations can be: years that are written with four digits, and a number of microseconds
    (types.is_date, date.min, date.max),
    (types.is_timestamp, datetime.min, datetime.max),
    (types.is_duration, timedelta(days=-100_000_000), timedelta(days=100_000_000)),
)
_MOST_CATEGORIES = 1_000  # of a column that stays one of categories
_INDEX = "__index_level_0__"  # where pandas stores row numbers


def parquet_table(file: BinaryIO) -> Parsed:
    """The table; findings name columns of lists, records or bytes, which are left out, and dates that are made missing.

    Raises DataError for a damaged file or one without a plain column, LimitError for too many rows or columns.
    """
    from pyarrow import parquet

    file.seek(0)
    try:
        source = parquet.ParquetFile(file)
        limits.check("rows", source.metadata.num_rows, "Rows")
        schema = list(source.schema_arrow)
        fields = [field for field in schema if field.name != _INDEX]
        limits.check("columns", len(fields), "Columns")
        kept = [field for field in fields if _plain_type(field.type)]
        if not (kept and source.metadata.num_rows):
            raise DataError("This Parquet file has no rows, or no column of numbers or text.")
        limits.check("table_cells", source.metadata.num_rows * len(kept), "Cells of this table")
        table = source.reader.read_all(column_indices=_places(schema, kept), use_threads=False)
        bounded = [_bounded(column) for column in table.columns]
        columns = {str(k): _plain(column) for k, column in enumerate(bounded)}
    except (TSKError, MemoryError):  # Arrow's own MemoryError is also an ArrowException
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise DataError("This Parquet file is damaged or cannot be read; write it again.") from None
    nested = [field.name for field in fields if not _plain_type(field.type)]
    findings = []
    if nested:
        text = f"Left out {listed(nested)}: lists, records and bytes are not supported."
        findings.append(Finding(text, kind="left out", columns=tuple(nested)))
    lost = [after.null_count - before.null_count for before, after in zip(table.columns, bounded, strict=True)]
    findings += [_beyond(field, count) for field, count in zip(kept, lost, strict=True) if count]
    return Parsed(pa.table(columns), [field.name for field in kept], ReadOptions(), "Parquet", findings=tuple(findings))


def _places(schema: list[pa.Field], kept: list[pa.Field]) -> list[int]:
    """The positions of the kept columns in the file, where a record takes one column for each of its fields."""
    places, place = [], 0
    for field in schema:
        if any(field is k for k in kept):
            places.append(place)
        place += _width(field.type)
    return places


def _width(kind: pa.DataType) -> int:
    return sum(_width(kind.field(k).type) for k in range(kind.num_fields)) if kind.num_fields else 1


def _plain_type(kind: pa.DataType) -> pa.DataType | None:
    if types.is_dictionary(kind):
        kind = kind.value_type
    return next((plain for fits, plain in _PLAIN if fits(kind)), None)


def _bounded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dates and durations without those that no column of the table can have; other columns as they are."""
    span = next((span for fits, *span in _SPANS if fits(column.type)), None)
    if span is None or getattr(column.type, "unit", "") == "ns":  # nanoseconds reach from 1677 to 2262
        return column
    least, most = (pa.scalar(end, column.type) for end in span)
    within = pc.and_(pc.greater_equal(column, least), pc.less_equal(column, most))
    return pc.if_else(within, column, pa.scalar(None, column.type))


def _beyond(field: pa.Field, count: int) -> Finding:
    cells = counted(count, "cell is", "cells are")
    where = "beyond 100 million days" if types.is_duration(field.type) else "outside the years 1 to 9999"
    return Finding(f"Column {quoted(field.name)}: {cells} {where}.", "Counted as missing.", columns=(field.name,))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = _plain_type(column.type)
    if types.is_dictionary(column.type):
        if categories := _categories(column):
            return categories
        column = column.cast(column.type.value_type)
    return column if column.type == kind else column.cast(kind, safe=False)


def _categories(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Categories with an order; None for others, whose text may be of numbers."""
    if not column.type.ordered:
        return None
    coded = column.unify_dictionaries().combine_chunks()
    if len(coded.dictionary) > _MOST_CATEGORIES or coded.dictionary.null_count:
        return None
    names = coded.dictionary.cast(pa.string())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(coded.indices.cast(pa.int32()), names, ordered=True)])


# A sheet of a workbook (.xlsx, .xlsb, .xls, .ods) as an Arrow table, read by calamine.


_SAMPLE_ROWS = 60
# (The table, its names), whether it has a header, and findings about rows above it.
_Sheet: TypeAlias = tuple[tuple[pa.Table, list[str]], bool, list[Finding]]


def workbook_table(file: BinaryIO, options: ReadOptions, kind: str) -> Parsed:
    """The sheet named by ``options``, else the one with the largest table that has a header; ``kind``: "Excel" or "OpenDocument".

    Raises DataError for an absent or empty sheet, LimitError for too many rows or columns.
    """
    import python_calamine as calamine

    file.seek(0)
    try:
        book = calamine.CalamineWorkbook.from_filelike(file)
        sheets = [m for m in book.sheets_metadata if m.typ == calamine.SheetTypeEnum.WorkSheet]
        names = tuple(m.name for m in sheets)
        hidden = {m.name for m in sheets if m.visible != calamine.SheetVisibleEnum.Visible}
        sheet, (table, header, findings) = _largest_table(book, names, hidden, options)
    except calamine.PasswordError:
        raise DataError("This workbook has a password; save it without one.") from None
    except TSKError:
        raise
    except (calamine.CalamineError, OSError, ValueError):
        raise DataError(f"This file looks like an {kind} workbook but is damaged or of another kind; save it again.") from None
    if len(names) > 1:
        others = [name for name in names if name != sheet]
        findings.insert(0, Finding(f"The workbook has {len(names)} sheets.", f"{quoted(sheet)} is read.",
                                f"Another can be chosen: {listed(others)}.", "note"))  # fmt: skip
    return Parsed(*table, ReadOptions(header=header, sheet=sheet), kind, names, tuple(findings))


def _largest_table(book: Any, names: Sequence[str], hidden: Collection[str], options: ReadOptions) -> tuple[str, _Sheet]:
    """The name of the sheet to read and what is in it: the sheet wanted, else the one with the most cells below a header, or with
    the most cells where none has a header. A hidden sheet is only read where no other has a table.
    """
    wanted = options.sheet
    if not names:
        raise DataError("This workbook has no sheet of cells.")
    if wanted is not None and wanted not in names:
        raise DataError(f"There is no sheet {quoted(wanted)}; the sheets are {listed(names)}.")
    sheets = {name: book.get_sheet_by_name(name) for name in ((wanted,) if wanted is not None else names)}
    filled, best, most = "", None, (False, 0)
    for name in sorted(sheets, key=lambda name: (name in hidden, -sheets[name].height * sheets[name].width)):
        sheet = sheets[name]
        if best and (name in hidden or most >= (True, (sheet.height - 1) * sheet.width)):
            break  # no later one is larger
        limits.check("rows", sheet.height - 1, "Rows")
        limits.check("columns", sheet.width, "Columns")
        rows = sheet.to_python(skip_empty_area=True)  # of one length, without the empty edges of the sheet
        if not any(cell != "" for row in rows for cell in row):
            continue
        filled_rows = _fill_merged(rows, sheet)
        filled = filled or name
        if table := _table(rows, options.header, sheet.start[0] + 1):
            (columns, _), header, findings = table
            findings.extend(_merged(filled_rows))
            size = header, columns.num_rows * columns.num_columns
            if best is None or size > most:
                best, most = (name, table), size
    if best:
        return best
    if filled:
        this = "This sheet" if len(names) == 1 else f"The sheet {quoted(filled)}"
        raise DataError(f"{this} has a header row and no data rows.")
    raise DataError(f"The sheet {quoted(wanted)} is empty." if wanted is not None else "This workbook is empty.")


def _fill_merged(rows: list[list[Any]], sheet: Any) -> int:
    """Give each row of a merged cell its value, which the file has in the first one alone; how many rows got one.

    A cell that spans columns alone stays as it is: a title, or the name of a group of columns.
    """
    top, left = sheet.start
    count, end = 0, (-1, -1)
    for column, first, last in sorted((column, first, last) for (first, column), (last, _) in sheet.merged_cell_ranges or ()):
        k, merged = column - left, rows[max(first - top, 0) : max(last - top + 1, 0)]
        if (column, first) <= end or first < top or not 0 <= k < len(rows[0]) or not merged or merged[0][k] == "":
            continue  # no spreadsheet writes ranges that overlap, and a million of them would take for ever
        end = column, last
        for row in merged[1:]:
            if row[k] == "":
                row[k] = merged[0][k]
                count += 1
    return count


def _merged(rows: int) -> list[Finding]:
    if not rows:
        return []
    return [Finding("Some cells are merged over several rows.", f"{counted(rows, 'cell')} got the value of their merged cell.")]


def _table(cells: list[list[Any]], header: bool | None, first: int) -> _Sheet | None:
    """The table of a sheet; None without data rows. header: None detects it. first: number of the first row in the sheet."""
    places = [k for k, row in enumerate(cells) if any(cell != "" for cell in row)]
    rows = [cells[k] for k in places]
    apart = [k > 0 and places[k] - places[k - 1] > 1 for k in range(len(places))]
    sample = [[_text(cell) for cell in row] for row in rows[:_SAMPLE_ROWS]]
    top = table_top(sample, [k for k, gap in enumerate(apart[:_SAMPLE_ROWS]) if gap])
    above = top.above
    header = (top.header or guess_header(sample[above:])) if header is None else header
    start = above + header + (top.between if header else 0)
    between = sample[above + 1 : start]
    repeats = Repeats(may_repeat([*sample[:above], *between, *(sample[above : above + header])]))
    footnotes = Footnotes(Sample(sample[start:], len(rows[0])))
    body = []
    for k in range(start, len(rows)):
        row, number = rows[k], first + places[k]
        if isinstance(row[0], str) and row[0].strip().casefold() in repeats.firsts and repeats.has([*map(_text, row)]):
            repeats.add(number)
            continue
        body.append(row)
        if row[-1] == "" or apart[k]:
            footnotes.tail.append(([_text(cell) for cell in row], number, apart[k]))
        else:
            footnotes.tail.clear()
    below = footnotes.found(len(body))
    body = body[: len(body) - len(below)]
    if not body:
        return None
    names = sample[above] if header else [f"column {k}" for k in range(1, len(body[0]) + 1)]
    columns = {str(k): _column([row[k] for row in body]) for k in range(len(names))}
    findings = [*left_out(sample[:above], "above the table"), *left_out(between, BETWEEN), *repeats.left_out()]
    return (pa.table(columns), names), header, [*findings, *left_out_below(below)]


def _column(cells: list[Any]) -> pa.Array:
    """Numbers, booleans or dates if every filled cell is one; else text as displayed."""
    kinds = {type(cell) for cell in cells if cell != ""}
    filled = [None if cell == "" else cell for cell in cells]
    if kinds <= {int, float}:
        numbers = pa.array(filled, pa.float64())
        whole = kinds and all(cell is None or (cell == int(cell) if abs(cell) < 2**53 else False) for cell in filled)
        return numbers.cast(pa.int64()) if whole else numbers
    if kinds == {bool}:
        return pa.array(filled, pa.bool_())
    if timedelta in kinds and kinds <= {time, timedelta}:  # calamine has durations of less than a day as times of day
        return pa.array([cell and _duration(cell) for cell in filled], pa.duration("us"))
    if kinds <= {date, datetime}:
        return pa.array([cell and datetime(*cell.timetuple()[:6]) for cell in filled], pa.timestamp("us"))
    return pa.array([None if cell == "" else _text(cell) for cell in cells], pa.string())


def _duration(cell: time | timedelta) -> timedelta:
    return cell if isinstance(cell, timedelta) else datetime.combine(date.min, cell) - datetime.min


def _text(cell: object) -> str:
    if isinstance(cell, float) and abs(cell) < 2**53 and cell == int(cell):
        return str(int(cell))
    if isinstance(cell, datetime | date | time):
        return str(cell)
    if isinstance(cell, timedelta):
        return str(cell.total_seconds() / 3600)
    return str(cell)
