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


# Gzip.


@reads("a", "b", "class")
def gzip_of_a_table():
    return gzip.compress(csv_of())


@reads("a", "b", "class")
def gzip_in_two_members():
    whole = csv_of()
    return gzip.compress(whole[:100]) + gzip.compress(whole[100:])


@refused(TOO_MUCH)
def gzip_bomb_of_four_gigabytes():
    return gzip.compress(MEGABYTE) * 4_000


@refused(TOO_MUCH)
def gzip_bomb_in_one_member():
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + deflated(2_000) + bytes(8)


@refused(TOO_MUCH)
def gzip_bomb_of_zeros():
    return gzip.compress(bytes(10_000_000)) * 400


@refused("gzip|archive|packed|inside")
def gzip_in_a_gzip_many_times():
    packed = csv_of()
    for _ in range(30):
        packed = gzip.compress(packed)
    return packed


@refused("gzip|damaged|cut|whole|incomplete")
def gzip_cut_short():
    return gzip.compress(csv_of(rows=5_000))[:-500]


@refused("gzip|damaged|cut|whole|incomplete")
def gzip_of_a_head_only():
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


@refused("gzip|damaged")
def gzip_with_a_byte_changed():
    packed = bytearray(gzip.compress(csv_of(rows=5_000)))
    packed[len(packed) // 2] ^= 0xFF
    return bytes(packed)


@either()
def gzip_with_rubbish_after_it():
    return gzip.compress(csv_of()) + b"rubbish" * 50


@refused("empty")
def gzip_of_nothing():
    return gzip.compress(b"")


@refused("PDF")
def gzip_of_a_pdf():
    return gzip.compress(b"%PDF-1.7\n1 0 obj")


@refused("zip|archive|inside")
def gzip_of_a_zip():
    return gzip.compress(zipped({"a.csv": csv_of()}))


@refused("tar|archive|binary|inside")
def tar_gz():
    return gzip.compress(b"a.csv".ljust(257, b"\0") + b"ustar\x0000" + bytes(10_000))


# Zip.


@reads("a", "b", "class")
def zip_of_a_table():
    return zipped({"a.csv": csv_of()})


@reads("a", "b", "class")
def zip_made_on_a_mac():
    return zipped(
        {"data/": b"", "data/a.csv": csv_of(), "__MACOSX/data/._a.csv": b"\0\5\x16\7", "data/.DS_Store": b"\0\0\0\1Bud1"}
    )


@refused("a.csv.*b.csv|b.csv.*a.csv|more than one|several|2 ")
def zip_of_two_tables():
    return zipped({"a.csv": csv_of(), "b.csv": csv_of()})


@refused(TOO_MUCH)
def zip_bomb():
    return zip_saying(2_000 * len(MEGABYTE), 0, deflated(2_000))


@refused(TOO_MUCH + "|damaged|read")
def zip_bomb_that_says_it_is_small():
    return zip_saying(1_000, 0, deflated(2_000))


@refused(TOO_MUCH + "|damaged|read|empty")
def zip_bomb_that_does_not_say_its_size():
    return zip_saying(0, 0, deflated(2_000), flags=8)


@refused("zip|archive|inside")
def zip_in_a_zip_many_times():
    packed = csv_of()
    for _ in range(30):
        packed = zipped({"a.zip": packed})
    return packed


@refused("zip|archive|inside")
def zip_that_holds_a_bomb():
    return zipped({"a.zip": zip_saying(2_000 * len(MEGABYTE), 0, deflated(2_000))})


@either()
def zip_of_a_path_that_climbs():
    return zipped({"../../../../tmp/tsk_hostile.csv": csv_of()})


@either()
def zip_of_an_absolute_path():
    return zipped({"/tmp/tsk_hostile.csv": csv_of()})


@either()
def zip_of_a_hostile_name():
    return zipped({"<img src=x onerror=alert(1)>\u202e\n$x$.csv": csv_of()})


@refused("password|encrypted|protected")
def zip_with_a_password():
    return zip_saying(len(csv_of()), 0, zlib.compress(csv_of())[2:-4], flags=1)


@refused("zip|damaged|compress|method|read")
def zip_squeezed_in_an_unknown_way():
    return zip_saying(len(csv_of()), zlib.crc32(csv_of()), csv_of(), method=97)


@refused("damaged|zip")
def zip_with_a_wrong_checksum():
    return zip_saying(len(csv_of()), 12345, zlib.compress(csv_of())[2:-4])


@refused("empty|no |zip")
def zip_of_nothing():
    return zipped({})


@refused("empty|no |zip")
def zip_of_a_folder():
    return zipped({"data/": b""})


@refused("damaged|zip|archive")
def zip_cut_short():
    return zipped({"a.csv": csv_of(rows=5_000)})[:-300]


@refused("damaged|zip|archive")
def zip_of_a_head_only():
    return b"PK\x03\x04\x14\0\0\0\x08\0data.csv"


@refused("files|tables|several|more|many")
def zip_of_50_000_files():
    return zipped({f"{k}.csv": b"" for k in range(50_000)}, zipfile.ZIP_STORED)


@refused("PDF|no table|PNG")
def zip_of_a_pdf():
    return zipped({"a.pdf": b"%PDF-1.7\n1 0 obj"})


@refused("Word|document|Office|no table")
def word_document():
    return zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"})


@either()
def zip_after_a_program():
    return b"#!/bin/sh\n" * 3 + zipped({"a.csv": csv_of()})


@either()
def zip_whose_file_is_listed_a_thousand_times():
    """Each entry of the directory names the same squeezed bytes."""
    plain = zip_saying(len(csv_of()), zlib.crc32(csv_of()), zlib.compress(csv_of())[2:-4])
    start = plain.index(b"PK\x01\x02")
    entry, count = plain[start : plain.index(b"PK\x05\x06")], 1_000
    return (
        plain[:start] + entry * count + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(entry) * count, start, 0)
    )
