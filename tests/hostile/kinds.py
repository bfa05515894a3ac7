"""Files that are no table, whatever they are called: each has to be named for what it is."""

import bz2
import io
import json
import lzma
import pickle
import random
import sqlite3
import tarfile

import numpy as np
import pyarrow as pa

from tests.hostile.catalogue import csv_of, either, refused


class Bomb:
    """Would run a command if anyone unpickled it; here, raise."""

    def __reduce__(self):
        return exec, ("raise SystemExit('a pickle was opened')",)


def sqlite():
    with sqlite3.connect(":memory:") as base:
        base.execute("create table t (a, b, class)")
        return base.serialize()


def numpy_array():
    file = io.BytesIO()
    np.save(file, np.arange(12).reshape(3, 4))
    return file.getvalue()


def xml_of_a_billion_laughs():
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "ha">{entities}]><l>&l9;</l>'.encode()


def tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("../../etc/table.csv")
        entry.size = len(csv_of())
        archive.addfile(entry, io.BytesIO(csv_of()))
    return file.getvalue()


def arrow():
    sink = pa.BufferOutputStream()
    table = pa.table({"a": [1, 2, 3], "class": ["x", "y", "x"]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


FILES = {
    "pdf": refused(lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "PDF"),
    "png": refused(lambda: b"\x89PNG\r\n\x1a\n" + bytes(200), "PNG"),
    "windows program": refused(
        lambda: b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" + random.Random(0).randbytes(4000), "program|binary"
    ),
    "linux program": refused(lambda: b"\x7fELF\x02\x01\x01" + random.Random(0).randbytes(4000), "program|binary"),
    "pickled table": refused(lambda: pickle.dumps({"a": [1, 2], "class": ["x", "y"]}), "pickle|binary"),
    "pickle that runs when opened": refused(lambda: pickle.dumps(Bomb(), protocol=0), "pickle|binary|column|row"),
    "sqlite": refused(sqlite, "SQLite"),
    "numpy array": refused(numpy_array, "NumPy"),
    "html": refused(
        lambda: b"<!DOCTYPE html>\n<html><body><table><tr><td>1</td><td>y</td></tr></table></body></html>", "HTML|web page"
    ),
    "html saved as excel": refused(
        lambda: b'\n<table border="1"><tr><th>a</th><th>class</th></tr><tr><td>1</td><td>y</td></tr></table>', "HTML|web page|XML"
    ),
    "xml": refused(lambda: b'<?xml version="1.0"?>\n<rows><row a="1" class="y"/></rows>', "XML"),
    "xml of a billion laughs": refused(xml_of_a_billion_laughs, "XML"),
    "json records": refused(lambda: json.dumps([{"a": k, "class": "y"} for k in range(20)]).encode(), "JSON"),
    "json lines": refused(
        lambda: b"".join(json.dumps({"a": k, "class": "yn"[k % 2]}).encode() + b"\n" for k in range(20)), "JSON"
    ),
    "json a million brackets deep": refused(lambda: b"[" * 1_000_000, "JSON|column|cells"),
    "notebook": refused(lambda: json.dumps({"cells": [], "metadata": {}, "nbformat": 4}, indent=1).encode(), "JSON|notebook"),
    "rtf": refused(lambda: b"{\\rtf1\\ansi a,b,class\\par 1,2,y}", "RTF"),
    "old excel": refused(lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + random.Random(0).randbytes(8000), "Excel|Word"),
    "tar": refused(tar, "tar|archive|binary"),
    "seven zip": refused(lambda: b"7z\xbc\xaf\x27\x1c" + random.Random(0).randbytes(500), "7-Zip|archive|binary"),
    "bzip2": refused(lambda: bz2.compress(csv_of()), "bzip2|archive|binary"),
    "xz": refused(lambda: lzma.compress(csv_of()), "xz|archive|binary"),
    "hdf5": refused(lambda: b"\x89HDF\r\n\x1a\n" + bytes(500), "HDF5"),
    "arrow": refused(arrow, "Arrow|Feather"),
    "random bytes": refused(lambda: random.Random(0).randbytes(100_000), "binary|cannot|Excel|column|line|cell"),
    "random bytes without zeros": refused(
        lambda: random.Random(1).randbytes(1_000_000).replace(b"\0", b"\1"), "binary|cannot|column|line|cell"
    ),
    "python source": either(lambda: b"import os\n\n\ndef f(a, b):\n    return a, b\n" * 30),
    "mail": either(
        lambda: b"From: a@example.org\nTo: b@example.org\nSubject: table\n\nDear B,\n\nhere it is, at last.\n\nYours,\nA\n"
    ),
    "markdown table": either(
        lambda: (
            b"| a | b | class |\n|---|---|---|\n"
            + b"".join(b"| %d | %d | %s |\n" % (k, k % 7, b"xy"[k % 2 :][:1]) for k in range(30))
        )
    ),
    "libsvm": either(lambda: b"".join(b"%d 1:%d.5 2:0.25 7:1\n" % (k % 2, k) for k in range(40))),
}
