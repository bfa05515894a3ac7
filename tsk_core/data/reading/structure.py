"""What a file of bytes is, before any table reader sees it: kind, encoding, separator, header, shape.

Only the standard library and charset-normalizer: refusing a bad file must be quick, whatever is in it.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tsk_core import limits
from tsk_core.errors import DataError

__all__ = ["Reading", "Structure", "examine"]

_MAGIC = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"{\\rtf", "an RTF document"),
    (b"\x7fELF", "a program"),
    (b"RIFF", "a media file"),
)
_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}  # the comma last: it may be decimal
_SAMPLE = 65_536  # characters that are enough to see how a file is written
_SAMPLE_ROWS = 60
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


@dataclass(frozen=True)
class Reading:
    """How a file is read; None means find out.

    delimiter: one of , ; tab |. decimal: "." or ",". header: whether the first row holds names.
    """

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        """Raise DataError for a wish that no file can be read by."""
        if self.delimiter not in (None, *_DELIMITERS):
            raise DataError(f"The separator is {self.delimiter!r}; it must be a comma, semicolon, tab or |.")
        if self.decimal not in (None, ".", ","):
            raise DataError(f"The decimal sign is {self.decimal!r}; it must be '.' or ','.")

    def sentence(self) -> str:
        """How the file was read, for people."""
        name = {"utf-8-sig": "UTF-8", "cp1252": "Latin-1 (Windows-1252)"}.get(self.encoding, self.encoding.upper())
        comma = ", decimal comma" if self.decimal == "," else ""
        header = "" if self.header else "; it has no header row, so columns are numbered"
        return f"Read as {name}, separated by {_DELIMITERS[self.delimiter]}{comma}{header}."


@dataclass(frozen=True)
class Structure:
    """A file that has proved to be a table: its text, how to read it, its column names."""

    text: str
    reading: Reading
    names: list[str]


def examine(data: bytes, wish: Reading | None = None) -> Structure:
    """Find out how to read a file and check that it is a table.

    Raises DataError with one sentence naming what the file is, or the line that is wrong; LimitError when
    it has too many rows or columns.
    """
    reading = wish or Reading()
    if not data.strip():
        raise DataError("This file is empty; choose one with a header row and data rows.")
    _refuse_other_kinds(data)
    text, encoding = _decode(data, reading.encoding)
    hint = re.match(r"\s*sep=(.)\r?\n", text)  # Excel's own first line
    if hint and hint[1] in _DELIMITERS:
        reading = replace(reading, delimiter=reading.delimiter or hint[1])
        text = text[hint.end() :]
    text = text.lstrip("\r\n")
    _refuse_other_texts(text)
    sample = text[:_SAMPLE]
    delimiter = reading.delimiter or _guess_delimiter(sample, len(text) > _SAMPLE)
    rows = _sample_rows(sample, delimiter, len(text) > _SAMPLE)
    decimal = reading.decimal or _guess_decimal(rows, delimiter)
    header = _guess_header(rows) if reading.header is None else reading.header
    names = _check_rows(text, delimiter, header)
    return Structure(text, Reading(encoding, delimiter, decimal, header), names)


def _refuse_other_kinds(data: bytes) -> None:
    kind = next((name for magic, name in _MAGIC if data.startswith(magic)), None)
    if data.startswith(b"PK\x03\x04"):
        office = b"[Content_Types].xml" in data[:4096] or b"mimetype" in data[:64] or b"xl/" in data
        kind = "an Excel workbook or other Office file" if office else "a ZIP archive"
    if kind:
        raise _not_csv(kind)


def _refuse_other_texts(text: str) -> None:
    start = text[:2000].lstrip().lower()
    if start.startswith(("<!doctype html", "<html")):
        raise _not_csv("a web page (HTML)")
    if start.startswith("<?xml"):
        raise _not_csv("an XML file")
    if start.startswith(('{"', "{\n", "{\r\n", "[{", "[[")):
        raise _not_csv("a JSON file")
    if re.search(r"^@relation\s", start, re.MULTILINE):
        raise _not_csv("an ARFF file")


def _not_csv(kind: str) -> DataError:
    return DataError(f"This file is {kind}, not a CSV table; save the table as CSV and open that.")


def _decode(data: bytes, wish: str | None) -> tuple[str, str]:
    """Text and the encoding that gave it: as wished, by byte order mark, as UTF-8, else by its statistics."""
    encoding = wish or next((name for bom, name in _BOMS if data.startswith(bom)), None) or _utf16_without_mark(data)
    if encoding is None and b"\x00" not in data:
        encoding = "utf-8" if _is_utf8(data) else _guess_encoding(data)
    if encoding is None:
        raise _not_csv("a binary file")
    try:
        text = data.decode(encoding)
    except LookupError:
        raise DataError(f"The encoding {encoding!r} is not known; try utf-8 or latin-1.") from None
    except UnicodeError:
        raise DataError(f"This file cannot be read as {encoding.upper()}; save it as UTF-8.") from None
    control = sum(text[:_SAMPLE].count(chr(c)) for c in range(32) if c not in (9, 10, 12, 13))
    if "\x00" in text or control > len(text[:_SAMPLE]) / 100:
        raise _not_csv("a binary file")
    return text, encoding


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 written without a mark has a zero in nearly every second byte."""
    head = data[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(data) % 2 or max(even, odd) < 0.4 * len(head) or min(even, odd):
        return None
    return "utf-16-be" if even else "utf-16-le"


def _guess_encoding(data: bytes) -> str | None:
    """The likeliest legacy encoding, or None for bytes that are no text."""
    from charset_normalizer import from_bytes  # costs 50 ms, and most files are UTF-8

    # Only lines that tell something, and of each no more than surrounds its first foreign letter.
    lines = (line for line in data.split(b"\n") if not line.isascii())
    starts = ((line, re.search(rb"[\x80-\xff]", line).start()) for line in islice(lines, 2000))
    sample = b"\n".join(line[max(0, start - 200) : start + 4000] for line, start in starts)[:_SAMPLE]
    foreign, plain = len(re.findall(rb"[\x80-\xff]", sample)), len(re.findall(rb"[A-Za-z]", sample))
    if foreign < max(0.5 * plain, 20):
        # A few accents among plain letters look alike in many encodings; Windows-1252 is what spreadsheets write.
        likely = ["cp1252"]
    else:
        guess = from_bytes(sample).best()
        likely = [guess.encoding, "cp1252"] if guess else []
    return next((encoding for encoding in likely if _decodes(data, encoding)), None)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)


