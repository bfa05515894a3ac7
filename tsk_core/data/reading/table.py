"""read_csv and read_table: a file, from bytes or a path, into a table. One way for the app, the command line and Python."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean import tidy_names
from tsk_core.data.dataset import Dataset, make_dataset
from tsk_core.data.export import restored
from tsk_core.data.finding import Finding
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.pool import parse_apart
from tsk_core.data.reading.wish import Reading
from tsk_core.errors import DataError

__all__ = ["RawTable", "read_csv", "raw_table", "read_table"]


@dataclass(frozen=True, eq=False)
class RawTable:
    """A file's table, before a target is chosen and anything is cleaned.

    frame: columns named with distinct text. reading: how it was read, None only where it does not apply.
    findings: how it was read and what was repaired so far, for people. name: the file's, without its ending.
    kind: "CSV", "Excel", "OpenDocument", "ARFF" or "Parquet". sheets: names of a workbook's, of which ``reading.sheet`` is read.
    """

    frame: pd.DataFrame
    reading: Reading
    findings: tuple[Finding, ...] = ()
    name: str = "table"
    kind: str = "CSV"
    sheets: tuple[str, ...] = ()


def read_csv(
    source: bytes | str | os.PathLike,
    target: str | None = None,
    name: str | None = None,
    *,
    reading: Reading | None = None,
    choices: Choices | None = None,
    **wishes: str | bool | None,
) -> Dataset:
    """Read a file (CSV, TSV, Excel, ARFF, Parquet, or one of them in a zip or gzip) into a dataset.

    What is not given is found out, and ``Dataset.findings`` say how the file was read.

    source: the file's bytes (an upload, bounded by the limit ``upload_mb``) or its path (not bounded).
    target: the class column's name; None guesses it. name: of the dataset; None takes the file's.
    reading: how the file is to be read; its fields can be given by themselves, such as ``delimiter=";"``.
    choices: further decisions about the table.
    Raises DataError or LimitError with one sentence; the file is parsed in a process of its own, bounded in time and memory.
    """
    raw = read_table(source, reading or Reading(**wishes))
    return make_dataset(raw.frame, target, name=name or raw.name, findings=raw.findings, choices=choices)


def read_table(source: bytes | str | os.PathLike, wish: Reading | None = None) -> RawTable:
    """A file as a table with proper column names, and how it was read. Raises as ``read_csv`` does."""
    wish = wish or Reading()
    if isinstance(source, bytes | bytearray | memoryview):
        limits.check("upload_mb", memoryview(source).nbytes / 1e6, "Megabytes in this file")
        return raw_table(parse_apart(bytes(source), wish), "table")
    path = Path(source)
    try:
        with path.open("rb") as file:  # here, so that what is wrong with the path is said at once
            content = path if path.is_file() else _piped(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise DataError(f"The file '{path}' cannot be opened: {reason.lower()}.") from None
    return raw_table(parse_apart(content, wish), path.name)


def _piped(file: BinaryIO) -> bytes:
    """What comes through a pipe, which has no size that could be asked for."""
    content = file.read(limits.value("unpacked_mb") * 1_000_000 + 1)
    limits.check("unpacked_mb", len(content) / 1e6, "Megabytes (at least) in this file")
    return content


def raw_table(parsed: Parsed, file_name: str = "table") -> RawTable:
    """What the reading process handed over, as pandas and with proper names."""
    frame = _frame(parsed)
    said = list(parsed.findings)
    if parsed.kind == "CSV":
        frame, count = restored(frame)
        if count:
            cells = "1 cell" if count == 1 else f"{count:,} cells"
            said.append(
                Finding(f"{cells} began with an apostrophe that keeps a spreadsheet from running them.", "It is taken off.")
            )
    frame, notes = tidy_names(frame)
    said += notes
    return RawTable(frame, parsed.reading, tuple(said), _stem(file_name), parsed.kind, parsed.sheets)


def _frame(parsed: Parsed) -> pd.DataFrame:
    """The table as pandas, columns named as in the file (repeats allowed)."""
    table = parsed.table
    columns = []
    for column in table.columns:
        if pa.types.is_boolean(column.type) and column.null_count:
            column = pc.if_else(column, "True", "False")
        columns.append(column)
    frame = pa.table(columns, names=table.column_names).to_pandas()
    return frame.set_axis(parsed.names, axis=1)


def _stem(file_name: str) -> str:
    """A file's name without its endings: "iris.csv.gz" is "iris"."""
    path = Path(file_name)
    return Path(path.stem).stem if path.suffix.lower() in (".gz", ".zip") else path.stem
