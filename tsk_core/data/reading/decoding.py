"""A file of bytes as UTF-8: the encoding is detected by byte order mark, by trial, or by letter statistics.

The file is processed in pieces, so that a large file is never held in memory twice.
"""

import codecs
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from tsk_core.data.finding import Finding
from tsk_core.data.reading.kinds import not_a_table
from tsk_core.errors import DataError, TSKError
from tsk_core.numbers import counted

__all__ = ["as_utf8"]

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