def _sample_rows(sample: str, delimiter: str, cut: bool) -> list[list[str]]:
    """The first filled rows; where the sample was cut, its last row is not whole and is left away."""
    try:
        rows = [row for row in islice(_rows(sample, delimiter), _SAMPLE_ROWS) if row]
    except csv.Error:
        return []
    return rows[:-1] if cut and 1 < len(rows) < _SAMPLE_ROWS else rows


def _guess_delimiter(sample: str, cut: bool) -> str:
    """The separator that cuts most rows into as many cells as the first; the standard sniffer looks past quotes."""
    best, best_share = ",", 0.0
    for delimiter in _DELIMITERS:
        rows = _sample_rows(sample, delimiter, cut)
        if not rows or len(rows[0]) < 2:
            continue
        share = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
        if share > best_share:
            best, best_share = delimiter, share
    return best


def _guess_decimal(rows: list[list[str]], delimiter: str) -> str:
    cells = [cell.strip() for row in rows for cell in row]
    commas = [c for c in cells if _COMMA_NUMBER.fullmatch(c)]
    points = sum(_POINT_NUMBER.fullmatch(c) is not None for c in cells)
    if len(commas) <= points:
        return "."
    # "1,234" alone may be a thousand; between semicolons or tabs the comma is the decimal sign.
    return "," if delimiter in ";\t" or not all(_THOUSANDS.fullmatch(c) for c in commas) else "."


def _guess_header(rows: list[list[str]]) -> bool:
    """No header when the first row is all numbers, or mostly numbers and its text comes again below (a class name)."""
    if not rows:
        return True
    first = [cell.strip() for cell in rows[0]]
    texts = [k for k, cell in enumerate(first) if not _NUMBER.fullmatch(cell)]
    if not texts:
        return False
    if 2 * len(texts) >= len(first):
        return True
    return not any(first[k] and any(len(row) > k and row[k].strip() == first[k] for row in rows[1:]) for k in texts)


def _check_rows(text: str, delimiter: str, header: bool) -> list[str]:
    """Count cells row by row; returns the column names ("" where a header cell is empty).

    Done here because a table reader takes quadratic time on a million columns and hides ragged rows.
    """
    most = limits.value("rows")
    reader = _rows(text, delimiter)
    first, n_rows, line = None, 0, 1
    try:
        for row in reader:
            if not row:
                pass  # a blank line
            elif first is None:
                limits.check("columns", len(row), "Columns")
                first = row
            elif len(row) != len(first):
                raise DataError(
                    f"Line {line:,} has {len(row):,} cell{'s' if len(row) != 1 else ''} where the first row has {len(first):,}; "
                    "every row needs the same number."
                )
            n_rows += bool(row)
            if n_rows > most + 1:
                break
            line = reader.line_num + 1
    except csv.Error:
        raise DataError(f"A cell that begins near line {line:,} is too long; is a quotation mark left open?") from None
    n_rows -= header
    if n_rows > most:
        # The exact number does not matter; counting on might take long.
        limits.check("rows", n_rows, "Rows (at least)")
    if n_rows < 1:
        raise DataError("This file has a header row and no data rows.")
    return first if header else [f"column {k}" for k in range(1, len(first) + 1)]
