"""The content of a file: its kind, the table in an archive, and its bytes as UTF-8."""

import codecs
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import IO, BinaryIO

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.naming import listed
from tsk_core.errors import DataError, LimitError, TSKError
from tsk_core.numbers import counted

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


# A file of bytes as UTF-8: the encoding is detected by byte order mark, by trial, or by letter statistics.
#
# The file is processed in pieces, so that a large file is never held in memory twice.


_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PIECE = 1 << 20
_SAMPLE = 65_536  # bytes; enough to detect the encoding
_NOT_A_SIGN = (
    rb"[\x81-\x9f\xa1\xa4-\xaf\xb1\xb4-\xff]"  # without those that stand beside numbers in Windows-1252: € £ ° ² ³ nbsp ¢
)
_WRONG = re.compile("[\udc80-\udcff]")  # a byte that is not UTF-8, as "surrogateescape" decodes it
_FEW = 2  # times as many other letters that are not ASCII, for wrong bytes to be damage: of another encoding nearly all are wrong
_CONTROL = bytes(c for c in range(32) if c not in (9, 10, 12, 13, 26))  # 26 ends a file of DOS


def as_utf8(file: BinaryIO, encoding: str | None) -> tuple[BinaryIO, int, str, tuple[Finding, ...]]:
    """The file as UTF-8, the byte at which its text begins, its original encoding, and a finding about damage.

    encoding: None detects it. Raises DataError for a file that is not text, or not in this encoding.
    """
    encoding = encoding or _guess(file)
    if encoding is None:
        raise not_a_table("a binary file")
    try:
        b"".decode(encoding)
        decoded, damage = _decoded(file, codecs.lookup(encoding).name)
    except TSKError:
        raise
    except (LookupError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise DataError(f"This file cannot be read as {encoding[:40].upper()}; save it as UTF-8.") from None
        raise DataError(f"The encoding {encoding[:40]!r} is unknown; try utf-8 or latin-1.") from None
    decoded = _without_end_mark(decoded)
    decoded.seek(0)
    head = decoded.read(_SAMPLE)
    if len(head) - len(head.translate(None, _CONTROL)) > len(head) / 100:
        raise not_a_table("a binary file")
    start = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    return decoded, start, encoding, (damage,) if damage else ()


def _decoded(file: BinaryIO, encoding: str) -> tuple[BinaryIO, Finding | None]:
    """The file as UTF-8, and a warning where some of its bytes were not. Raises UnicodeError for another encoding."""
    if encoding not in ("utf-8", "utf-8-sig", "ascii"):
        return _transcoded(file, encoding), None
    try:
        return _check(file, encoding), None
    except UnicodeError:
        damage = _damage(file) if encoding != "ascii" else None
        if damage is None:
            raise
        return _transcoded(file, encoding, "replace"), damage


def _guess(file: BinaryIO) -> str | None:
    file.seek(0)
    head = file.read(4096)
    marked = next((name for bom, name in _BOMS if head.startswith(bom)), None) or _utf16_without_mark(head)
    if marked:
        return marked
    if any(b"\0" in piece for piece in _pieces(file)):
        return None
    return "utf-8" if _decodes(file, "utf-8") or _damage(file) else _guess_legacy(file)


def _damage(file: BinaryIO) -> Finding | None:
    """A warning about a file in UTF-8 with a few wrong bytes; None if it is hardly in UTF-8."""
    wrong, others, line, first = 0, 0, 1, 0
    for text in _texts(file, "utf-8", zeros=True, errors="surrogateescape"):
        found = _WRONG.findall(text)
        if found and not wrong:
            first = line + text.count("\n", 0, text.index(found[0]))
        wrong += len(found)
        others += len(text) - len(text.encode("ascii", "ignore")) - len(found)
        line += text.count("\n")
    if others < _FEW * wrong:
        return None
    are = counted(wrong, "byte of this file is", "bytes of this file are")
    where = f"in line {first:,}" if wrong == 1 else f"the first in line {first:,}"
    return Finding(f"{are} not UTF-8, {where}.", "Replaced by '\ufffd'.", "Save the table as UTF-8 again.", "warning")


def _utf16_without_mark(head: bytes) -> str | None:
    """UTF-16 without a byte order mark has a zero in nearly every second byte."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) % 2 or max(even, odd) < 0.4 * len(head) or min(even, odd):
        return None
    return "utf-16-be" if even else "utf-16-le"


def _guess_legacy(file: BinaryIO) -> str | None:
    """The most likely encoding older than Unicode, or None for bytes that are not text."""
    from charset_normalizer import from_bytes  # takes 50 ms to import, and most files are UTF-8

    # Only lines with a non-ASCII letter help, and only the text around the first such letter.
    file.seek(0)
    lines = (line for line in _short_lines(file) if not line.isascii())
    matches = ((line, re.search(rb"[\x80-\xff]", line)) for line in islice(lines, 2000))
    sample = b"\n".join(line[max(0, at.start() - 200) : at.start() + 4000] for line, at in matches if at)[:_SAMPLE]
    non_ascii, ascii_letters = len(re.findall(_NOT_A_SIGN, sample)), len(re.findall(rb"[A-Za-z]", sample))
    if non_ascii < max(0.5 * ascii_letters, 20):
        # A few accented letters look alike in many encodings; spreadsheets write Windows-1252.
        likely = ["cp1252"]
    else:
        guess = from_bytes(sample).best()
        likely = [guess.encoding, "cp1252"] if guess else []
    return next((encoding for encoding in likely if _decodes(file, encoding)), None)


def _without_end_mark(file: BinaryIO) -> BinaryIO:
    """The file without the Ctrl-Z that DOS writes at the end of a text."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - 1))
    if file.read() != b"\x1a":
        return file
    file.seek(0)
    return io.BytesIO(file.read().rstrip(b"\x1a"))


def _short_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines; long ones come in pieces."""
    return iter(lambda: file.readline(_PIECE), b"")


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(_PIECE), b"")


def _decodes(file: BinaryIO, encoding: str) -> bool:
    try:
        _check(file, encoding, zeros=True)
    except UnicodeError:
        return False
    return True


def _check(file: BinaryIO, encoding: str, zeros: bool = False) -> BinaryIO:
    """Return the file; raises UnicodeError for another encoding, DataError for a zero character."""
    for _ in _texts(file, encoding, zeros):
        pass
    return file


def _transcoded(file: BinaryIO, encoding: str, errors: str = "strict") -> BinaryIO:
    out = io.BytesIO()
    for text in _texts(file, encoding, errors=errors):
        out.write(text.encode())
    return out


def _texts(file: BinaryIO, encoding: str, zeros: bool = False, errors: str = "strict") -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for piece in _pieces(file):
        text = decoder.decode(piece)
        if not zeros and "\0" in text:
            raise not_a_table("a binary file")
        yield text
    yield decoder.decode(b"", final=True)


# Unpack a gzip or zip archive that contains one table, with a bound on its size.


_HIDDEN = ("__MACOSX/", ".", "~$")  # files that macOS and Office add
_DOCUMENTS = {"word/": "a Word document", "ppt/": "a PowerPoint file", "visio/": "a Visio drawing"}


def archive_kind(file: BinaryIO) -> str:
    """The kind of a zip file: "Excel", "OpenDocument" or "zip". Raises DataError for other documents and damaged archives."""
    with _opened(file) as archive:
        names = archive.namelist()
        if "[Content_Types].xml" in names:
            document = next((name for start, name in _DOCUMENTS.items() if any(n.startswith(start) for n in names)), None)
            if document:
                raise not_a_table(document)
            return _bounded_workbook("Excel", archive)
        if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
            mime = _read(archive, archive.getinfo("mimetype"), 1).getvalue()
            if mime.startswith(b"application/vnd.oasis.opendocument.spreadsheet"):
                return _bounded_workbook("OpenDocument", archive)
            if mime.startswith((b"application/vnd.oasis", b"application/epub")):
                raise not_a_table("an OpenDocument text, drawing or e-book")
    return "zip"


def _bounded_workbook(kind: str, archive: zipfile.ZipFile) -> str:
    """Refuse a workbook whose declared size is too large; this process's memory limit stops one that declares a wrong size."""
    most = limits.value("unpacked_mb")
    if sum(member.file_size for member in archive.infolist()) > most * 1e6:
        raise _too_large(most)
    return kind


def unpacked_zip(file: BinaryIO) -> tuple[BinaryIO, str]:
    """The only file inside and its name. Raises DataError if there is none or more than one, LimitError if it is too large."""
    with _opened(file) as archive:
        members = [m for m in archive.infolist() if not m.is_dir() and not _is_hidden(m.filename)]
        if not members:
            raise DataError("This ZIP archive contains no file; put one table into it, or upload the table itself.")
        names = [member.filename for member in members]
        if len(members) > 1:
            raise DataError(f"This ZIP archive contains {len(members):,} files ({listed(names, 3)}); upload only the table.")
        return _not_packed_again(_read(archive, members[0], limits.value("unpacked_mb"))), names[0]


def unpacked_gzip(file: BinaryIO) -> BinaryIO:
    """The file inside. Raises DataError for a damaged archive, LimitError for one that is too large."""
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file) as inner:
            return _not_packed_again(_copied(inner, limits.value("unpacked_mb")))
    except (EOFError, OSError, zlib.error):
        raise _damaged("gzip") from None


