"""The side that asks: warm processes that read files, each with one request at a time, ended and replaced when they fail."""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.wish import Reading
from tsk_core.errors import DataError, LimitError

__all__ = ["parse_apart", "warm"]

_ROOT = Path(__file__).parents[3]
_MOST = 2  # processes; who comes when both are busy waits
_WAIT = 60  # seconds, for a process to be free
_START = 60  # seconds, for a process to start
_ERRORS = {"DataError": DataError, "LimitError": LimitError}


class _GoneError(Exception):
    """The process ended, or was ended, before its answer was whole."""


class _Process:
    """One reading process. ``late``: whether it was ended for taking too long."""

    def __init__(self) -> None:
        # One thread: it does one small thing, and each thread would reserve memory of its quota.
        alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
        alone["JE_ARROW_MALLOC_CONF"] = "background_thread:false"  # Python 3.12 and later warn where a process with threads forks
        alone["RUST_BACKTRACE"] = "0"  # a reader out of memory says so in one line
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        try:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", "tsk_core.data.reading.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env=os.environ | alone | {"PYTHONPATH": path}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise DataError(f"The process that reads files cannot be started: {str(error.strerror).lower()}.") from None
        self._ready = False
        self.late = False

    @property
    def pid(self) -> int:
        return self._popen.pid

    def alive(self) -> bool:
        return self._popen.poll() is None

    def ask(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        """The answer, and its table where there is one. Raises _GoneError."""
        if not self._ready:
            with self._deadline(_START):
                if self._popen.stdout.readline() != b"ready\n":
                    raise DataError("The process that reads files cannot be started; its reason is in the server's log.")
            self._ready = True
        with self._deadline(request["seconds"]):
            return self._exchange(request, data)

    def _exchange(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        import pyarrow as pa

        try:
            self._popen.stdin.write(json.dumps(request).encode() + b"\n")
            self._popen.stdin.write(data)
            self._popen.stdin.flush()
            answer = json.loads(self._popen.stdout.readline())
            if "error" in answer:
                return answer, None
            with pa.ipc.open_stream(self._popen.stdout) as stream:
                return answer, stream.read_all()
        except (OSError, ValueError) as error:  # a broken pipe, half a line, half a table
            raise _GoneError from error

    @contextlib.contextmanager
    def _deadline(self, seconds: float):  # noqa: ANN202
        def end() -> None:
            self.late = True
            self.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def kill(self) -> None:
        """End it and the child that reads for it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL) if hasattr(os, "killpg") else self._popen.kill()

    def close(self) -> None:
        """End it, by itself if it does so at once, and wait for that."""
        for pipe in (self._popen.stdin, self._popen.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            self._popen.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self.kill()
            self._popen.wait()


class _Pool:
    """At most ``_MOST`` processes, one of them started ahead of need."""

    def __init__(self) -> None:
        self._idle: list[_Process] = []
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(_MOST)
        atexit.register(self.close)

    def warm(self) -> None:
        """Start a process where none waits; does not wait for it."""
        with self._lock:
            if not self._idle:
                self._idle.append(_Process())

    def ask(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], Any]:
        """A process's answer. Raises DataError or LimitError where there is none."""
        if not self._free.acquire(timeout=_WAIT):
            raise LimitError("Many files are being read on this server just now; try again in a minute.")
        process, whole = self._taken(), False
        try:
            answer = process.ask(request, data)
            whole = True
            return answer
        except _GoneError:
            raise (_too_slow(request) if process.late else _broken(request)) from None
        finally:
            self._back(process, whole)  # whatever ended the exchange, half of an answer may stand in the pipe
            self._free.release()

    def _taken(self) -> _Process:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive():
                    return process
                process.close()
        return _Process()

    def _back(self, process: _Process, whole: bool) -> None:
        if whole and hasattr(os, "fork"):
            with self._lock:
                self._idle.append(process)
            return
        process.kill()
        process.close()
        self.warm()

    def close(self) -> None:
        """End all that wait."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()


_POOL = _Pool()


def warm() -> None:
    """Start a process that reads files, so that the first file need not wait for it. Returns at once; harmless when repeated."""
    _POOL.warm()


def parse_apart(source: bytes | Path, wish: Reading) -> Parsed:
    """``parse`` in a process of its own, bounded in time and memory by ``limits.for_file``.

    Raises DataError or LimitError with one sentence, also where that process breaks down.
    """
    data = source if isinstance(source, bytes) else b""
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    quota = limits.for_file(size / 1e6)
    variables = {limit.variable for limit in limits.LIMITS.values()}
    asked = {name: text for name, text in os.environ.items() if name in variables}
    request = {
        "wish": asdict(wish), "limits": asked | {limits.LIMITS["unpacked_mb"].variable: str(quota["unpacked_mb"])},
        "seconds": quota["parse_seconds"], "megabytes": quota["parse_mb"],
    }  # fmt: skip
    request |= {"size": size} if isinstance(source, bytes) else {"path": str(source.absolute())}
    answer, table = _POOL.ask(request, data)
    if table is None:
        raise _ERRORS.get(answer["kind"], DataError)(answer["error"])
    found = tuple(Finding(**finding | {"columns": tuple(finding["columns"])}) for finding in answer["findings"])
    return Parsed(table, answer["names"], Reading(**answer["reading"]), answer["kind"], tuple(answer["sheets"]), found)


def _too_slow(request: dict[str, Any]) -> LimitError:
    return LimitError(f"Reading this file took longer than {request['seconds']:,} s; use a smaller one.")


def _broken(request: dict[str, Any]) -> DataError:
    return DataError(
        f"This file cannot be read: it is damaged, or needs more than {request['megabytes']:,} MB of memory; "
        "save it as CSV in UTF-8 and try again."
    )
