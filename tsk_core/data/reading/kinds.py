"""The kind of a file, detected by its content and never by its name."""

import re

from tsk_core.errors import DataError

__all__ = ["kind_of", "not_a_table", "refuse_other_texts"]

_READ = "CSV, Excel, OpenDocument, Parquet or ARFF"
_TABLES = (
    (b"PAR1\x15", "Parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xd0\xcf\x11\xe0", "Excel"),
)
_OTHERS = (  # each signature is one that no CSV begins with: a column may be named "PAR1" or "ID3"
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"BZh91AY", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"ARROW1\x00", "an Arrow file"),
    (b"ORC\n", "an ORC file"),
    (b"Obj\x01", "an Avro file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"RDX2\n", "an R data file"),
    (b"RDX3\n", "an R data file"),
    (b"MATLAB 5.0 MAT", "a MATLAB file"),
    (b"$FL2", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"{\\rtf", "an RTF document"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"RIFF", "a media file"),
    (b"ID3\x03", "a media file"),
    (b"OggS", "a media file"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05](\x95|\}|\]|c|q|X|K|M|G|\()")


def kind_of(head: bytes) -> str:
    """One of "Parquet", "Excel", "gzip", "zip" and "text", from the first bytes of a file. Raises DataError for other files."""
    kind = next((name for magic, name in _TABLES if head.startswith(magic)), None)
    if kind:
        return kind
    other = next((name for magic, name in _OTHERS if head.startswith(magic)), None)
    if other is None and head[257:262] == b"ustar":
        other = "a tar archive"
    if other is None and _PICKLE.match(head):
        other = "a Python object (pickle)"
    if other:
        raise not_a_table(other)
    return "text"


def refuse_other_texts(text: str) -> None:
    """Raise DataError if the first characters show HTML, XML or JSON."""
    start = text[:2000].lstrip().lower()
    if re.match(r"<(!doctype html|html|head|body|table|div|script)\b", start):
        raise not_a_table("a web page (HTML)")
    if start.startswith("<?xml"):
        raise not_a_table("an XML file")
    if re.match(r"\{\s*\"|\[\s*[\[{]|\{\s*\}", start):
        raise not_a_table("a JSON file")


def not_a_table(kind: str) -> DataError:
    """The error for a file of another kind."""
    return DataError(f"This file is {kind}, not a table; save the table as {_READ} and open that.")
