"""The process that reads untrusted files: ``python -m tsk_core.data.reading.process``.

It imports what reading needs and forks one child for each file. A crash, full memory or an endless parse ends only the child;
no data stay in memory, and each file gets a process that has its imports done and no state. Where a system has no fork, it reads
one file itself and ends, and the first line that it writes says so.

Protocol on standard input and output: a line of JSON {"read_options", "limits", "seconds", "megabytes", "path" or "size"},
then that many bytes. The answer is a line of JSON, {"error", "kind"} or a description of the table, then the table as an
Arrow stream.
"""

import io
import json
import os
import select
import signal
import sys
from dataclasses import asdict, replace
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.naming import quoted
from tsk_core.data.reading import content
from tsk_core.data.reading.arff import arff_table, is_arff
from tsk_core.data.reading.binary import parquet_table, workbook_table
from tsk_core.data.reading.content import as_utf8, kind_of
from tsk_core.data.reading.delimited import delimited_table, upright
from tsk_core.data.reading.parsed import Parsed, ReadOptions
from tsk_core.data.reading.structure import examine
from tsk_core.errors import DataError, TSKError
from tsk_core.runtime.child_process import CHECK_SECONDS, end_with_parent, limit_memory

# A file of any supported kind, detected by its content, as a raw table.


def parse(source: bytes | BinaryIO, read_options: ReadOptions | None = None) -> Parsed:
    """Read a file in this process; use ``read_table`` for untrusted files, which reads in a separate one.

    source: its bytes, or the file opened for reading bytes. Raises DataError or LimitError with one sentence.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    read_options = read_options or ReadOptions()
    file.seek(0)
    head = file.read(4096)
    if not head.strip() and not (head + file.read(1 << 20)).strip(b"\0 \t\r\n"):
        raise DataError("This file is empty; choose one with a header row and data rows.")
    kind = kind_of(head)
    unpacked: tuple[Finding, ...] = ()
    if kind == "gzip":
        file, unpacked = content.unpacked_gzip(file), (Finding("Unpacked the table from a gzip archive.", kind="note"),)
    elif kind == "zip" and content.archive_kind(file) == "zip":
        file, name = content.unpacked_zip(file)
        unpacked = (Finding(f"Unpacked {quoted(name)} from a ZIP archive.", kind="note"),)
    parsed = _table(file, read_options).without_empty_edge()
    if parsed.kind in ("CSV", "Excel", "OpenDocument"):  # the other kinds declare what a column is
        parsed = upright(parsed)
    parsed.check_size()
    how = Finding(parsed.read_options.sentence(parsed.kind), kind="note")
    return replace(parsed, findings=(how, *unpacked, *parsed.findings))


def _table(file: BinaryIO, read_options: ReadOptions) -> Parsed:
    file.seek(0)
    kind = kind_of(file.read(512))
    if kind == "Parquet":
        return parquet_table(file)
    if kind in ("Excel", "zip"):
        return workbook_table(file, read_options, kind if kind == "Excel" else content.archive_kind(file))
    text, start, encoding, damage = as_utf8(file, read_options.encoding)
    if is_arff(text, start):
        parsed = arff_table(text, start, encoding)
    else:
        structure = examine(text, start, encoding, read_options)
        parsed = Parsed(delimited_table(structure), structure.names, structure.read_options, "CSV", findings=structure.findings)
    return replace(parsed, findings=(*damage, *parsed.findings))


READY, READY_FOR_ONE = b"ready", b"ready for one file"
_NO_MORE = 3  # exit status of a child whose input was closed
_GRACE = 2  # seconds in which the parent may kill this process itself


def leave_out_pandas() -> None:
    """Let pandas be absent in this process: pyarrow would import it to tell whether a number is missing, .3 s for each file."""
    sys.meta_path.insert(0, _NoPandas())


class _NoPandas(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """Says that pandas is not there; of all else it knows nothing."""
        if fullname == "pandas":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _main() -> int:
    leave_out_pandas()
    for name in ("python_calamine", "pyarrow.parquet", "charset_normalizer"):
        __import__(name)
    if hasattr(os, "fork"):
        os.write(1, READY + b"\n")
        return _fork_for_each()
    os.write(1, READY_FOR_ONE + b"\n")
    _answer()
    return 0


def _fork_for_each() -> int:
    """Serve until the parent closes the input or is gone; returns the exit status."""
    parent = os.getppid()
    while True:
        lives, held = os.pipe()  # the child holds the other end: this one hangs up when it ends
        child = os.fork()
        if not child:
            os.close(lives)
            os._exit(_answer())
        os.close(held)
        if not _has_ended(lives, parent):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(lives)
        if status := os.waitstatus_to_exitcode(status):
            return 0 if status == _NO_MORE else 1


def _has_ended(lives: int, parent: int) -> bool:
    """Wait for the end of the child, or of the parent, or of its interest; whether it was the child's.

    No thread does this: a process with threads must not fork.
    """
    ends = select.poll()
    ends.register(lives, select.POLLHUP)
    ends.register(0, select.POLLHUP)
    while os.getppid() == parent:
        if events := dict(ends.poll(CHECK_SECONDS * 1000)):
            return lives in events
    return False


def _answer() -> int:
    """Read one file and write the answer; returns the exit status."""
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as out:
        line = requests.readline()
        if not line:
            return _NO_MORE
        request = json.loads(line)
        _bound(request)
        try:
            parsed = _read(request, requests)
            _write_line(out, _description(parsed))
            with pa.ipc.new_stream(out, parsed.table.schema) as writer:
                writer.write_table(parsed.table, max_chunksize=1 << 16)
        except TSKError as error:
            _write_line(out, {"error": str(error), "kind": type(error).__name__})
        except MemoryError:
            text = f"Reading this file needs more than {request['megabytes']:,} MB of memory; use a smaller one."
            _write_line(out, {"error": text, "kind": "LimitError"})
    return 0


def _bound(request: dict[str, Any]) -> None:
    """Apply the quotas of the request, and limit the memory and time of this process."""
    for limit in limits.LIMITS.values():
        os.environ.pop(limit.variable, None)
    os.environ.update(request["limits"])
    limit_memory(request["megabytes"])
    if hasattr(signal, "alarm"):
        signal.alarm(int(request["seconds"]) + _GRACE)


def _read(request: dict[str, Any], requests: BinaryIO) -> Parsed:
    read_options = ReadOptions(**request["read_options"])
    data = requests.read(request.get("size", 0))
    if not hasattr(os, "fork"):  # a forked child has its parent to look after it
        end_with_parent()
    if "path" not in request:
        return parse(io.BytesIO(data), read_options)
    try:
        with Path(request["path"]).open("rb") as file:
            return parse(file, read_options)
    except OSError as error:
        raise DataError(f"The file '{request['path']}' cannot be read: {str(error.strerror).lower()}.") from None


def _description(parsed: Parsed) -> dict[str, Any]:
    return {
        "names": parsed.names, "read_options": asdict(parsed.read_options), "kind": parsed.kind, "sheets": parsed.sheets,
        "findings": [asdict(finding) for finding in parsed.findings],
    }  # fmt: skip


def _write_line(out: BinaryIO, answer: dict[str, Any]) -> None:
    out.write(json.dumps(answer).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(_main())
