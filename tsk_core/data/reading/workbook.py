"""A sheet of a workbook (.xlsx, .xlsb, .xls, .ods) as an Arrow table, read by calamine."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, BinaryIO

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed, quoted
from tsk_core.data.reading.head import titles_left_out
from tsk_core.data.reading.header import guess_header
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.read_options import ReadOptions
from tsk_core.data.reading.sniffing import title_rows
from tsk_core.errors import DataError, TSKError

__all__ = ["workbook_table"]

_SAMPLE_ROWS = 60


def workbook_table(file: BinaryIO, options: ReadOptions, kind: str) -> Parsed:
    """The sheet named by ``options``, else the first with a cell; ``kind`` is "Excel" or "OpenDocument".

    Raises DataError for an absent or empty sheet, LimitError for too many rows or columns.
    """
    import python_calamine as calamine

    file.seek(0)
    try:
        book = calamine.CalamineWorkbook.from_filelike(file)
        names = tuple(m.name for m in book.sheets_metadata if m.typ == calamine.SheetTypeEnum.WorkSheet)
        sheet, rows = _sheet(book, names, options.sheet)
    except calamine.PasswordError:
        raise DataError("This workbook has a password; save it without one.") from None
    except TSKError:
        raise
    except (calamine.CalamineError, OSError, ValueError):
        raise DataError(f"This file looks like an {kind} workbook but is damaged or of another kind; save it again.") from None
    table, header, findings = _table(rows, options.header)
    if len(names) > 1:
        others = [name for name in names if name != sheet]
        findings.insert(0, Finding(f"The workbook has {len(names)} sheets.", f"{quoted(sheet)} is read.",
                                f"Another can be chosen: {listed(others)}.", "note"))  # fmt: skip
    return Parsed(*table, ReadOptions(header=header, sheet=sheet), kind, names, tuple(findings))


def _sheet(book: Any, names: Sequence[str], wanted: str | None) -> tuple[str, list[list[Any]]]:
    """The name and rows of the sheet to read; the rows have one length, without the empty edges of the sheet."""
    if not names:
        raise DataError("This workbook has no sheet of cells.")
    if wanted is not None and wanted not in names:
        raise DataError(f"There is no sheet {quoted(wanted)}; the sheets are {listed(names)}.")
    for name in (wanted,) if wanted is not None else names:
        sheet = book.get_sheet_by_name(name)
        limits.check("rows", sheet.height - 1, "Rows")
        limits.check("columns", sheet.width, "Columns")
        rows = sheet.to_python(skip_empty_area=True)
        if any(cell != "" for row in rows for cell in row):
            return name, rows
    raise DataError(f"The sheet {quoted(wanted)} is empty." if wanted is not None else "This workbook is empty.")


def _table(rows: list[list[Any]], header: bool | None) -> tuple[tuple[pa.Table, list[str]], bool, list[Finding]]:
    """(the table, its names), whether it has a header, and findings about rows above it. header: None detects it."""
    rows = [row for row in rows if any(cell != "" for cell in row)]
    sample = [[_text(cell) for cell in row] for row in rows[:_SAMPLE_ROWS]]
    titles = title_rows(sample)
    header = guess_header(sample[titles:]) if header is None else header
    body = rows[titles + header :]
    if not body:
        raise DataError("This sheet has a header row and no data rows.")
    names = sample[titles] if header else [f"column {k}" for k in range(1, len(body[0]) + 1)]
    columns = {str(k): _column([row[k] for row in body]) for k in range(len(names))}
    return (pa.table(columns), names), header, list(titles_left_out(sample[:titles]))


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
    if kinds <= {date, datetime}:
        return pa.array([cell and datetime(*cell.timetuple()[:6]) for cell in filled], pa.timestamp("us"))
    return pa.array([None if cell == "" else _text(cell) for cell in cells], pa.string())


def _text(cell: object) -> str:
    if isinstance(cell, float) and abs(cell) < 2**53 and cell == int(cell):
        return str(int(cell))
    if isinstance(cell, datetime | date | time):
        return str(cell)
    if isinstance(cell, timedelta):
        return str(cell.total_seconds() / 3600)
    return str(cell)
