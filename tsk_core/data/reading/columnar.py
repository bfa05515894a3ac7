"""A Parquet file as an Arrow table of plain columns."""

from datetime import date, datetime, timedelta
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed, quoted
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.read_options import ReadOptions
from tsk_core.errors import DataError, TSKError
from tsk_core.numbers import counted

__all__ = ["parquet_table"]

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
