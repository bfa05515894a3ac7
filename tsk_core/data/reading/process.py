"""The process in which strangers' files are read: ``python -m tsk_core.data.reading.process``.

It imports what reading needs, then keeps a child that reads one file and ends, and makes the next. So a crash, a full memory
or an endless parse ends a child, nothing of a file stays behind, and each file meets a process that is warm and clean.

Spoken on standard input and output: a line of JSON {"wish", "limits", "seconds", "megabytes", "path" or "size"}, then so
many bytes; back comes a line of JSON, {"error", "kind"} or what is known of the table, and then the table as an Arrow stream.
"""

import contextlib
import io
import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.reading.parse import parse
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.wish import Reading
from tsk_core.errors import DataError, TSKError

_READY = b"ready\n"
_NO_MORE = 3  # exit status of a child that found its input closed
_GRACE = 2  # seconds that the one who asked has, to end this process itself


def _main() -> int:
    for name in ("python_calamine", "pyarrow.parquet", "charset_normalizer"):
        __import__(name)
    os.write(1, _READY)
    if not hasattr(os, "fork"):  # Windows: one file, one process
        return _answer()
    while True:
        child = os.fork()
        if not child:
            os._exit(_answer())
        _, status = os.waitpid(child, 0)
        status = os.waitstatus_to_exitcode(status)
        if status:
            return 0 if status == _NO_MORE else 1


def _answer() -> int:
    """Read one file and write what came of it; returns the exit status."""
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as out:
        line = asked.readline()
        if not line:
            return _NO_MORE
        request = json.loads(line)
        _bound(request)
        try:
            parsed = _read(request, asked)
            _tell(out, _known(parsed))
            with pa.ipc.new_stream(out, parsed.table.schema) as writer:
                writer.write_table(parsed.table, max_chunksize=1 << 16)
        except TSKError as error:
            _tell(out, {"error": str(error), "kind": type(error).__name__})
        except MemoryError:
            said = f"Reading this file needs more than {request['megabytes']:,} MB of memory; use a smaller one."
            _tell(out, {"error": said, "kind": "LimitError"})
    return 0


def _bound(request: dict[str, Any]) -> None:
    """Take over the quotas of the one who asks, and let this process use no more memory and time."""
    for limit in limits.LIMITS.values():
        os.environ.pop(limit.variable, None)
    os.environ.update(request["limits"])
    with contextlib.suppress(ImportError, AttributeError):  # Windows has neither; there, the one who asks keeps the time
        import resource

        most, ceiling = request["megabytes"] * 1_000_000, resource.getrlimit(resource.RLIMIT_DATA)[1]
        if ceiling != resource.RLIM_INFINITY:
            most = min(most, ceiling)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        signal.alarm(int(request["seconds"]) + _GRACE)


def _read(request: dict[str, Any], asked: BinaryIO) -> Parsed:
    wish = Reading(**request["wish"])
    if "path" not in request:
        return parse(io.BytesIO(asked.read(request["size"])), wish)
    try:
        with Path(request["path"]).open("rb") as file:
            return parse(file, wish)
    except OSError as error:
        raise DataError(f"The file '{request['path']}' cannot be read: {str(error.strerror).lower()}.") from None


def _known(parsed: Parsed) -> dict[str, Any]:
    return {
        "names": parsed.names, "reading": asdict(parsed.reading), "kind": parsed.kind, "sheets": parsed.sheets,
        "findings": [asdict(finding) for finding in parsed.findings],
    }  # fmt: skip


def _tell(out: BinaryIO, answer: dict[str, Any]) -> None:
    out.write(json.dumps(answer).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(_main())
