"""read_csv and read_table: read a file, from bytes or a path. The app, the command line and Python all use these."""

import os
import warnings
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean import tidy_names
from tsk_core.data.dataset import Dataset, make_dataset
from tsk_core.data.export import unescape_formulas
from tsk_core.data.findings import Finding
from tsk_core.data.naming import listed
from tsk_core.data.reading.parsed import Parsed, ReadOptions
from tsk_core.data.reading.pool import parse_in_subprocess
from tsk_core.errors import DataError, FindingWarning, SettingError
from tsk_core.numbers import counted


@dataclass(frozen=True, eq=False)
class RawTable:
    """The table of a file, before the choice of a target and before cleaning.

    frame: columns with distinct names. read_options: how the file was read; None in a field means that it does not apply.
    findings: how the file was read and what was repaired so far. name: of the file, without extension.
    kind: "CSV", "Excel", "OpenDocument", "ARFF" or "Parquet". sheets: names in a workbook; ``read_options.sheet`` was read.
    """

    frame: pd.DataFrame
    read_options: ReadOptions
    findings: tuple[Finding, ...] = ()
    name: str = "table"
    kind: str = "CSV"
    sheets: tuple[str, ...] = ()


def read_csv(
    source: bytes | str | os.PathLike[str],
    target: str | None = None,
    name: str | None = None,
    *,
    read_options: ReadOptions | None = None,
    choices: Choices | None = None,
    **options: Any,
) -> Dataset:
    """Read a file (CSV, TSV, Excel, OpenDocument, Parquet, ARFF, or one of them in a zip or gzip) into a dataset.

    What is not given is detected; ``Dataset.findings`` say how the file was read, and ``print(dataset.check())`` shows them. A
    FindingWarning names the first finding of the kind "warning", where there is one.

    Parameters
    ----------
    source : bytes, str or path
        The bytes of the file (an upload, bounded by the limit ``upload_mb``) or its path. Rows and columns are bounded in both.
    target : str, optional
        Name of the class column; None guesses it.
    name : str, optional
        Of the dataset; None takes that of the file.
    read_options : ReadOptions, optional
        How to read the file.
    choices : Choices, optional
        What you decide about columns and rows, such as ``Choices(roles={"id": "ignored"})``.
    **options
        Single fields of ``read_options``, such as ``delimiter=";"``.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError, LimitError
        One sentence; a separate process, bounded in time and memory, parses the file.
    SettingError
        For an option that does not exist.

    Examples
    --------
    >>> from tsk_core import read_csv
    >>> rows = ["size;weight;kind", *(f"{i % 7};{i % 5} kg;{'ab'[i % 3 > 1]}" for i in range(40))]
    >>> data = read_csv(chr(10).join(rows).encode(), target="kind")  # the bytes of a file
    >>> data.X.shape, data.classes
    ((40, 2), ['a', 'b'])
    """
    if not isinstance(source, bytes | str | os.PathLike):
        raise DataError(
            f"read_csv got a {type(source).__name__}; give it the bytes of a file, as file.read() returns, or a path."
        )
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        raise DataError("read_csv fetches nothing from the internet; download the file and give its path.")
    known = [option.name for option in fields(ReadOptions)]
    if unknown := [name for name in options if name not in known]:
        raise SettingError(
            f"read_csv has no option {listed(unknown)}; the options of reading are {', '.join(known)}, and what you decide about"
            ' columns and rows goes into choices, as in choices=Choices(roles={"id": "ignored"}).'
        )
    raw = read_table(source, read_options or ReadOptions(**options))
    dataset = make_dataset(raw.frame, target, name=name or raw.name, findings=raw.findings, choices=choices)
    if found := [finding for finding in dataset.findings if finding.kind == "warning"]:
        several = f" and {len(found) - 1} more" if len(found) > 1 else ""
        warnings.warn(
            f"{found[0].fact} {found[0].advice} print(dataset.check()) shows this{several}.", FindingWarning, stacklevel=2
        )
    return dataset


def read_table(source: bytes | str | os.PathLike[str], read_options: ReadOptions | None = None) -> RawTable:
    """A file as a table with proper column names, and how it was read. Raises as ``read_csv`` does."""
    read_options = read_options or ReadOptions()
    if isinstance(source, bytes | bytearray | memoryview):
        limits.check("upload_mb", memoryview(source).nbytes / 1e6, "Megabytes in this file")
        return raw_table(parse_in_subprocess(bytes(source), read_options), "table")
    path = Path(source)
    try:
        with path.open("rb") as file:  # in this process, to report a wrong path at once
            content = path if path.is_file() else _piped(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise DataError(f"The file '{path}' cannot be opened: {reason.lower()}.") from None
    return raw_table(parse_in_subprocess(content, read_options), path.name)


def _piped(file: BinaryIO) -> bytes:
    """The content of a pipe, whose size is not known in advance."""
    content = file.read(limits.value("unpacked_mb") * 1_000_000 + 1)
    limits.check("unpacked_mb", len(content) / 1e6, "Megabytes (at least) in this file")
    return content


def raw_table(parsed: Parsed, file_name: str = "table") -> RawTable:
    """What the reading process returned, in pandas and with proper column names."""
    frame = _frame(parsed)
    findings = list(parsed.findings)
    if parsed.kind == "CSV":
        frame, count = unescape_formulas(frame)
        if count:
            cells = counted(count, "cell")
            findings.append(
                Finding(f"{cells} began with an apostrophe that keeps a spreadsheet from running them.", "Removed it.")
            )
    frame, notes = tidy_names(frame)
    findings += notes
    return RawTable(frame, parsed.read_options, tuple(findings), _stem(file_name), parsed.kind, parsed.sheets)


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
    """A file name without extensions: "iris.csv.gz" is "iris"."""
    path = Path(file_name)
    return Path(path.stem).stem if path.suffix.lower() in (".gz", ".zip") else path.stem
