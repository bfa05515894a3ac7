"""Hostile gzip and zip files: bombs, lies, nests, and names that point elsewhere."""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

from tests.hostile.catalogue import csv_of, either, reads, refused

MEGABYTE = b"1,2,y\n3,4,n\n" * 87_500
TOO_MUCH = "unpack|large|limit|Megabytes|MB"


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def deflated(times: int) -> bytes:
    """A megabyte of table, ``times`` over, as one deflate stream: its pieces stand alone, so each is squeezed only once."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = squeeze.compress(MEGABYTE) + squeeze.flush(zlib.Z_FULL_FLUSH)
    return piece * times + squeeze.flush(zlib.Z_FINISH)


def zip_saying(size: int, crc: int, squeezed: bytes, name: bytes = b"table.csv", flags: int = 0, method: int = 8) -> bytes:
    """A zip with one deflated file about which its headers say what they like."""
    entry = struct.pack("<HHHHIIIHH", flags, method, 0, 33, crc, len(squeezed), size, len(name), 0)
    local = b"PK\x03\x04" + struct.pack("<H", 20) + entry + name + squeezed
    central = b"PK\x01\x02" + struct.pack("<HH", 20, 20) + entry + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def gzip_in_two_members():
    whole = csv_of()
    return gzip.compress(whole[:100]) + gzip.compress(whole[100:])


def gzip_in_a_gzip_many_times():
    packed = csv_of()
    for _ in range(30):
        packed = gzip.compress(packed)
    return packed


def gzip_with_a_byte_changed():
    packed = bytearray(gzip.compress(csv_of(rows=5_000)))
    packed[len(packed) // 2] ^= 0xFF
    return bytes(packed)


def zip_in_a_zip_many_times():
    packed = csv_of()
    for _ in range(30):
        packed = zipped({"a.zip": packed})
    return packed


def zip_whose_file_is_listed_a_thousand_times():
    """Each entry of the directory names the same squeezed bytes."""
    plain = zip_saying(len(csv_of()), zlib.crc32(csv_of()), zlib.compress(csv_of())[2:-4])
    start = plain.index(b"PK\x01\x02")
    entry, count = plain[start : plain.index(b"PK\x05\x06")], 1_000
    return (
        plain[:start] + entry * count + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(entry) * count, start, 0)
    )


FILES = {
    # Gzip.
    "gzip of a table": reads(lambda: gzip.compress(csv_of()), "a", "b", "class"),
    "gzip in two members": reads(gzip_in_two_members, "a", "b", "class"),
    "gzip bomb of four gigabytes": refused(lambda: gzip.compress(MEGABYTE) * 4_000, TOO_MUCH, slow=True),
    "gzip bomb in one member": refused(lambda: b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + deflated(2_000) + bytes(8), TOO_MUCH, slow=True),
    "gzip bomb of zeros": refused(lambda: gzip.compress(bytes(10_000_000)) * 400, TOO_MUCH),
    "gzip in a gzip many times": refused(gzip_in_a_gzip_many_times, "gzip|archive|packed|inside"),
    "gzip cut short": refused(lambda: gzip.compress(csv_of(rows=5_000))[:-500], "gzip|damaged|cut|whole|incomplete"),
    "gzip of a head only": refused(lambda: b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "gzip|damaged|cut|whole|incomplete"),
    "gzip with a byte changed": refused(gzip_with_a_byte_changed, "gzip|damaged"),
    "gzip with rubbish after it": either(lambda: gzip.compress(csv_of()) + b"rubbish" * 50),
    "gzip of nothing": refused(lambda: gzip.compress(b""), "empty"),
    "gzip of a pdf": refused(lambda: gzip.compress(b"%PDF-1.7\n1 0 obj"), "PDF"),
    "gzip of a zip": refused(lambda: gzip.compress(zipped({"a.csv": csv_of()})), "zip|archive|inside"),
    "tar gz": refused(
        lambda: gzip.compress(b"a.csv".ljust(257, b"\0") + b"ustar\x0000" + bytes(10_000)), "tar|archive|binary|inside"
    ),
    # Zip.
    "zip of a table": reads(lambda: zipped({"a.csv": csv_of()}), "a", "b", "class"),
    "zip made on a mac": reads(
        lambda: zipped(
            {"data/": b"", "data/a.csv": csv_of(), "__MACOSX/data/._a.csv": b"\0\5\x16\7", "data/.DS_Store": b"\0\0\0\1Bud1"}
        ),
        "a",
        "b",
        "class",
    ),
    "zip of two tables": refused(
        lambda: zipped({"a.csv": csv_of(), "b.csv": csv_of()}), "a.csv.*b.csv|b.csv.*a.csv|more than one|several|2 "
    ),
    "zip bomb": refused(lambda: zip_saying(2_000 * len(MEGABYTE), 0, deflated(2_000)), TOO_MUCH),
    "zip bomb that says it is small": refused(lambda: zip_saying(1_000, 0, deflated(2_000)), TOO_MUCH + "|damaged|read"),
    "zip bomb that does not say its size": refused(
        lambda: zip_saying(0, 0, deflated(2_000), flags=8), TOO_MUCH + "|damaged|read|empty"
    ),
    "zip in a zip many times": refused(zip_in_a_zip_many_times, "zip|archive|inside"),
    "zip that holds a bomb": refused(
        lambda: zipped({"a.zip": zip_saying(2_000 * len(MEGABYTE), 0, deflated(2_000))}), "zip|archive|inside"
    ),
    "zip of a path that climbs": either(lambda: zipped({"../../../../tmp/tsk_hostile.csv": csv_of()})),
    "zip of an absolute path": either(lambda: zipped({"/tmp/tsk_hostile.csv": csv_of()})),
    "zip of a hostile name": either(lambda: zipped({"<img src=x onerror=alert(1)>\u202e\n$x$.csv": csv_of()})),
    "zip with a password": refused(
        lambda: zip_saying(len(csv_of()), 0, zlib.compress(csv_of())[2:-4], flags=1), "password|encrypted|protected"
    ),
    "zip squeezed in an unknown way": refused(
        lambda: zip_saying(len(csv_of()), zlib.crc32(csv_of()), csv_of(), method=97), "zip|damaged|compress|method|read"
    ),
    "zip with a wrong checksum": refused(lambda: zip_saying(len(csv_of()), 12345, zlib.compress(csv_of())[2:-4]), "damaged|zip"),
    "zip of nothing": refused(lambda: zipped({}), "empty|no |zip"),
    "zip of a folder": refused(lambda: zipped({"data/": b""}), "empty|no |zip"),
    "zip cut short": refused(lambda: zipped({"a.csv": csv_of(rows=5_000)})[:-300], "damaged|zip|archive"),
    "zip of a head only": refused(lambda: b"PK\x03\x04\x14\0\0\0\x08\0data.csv", "damaged|zip|archive"),
    "zip of 50 000 files": refused(
        lambda: zipped({f"{k}.csv": b"" for k in range(50_000)}, zipfile.ZIP_STORED), "files|tables|several|more|many", slow=True
    ),
    "zip of a pdf": refused(lambda: zipped({"a.pdf": b"%PDF-1.7\n1 0 obj"}), "PDF|no table|PNG"),
    "word document": refused(
        lambda: zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"}),
        "Word|document|Office|no table",
    ),
    "zip after a program": either(lambda: b"#!/bin/sh\n" * 3 + zipped({"a.csv": csv_of()})),
    "zip whose file is listed a thousand times": either(zip_whose_file_is_listed_a_thousand_times),
}
