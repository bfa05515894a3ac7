"""A file of any supported kind, detected by its content, as a raw table."""

import io
from dataclasses import replace
from typing import BinaryIO

from tsk_core.data.finding import Finding
from tsk_core.data.naming import quoted
from tsk_core.data.reading import unpacking
from tsk_core.data.reading.arff import arff_table, is_arff
from tsk_core.data.reading.columnar import parquet_table
from tsk_core.data.reading.decoding import as_utf8
from tsk_core.data.reading.delimited import delimited_table
from tsk_core.data.reading.kinds import kind_of
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.read_options import ReadOptions
from tsk_core.data.reading.structure import examine
from tsk_core.data.reading.transposed import upright
from tsk_core.data.reading.workbook import workbook_table
from tsk_core.errors import DataError

__all__ = ["parse"]


def parse(source: bytes | BinaryIO, read_options: ReadOptions | None = None) -> Parsed:
    """Read a file in this process; use ``read_table`` for untrusted files, which reads in a separate one.

    source: its bytes, or the file opened for reading bytes. Raises DataError or LimitError with one sentence.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    read_options = read_options or ReadOptions()
    file.seek(0)
    head = file.read(4096)
    if not head.strip() and not (head + file.read(1 << 20)).strip(b"\0 \t\r\n"):
        raise DataError("This file is empty; choose one with a header row and data rows.")
    kind = kind_of(head)
    unpacked: tuple[Finding, ...] = ()
    if kind == "gzip":
        file, unpacked = unpacking.unpacked_gzip(file), (Finding("Unpacked the table from a gzip archive.", kind="note"),)
    elif kind == "zip" and unpacking.archive_kind(file) == "zip":
        file, name = unpacking.unpacked_zip(file)
        unpacked = (Finding(f"Unpacked {quoted(name)} from a ZIP archive.", kind="note"),)
    parsed = _table(file, read_options).without_empty_edge()
    if parsed.kind in ("CSV", "Excel", "OpenDocument"):  # the other kinds declare what a column is
        parsed = upright(parsed)
    parsed.check_size()
    how = Finding(parsed.read_options.sentence(parsed.kind), kind="note")
    return replace(parsed, findings=(how, *unpacked, *parsed.findings))


def _table(file: BinaryIO, read_options: ReadOptions) -> Parsed:
    file.seek(0)
    kind = kind_of(file.read(512))
    if kind == "Parquet":
        return parquet_table(file)
    if kind in ("Excel", "zip"):
        return workbook_table(file, read_options, kind if kind == "Excel" else unpacking.archive_kind(file))
    text, start, encoding, damage = as_utf8(file, read_options.encoding)
    if is_arff(text, start):
        parsed = arff_table(text, start, encoding)
    else:
        structure = examine(text, start, encoding, read_options)
        parsed = Parsed(delimited_table(structure), structure.names, structure.read_options, "CSV", findings=structure.findings)
    return replace(parsed, findings=(*damage, *parsed.findings))
