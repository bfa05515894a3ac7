"""Unpack a gzip or zip archive that contains one table, with a bound on its size."""

import gzip
import io
import lzma
import zipfile
import zlib
from typing import IO, BinaryIO

from tsk_core import limits
from tsk_core.data.naming import listed
from tsk_core.data.reading.kinds import kind_of, not_a_table
from tsk_core.errors import DataError, LimitError

__all__ = ["archive_kind", "unpacked_gzip", "unpacked_zip"]

_PIECE = 1 << 20
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
