"""A pool of processes that read files. Each handles one request at a time and is replaced when it fails."""

import atexit
import contextlib
import json
import os
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.reading.parsed import Parsed, ReadOptions
from tsk_core.errors import DataError, LimitError
from tsk_core.runtime.child_process import ChildError, ChildProcess

READERS = 2  # processes; further requests wait
BUSY = "This server is reading many files at the moment; try again in a minute."
_WAIT = 60  # seconds to wait for a free process
_START = 60  # seconds for a process to start
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve part of the memory quota
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a process with threads must not fork
    "RUST_BACKTRACE": "0",  # a reader that runs out of memory logs one line
}
_ERRORS = {"DataError": DataError, "LimitError": LimitError}


class _Process(ChildProcess):
    """One reading process."""

    def __init__(self) -> None:
        try:
            super().__init__("tsk_core.data.reading.process", environment=_ENVIRONMENT)
        except ChildError as error:
            raise DataError(f"The process that reads files {error.what}.") from None
        self._ready = False
        self.reads_one = False  # file, and ends

    def send(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        """The answer and its table, None if the file could not be read. Raises ChildError; DataError where it did not start."""
        import pyarrow as pa

        from tsk_core.data.reading.process import READY_FOR_ONE

        if not self._ready:
            try:
                self.reads_one = self.wait_until_ready(_START) == READY_FOR_ONE
            except ChildError as error:
                raise DataError("The process that reads files cannot be started; the server's log has the reason.") from error
            self._ready = True
        with self.deadline(request["seconds"], request["megabytes"]):
            self.write(json.dumps(request).encode(), b"\n", data)
            answer = json.loads(self.read_line())
            if "error" in answer:
                return answer, None
            with pa.ipc.open_stream(self.output) as stream:
                return answer, stream.read_all()


class _Pool:
    """At most ``READERS`` processes; ``warm`` starts one ahead of need."""

    def __init__(self) -> None:
        self._idle: list[_Process] = []
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(READERS)
        atexit.register(self.close)

    def warm(self) -> None:
        """Start a process if none is idle; returns at once."""
        with self._lock:
            if not self._idle:
                self._idle.append(_Process())

    def send(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        """The answer of a process. Raises DataError or LimitError if it gives none."""
        if not self._free.acquire(timeout=_WAIT):
            raise LimitError(BUSY)
        try:  # whatever fails from here on, the slot is free again
            return self._ask(request, data)
        finally:
            self._free.release()

    def _ask(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        process, complete = self._acquire(), False
        try:
            answer = process.send(request, data)
            complete = True
            return answer
        except ChildError as error:
            raise (_too_slow(request) if error.late else _broken(request)) from None
        finally:
            self._release(process, complete)  # after any failure, part of an answer may be left in the pipe

    def _acquire(self) -> _Process:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.is_alive():
                    return process
                process.close()
        return _Process()

    def _release(self, process: _Process, complete: bool) -> None:
        if complete and not process.reads_one:
            with self._lock:
                self._idle.append(process)
            return
        process.kill()
        process.close()
        with contextlib.suppress(DataError):  # this file has its answer; the next one reports a failed start
            self.warm()

    def close(self) -> None:
        """Close all idle processes."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()


_POOL = _Pool()


def warm() -> None:
    """Start a reading process, so that the first file does not wait for it. Returns at once; may be called repeatedly."""
    _POOL.warm()


def parse_in_subprocess(source: bytes | Path, read_options: ReadOptions) -> Parsed:
    """``parse`` in a separate process, bounded in time and memory by ``limits.for_file``.

    Raises DataError or LimitError with one sentence, also if that process fails.
    """
    data = source if isinstance(source, bytes) else b""
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    quota = limits.for_file(size / 1e6)
    variables = {limit.variable for limit in limits.LIMITS.values()}
    settings = {name: text for name, text in os.environ.items() if name in variables}
    request = {
        "read_options": asdict(read_options),
        "limits": settings | {limits.LIMITS[name].variable: str(number) for name, number in quota.items()},
        "seconds": quota["parse_seconds"], "megabytes": quota["parse_mb"],
    }  # fmt: skip
    request |= {"size": size} if isinstance(source, bytes) else {"path": str(source.absolute())}
    answer, table = _POOL.send(request, data)
    if table is None:
        raise _ERRORS.get(answer["kind"], DataError)(answer["error"])
    found = tuple(Finding(**finding | {"columns": tuple(finding["columns"])}) for finding in answer["findings"])
    return Parsed(table, answer["names"], ReadOptions(**answer["read_options"]), answer["kind"], tuple(answer["sheets"]), found)


def _too_slow(request: dict[str, Any]) -> LimitError:
    return LimitError(f"Reading this file took longer than {request['seconds']:,} s; use a smaller one.")


def _broken(request: dict[str, Any]) -> DataError:
    return DataError(
        f"This file cannot be read: it is damaged, or needs more than {request['megabytes']:,} MB of memory; "
        "save it as CSV in UTF-8 and try again."
    )
