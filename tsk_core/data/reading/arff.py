"""ARFF files (Weka's format): the header is parsed here, the rows are read as those of a CSV file."""

import csv
import io
import re
from dataclasses import replace
from typing import BinaryIO

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.naming import quoted
from tsk_core.data.reading.delimited import delimited_table
from tsk_core.data.reading.head import Head
from tsk_core.data.reading.parsed import Parsed, ReadOptions
from tsk_core.data.reading.sniffing import Lines
from tsk_core.data.reading.structure import measured
from tsk_core.errors import DataError

# No two parts may match the same characters, or a long line takes quadratic time.
_ATTRIBUTE = re.compile(r"@attribute[ \t]+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s'\"{][^\s{]*)[ \t]*(\S.*)", re.IGNORECASE)
_ESCAPED = re.compile(rb"\\([\\%'\"])")
_NUMBERS = ("numeric", "real", "integer")
_TEXTS = ("string", "date")
_MISSING = ["?", ""]
_ORDERED = 1_000  # declared categories up to which their order is kept; a longer list takes much memory


def is_arff(file: BinaryIO, start: int) -> bool:
    """Whether the first line that is neither blank nor a comment begins a relation."""
    file.seek(start)
    for line in iter(lambda: file.readline(1 << 16), b""):
        bare = line.strip().lower()
        if bare and not bare.startswith(b"%"):
            return bare.startswith((b"@relation", b"@attribute"))
    return False


def arff_table(file: BinaryIO, start: int, encoding: str) -> Parsed:
    """The table; a nominal attribute is a column of categories in their declared order.

    Raises DataError with the line that is wrong, LimitError for too many rows or columns.
    """
    lines = Lines(file, start)
    try:
        names, kinds = _header(lines)
        offset, number = lines.offset, lines.number
        quote = _quote(lines, number)
    finally:
        lines.close()
    file, offset = _without_escapes(file, offset, quote)
    head = Head(offset, number, ",", quote, ".", names, len(names), False, "%", 0, ())
    structure = measured(file, head, encoding)
    if len(structure.names) != len(names):
        raise DataError(
            f"The rows of this ARFF file have {len(structure.names):,} cells, but it declares {len(names):,} attributes."
        )
    texts = {k: pa.string() for k, kind in enumerate(kinds) if kind not in _NUMBERS}
    table = delimited_table(replace(structure, spaced=True), texts, _MISSING)
    ordered = [kind if isinstance(kind, list) and len(kind) <= _ORDERED else None for kind in kinds]
    columns = [_nominal(c, kind) if kind else c for c, kind in zip(table.columns, ordered, strict=True)]
    for name, kind, column in zip(names, kinds, columns, strict=True):
        if kind in _NUMBERS and pa.types.is_string(column.type):
            raise DataError(f"The attribute {quoted(name)} of this ARFF file is {kind}, but one of its cells is not a number.")
    reading = ReadOptions(encoding=encoding)
    return Parsed(pa.table(columns, names=table.column_names), names, reading, "ARFF", findings=structure.findings)


def _header(lines: Lines) -> tuple[list[str], list[str | list[str]]]:
    """Names and kinds of the attributes: a word, or the list of categories. Leaves ``lines`` behind ``@data``."""
    names: list[str] = []
    kinds: list[str | list[str]] = []
    for line in lines:
        bare = line.strip()
        if bare.lower().startswith("@data"):
            if not names:
                raise DataError("This ARFF file declares no attributes.")
            return names, kinds
        if bare.lower().startswith("@attribute"):
            match = _ATTRIBUTE.fullmatch(bare)
            if not match:
                raise DataError(f"Line {lines.number:,} of this ARFF file is not an attribute with a name and a type.")
            names.append(_unquoted(match[1]))
            kinds.append(_kind(match[2], lines.number))
            limits.check("columns", len(names), "Columns")
    raise DataError("This ARFF file has no line @data, so it has no rows.")


def _kind(text: str, line: int) -> str | list[str]:
    text = _without_comment(text)
    word = text.split(None, 1)[0].lower() if text else ""
    if text.startswith("{") and text.endswith("}"):
        quote = "'" if "'" in text else '"'
        try:
            (cells,) = csv.reader([text[1:-1]], quotechar=quote, skipinitialspace=True, escapechar="\\")
        except (csv.Error, ValueError):
            raise DataError(f"Line {line:,} of this ARFF file has a malformed list of categories.") from None
        return [cell.strip() for cell in cells]
    if word not in (*_NUMBERS, *_TEXTS):
        raise DataError(f"Line {line:,} of this ARFF file has an attribute of the type {quoted(word)}, which is not supported.")
    return word


def _without_comment(text: str) -> str:
    """A type without the comment behind it."""
    comment = text.find("%", max(map(text.rfind, "}'\"")) + 1)
    return text if comment < 0 else text[:comment].rstrip()


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[1:-1]) if name[0] in "'\"" else name


def _quote(lines: Lines, before: int) -> str:
    """The quotation mark of the rows, from the first that has one; rows in braces are refused."""
    for line in lines:
        if line.startswith("%"):
            continue
        if line.lstrip().startswith("{"):
            raise DataError("This ARFF file is sparse (rows in braces); save it with all cells and open that.")
        marks = [line.find(mark) for mark in "'\""]
        if max(marks) >= 0:
            return "'" if marks[1] < 0 or 0 <= marks[0] < marks[1] else '"'
        if lines.number > before + 1000:
            break
    return '"'


def _without_escapes(file: BinaryIO, offset: int, quote: str) -> tuple[BinaryIO, int]:
    r"""The file, or a copy of its rows without the escapes \\, \%, \' and \"; quotes in quotes are doubled, as in CSV."""
    file.seek(offset)
    rows = file.read()
    if b"\\" not in rows:
        return file, offset
    mark = quote.encode()
    return io.BytesIO(_ESCAPED.sub(lambda found: found[1] * (1 + (found[1] == mark)), rows)), 0


def _nominal(column: pa.ChunkedArray, categories: list[str]) -> pa.ChunkedArray:
    """Categories in their declared order; cells that were not declared come after them."""
    coded = column.combine_chunks().dictionary_encode()
    order = list(dict.fromkeys([*categories, *coded.dictionary.to_pylist()]))
    place = {category: k for k, category in enumerate(order)}
    codes = pa.array([place[cell] for cell in coded.dictionary.to_pylist()], pa.int32()).take(coded.indices)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, pa.array(order, pa.string()))])