def _is_hidden(name: str) -> bool:
    return name.startswith(_HIDDEN[0]) or name.rsplit("/", 1)[-1].startswith(_HIDDEN[1:])


def _opened(file: BinaryIO) -> zipfile.ZipFile:
    file.seek(0)
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
        raise _damaged("ZIP") from None


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> io.BytesIO:
    if member.flag_bits & 1:
        raise DataError("This ZIP archive has a password; unpack it and upload the table itself.")
    try:
        with archive.open(member) as inner:
            return _copied(inner, most)
    except NotImplementedError:
        raise DataError("This ZIP archive uses an unsupported compression method; pack it as an ordinary ZIP.") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, ValueError, EOFError, RuntimeError):
        raise _damaged("ZIP") from None


def _copied(inner: IO[bytes] | gzip.GzipFile, most: int) -> io.BytesIO:
    """Unpack in pieces: an archive may declare a small size and be a thousand times as large."""
    out = io.BytesIO()
    while piece := inner.read(_PIECE):
        out.write(piece)
        if out.tell() > most * 1e6:
            raise _too_large(most)
    return out


def _not_packed_again(inner: io.BytesIO) -> io.BytesIO:
    inner.seek(0)
    kind = kind_of(inner.read(512))
    if kind == "gzip" or (kind == "zip" and archive_kind(inner) == "zip"):
        raise DataError("This archive contains another archive; unpack it and upload the table itself.")
    return inner


def _too_large(most: int) -> LimitError:
    return LimitError(f"This file is larger than {most:,} MB when unpacked; use a smaller one, or raise TSK_MAX_UNPACKED_MB.")


def _damaged(kind: str) -> DataError:
    return DataError(f"This {kind} archive is damaged and cannot be unpacked; pack it again.")
