"""Files that are no table, whatever they are called: each has to be named for what it is."""

import io
import json
import pickle
import random
import sqlite3
import tarfile

import numpy as np

from tests.hostile.catalogue import csv_of, either, refused


@refused("PDF")
def pdf():
    return b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"


@refused("PNG")
def png():
    return b"\x89PNG\r\n\x1a\n" + bytes(200)


@refused("program|binary")
def windows_program():
    return b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" + random.Random(0).randbytes(4000)


@refused("program|binary")
def linux_program():
    return b"\x7fELF\x02\x01\x01" + random.Random(0).randbytes(4000)


@refused("pickle|binary")
def pickled_table():
    return pickle.dumps({"a": [1, 2], "class": ["x", "y"]})


class Bomb:
    """Would run a command if anyone unpickled it; here, raise."""

    def __reduce__(self):
        return exec, ("raise SystemExit('a pickle was opened')",)


@refused("pickle|binary|column|row")
def pickle_that_runs_when_opened():
    return pickle.dumps(Bomb(), protocol=0)


@refused("SQLite")
def sqlite():
    with sqlite3.connect(":memory:") as base:
        base.execute("create table t (a, b, class)")
        return base.serialize()


@refused("NumPy")
def numpy_array():
    file = io.BytesIO()
    np.save(file, np.arange(12).reshape(3, 4))
    return file.getvalue()


@refused("HTML|web page")
def html():
    return b"<!DOCTYPE html>\n<html><body><table><tr><td>1</td><td>y</td></tr></table></body></html>"


@refused("HTML|web page|XML")
def html_saved_as_excel():
    return b'\n<table border="1"><tr><th>a</th><th>class</th></tr><tr><td>1</td><td>y</td></tr></table>'


@refused("XML")
def xml():
    return b'<?xml version="1.0"?>\n<rows><row a="1" class="y"/></rows>'


@refused("XML")
def xml_of_a_billion_laughs():
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "ha">{entities}]><l>&l9;</l>'.encode()


@refused("JSON")
def json_records():
    return json.dumps([{"a": k, "class": "y"} for k in range(20)]).encode()


@refused("JSON")
def json_lines():
    return b"".join(json.dumps({"a": k, "class": "yn"[k % 2]}).encode() + b"\n" for k in range(20))


@refused("JSON|column|cells")
def json_a_million_brackets_deep():
    return b"[" * 1_000_000


@refused("JSON|notebook")
def notebook():
    return json.dumps({"cells": [], "metadata": {}, "nbformat": 4}, indent=1).encode()


@refused("RTF")
def rtf():
    return b"{\\rtf1\\ansi a,b,class\\par 1,2,y}"


@refused("Excel|Word")
def old_excel():
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + random.Random(0).randbytes(8000)


@refused("tar|archive|binary")
def tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("../../etc/table.csv")
        entry.size = len(csv_of())
        archive.addfile(entry, io.BytesIO(csv_of()))
    return file.getvalue()


@refused("7-Zip|archive|binary")
def seven_zip():
    return b"7z\xbc\xaf\x27\x1c" + random.Random(0).randbytes(500)


@refused("bzip2|archive|binary")
def bzip2():
    import bz2

    return bz2.compress(csv_of())


@refused("xz|archive|binary")
def xz():
    import lzma

    return lzma.compress(csv_of())


@refused("HDF5")
def hdf5():
    return b"\x89HDF\r\n\x1a\n" + bytes(500)


@refused("Arrow|Feather")
def arrow():
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    table = pa.table({"a": [1, 2, 3], "class": ["x", "y", "x"]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


@refused("binary|cannot|Excel|column|line|cell")
def random_bytes():
    return random.Random(0).randbytes(100_000)


@refused("binary|cannot|column|line|cell")
def random_bytes_without_zeros():
    return random.Random(1).randbytes(1_000_000).replace(b"\0", b"\1")


@either()
def python_source():
    return b"import os\n\n\ndef f(a, b):\n    return a, b\n" * 30


@either()
def mail():
    return b"From: a@example.org\nTo: b@example.org\nSubject: table\n\nDear B,\n\nhere it is, at last.\n\nYours,\nA\n"


@either()
def markdown_table():
    return b"| a | b | class |\n|---|---|---|\n" + b"".join(
        b"| %d | %d | %s |\n" % (k, k % 7, b"xy"[k % 2 :][:1]) for k in range(30)
    )


@either()
def libsvm():
    return b"".join(b"%d 1:%d.5 2:0.25 7:1\n" % (k % 2, k) for k in range(40))
