"""A Python process that another one starts, talks to within deadlines, and ends.

``ChildProcess`` is the parent's side: start a module, wait for its first line, exchange bytes, close. The child's side is
``end_with_parent``, or ``wait_for_parent`` where it has something to tidy up first; one that has requests takes them from
``requests``. Its life hangs on its standard input, which the parent keeps open and the system closes with the parent, even by
kill -9; and on its parent's id, since a fork of the parent may hold the other end of that pipe open.

No part of it needs more than Python offers on every system; where there are process groups, they are used to end a process.

``python -m tsk_core.runtime.child_process MODULE ARGUMENTS`` runs a module that knows nothing of this, so that it ends likewise.
"""

import contextlib
import os
import queue
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

import psutil

# A limit on this process's own memory, where the system keeps one.
#
# Linux does. macOS accepts one and ignores it, and Windows has none: there ``ChildProcess.deadline`` watches the process instead,
# a tenth of a second late.


try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # there


SYSTEM_LIMITS_MEMORY = resource is not None and sys.platform == "linux"


def limit_memory(megabytes: int) -> None:
    """Let allocations beyond ``megabytes`` fail with MemoryError, if the system can; a lower limit stays."""
    if SYSTEM_LIMITS_MEMORY:
        most, ceiling = megabytes * 1_000_000, resource.getrlimit(resource.RLIMIT_DATA)[1]
        if ceiling != resource.RLIM_INFINITY:
            most = min(most, ceiling)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


CHECK_SECONDS = 1.0  # between two looks at the parent's id
LOOK_SECONDS = 0.1  # between two looks at a child's memory
STATUS_SECONDS = 1.0  # in which a process whose output ended has a status
LONGEST_LINE = 1 << 16  # bytes of a line of the log
_KILLED = -9  # the status of a process ended by SIGKILL
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows: Ctrl-C goes to the parent's group alone
_ROOT = Path(__file__).parents[2]


class ChildError(Exception):
    """A child process failed. As text: what it did ("ended with status 1"), and the last line of its log where there is one.

    what: without that line, which may name paths of this machine. late: whether it was killed because a deadline passed.
    """

    def __init__(self, what: str, last_line: str = "", late: bool = False) -> None:
        super().__init__(f"{what}: {last_line}" if last_line else what)
        self.what, self.late = what, late


class ChildProcess:
    """A Python process that runs ``module`` with ``arguments``. Any thread may kill or close it; one at a time talks to it.

    It has a session of its own, so that Ctrl-C is its parent's to answer and ``kill`` ends the processes that it started too.
    environment: variables besides this process's. shares_output: its output and log are this process's, so that it only runs.
    quiet: its log is not passed on to this process's standard error. Raises ChildError where it cannot be started.
    """

    def __init__(
        self, module: str, *arguments: str, environment: Mapping[str, str] | None = None, shares_output: bool = False,
        quiet: bool = False,
    ) -> None:  # fmt: skip
        variables = os.environ | (environment or {})
        path = os.pathsep.join(filter(None, [str(_ROOT), variables.get("PYTHONPATH")]))
        pipe = None if shares_output else subprocess.PIPE
        try:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", module, *arguments], stdin=subprocess.PIPE, stdout=pipe, stderr=pipe,
                env=variables | {"PYTHONPATH": path}, start_new_session=True, creationflags=_OWN_GROUP,
            )  # fmt: skip
        except OSError as error:
            raise ChildError(f"cannot be started ({str(error.strerror).lower()})") from error
        self._last_line = ""
        self._log: threading.Thread | None = None
        if self._popen.stderr is not None:
            self._log = threading.Thread(target=self._read_log, args=(self._popen.stderr, quiet), daemon=True)
            self._log.start()

    def __enter__(self) -> "ChildProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Its process id, which is that of its process group too."""
        return self._popen.pid

    @property
    def output(self) -> IO[bytes]:
        """Its standard output."""
        assert self._popen.stdout is not None, "this process shares its parent's output"
        return self._popen.stdout

    @property
    def _input(self) -> IO[bytes]:
        assert self._popen.stdin is not None, "it is always a pipe"
        return self._popen.stdin

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._popen.poll() is None

    # Talking to it: inside ``deadline``.

    @contextlib.contextmanager
    def deadline(self, seconds: float, megabytes: float | None = None) -> Iterator[None]:
        """Let what is inside take ``seconds`` at most. After that, or after any failure to talk to it, the process is killed.

        megabytes: what it may use besides what it has now, for one that limits itself (``limit_memory``): where the system
        does not do that, it is watched here. Raises ChildError for all of this. An answer that is not what was expected counts
        as a failure: raise ValueError.
        """
        late, done = threading.Event(), threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        if megabytes and not SYSTEM_LIMITS_MEMORY:
            threading.Thread(target=self._bound_memory, args=(megabytes, done), daemon=True).start()
        try:
            yield
        except (OSError, ValueError, EOFError) as error:
            raise self._failure(f"took longer than {seconds:,.0f} s" if late.is_set() else "") from error
        finally:
            timer.cancel()
            done.set()

    def wait_until_ready(self, seconds: float) -> bytes:
        """Its first line, which says that it has started. ChildError where that takes longer than ``seconds``, or fails."""
        with self.deadline(seconds):
            return self.read_line()

    def write(self, *pieces: bytes) -> None:
        """Write to its standard input."""
        for piece in pieces:
            self._input.write(piece)
        self._input.flush()

    def read_line(self) -> bytes:
        """The next line of its output, without its end. EOFError where the output ends."""
        line = self.output.readline()
        if not line.endswith(b"\n"):
            raise EOFError("its output ended")
        return line.rstrip(b"\r\n")  # Windows writes both

    # Ending it.

    def terminate(self) -> None:
        """Ask it to end by itself (SIGTERM)."""
        self._popen.terminate()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended within ``seconds``."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        return not self.is_alive()

    def kill(self) -> None:
        """End it at once, with the processes that it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            return
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.pid)
            for one in (*process.children(recursive=True), process):
                with contextlib.suppress(psutil.Error):
                    one.kill()

    def close(self, seconds: float = 0.5) -> None:
        """Close its input, which ends it; kill it after ``seconds``. Safe to call twice."""
        with contextlib.suppress(OSError):
            self._input.close()
        if not self.wait(seconds):
            self.kill()
            self._popen.wait()
        if self._popen.stdout is not None:
            self._popen.stdout.close()
        self._wait_for_log()

    def failure(self) -> ChildError:
        """How it ended, for a process that has ended by itself."""
        return self._failure()

    # Inside.

    def _failure(self, late: str = "") -> ChildError:
        ended = self.wait(STATUS_SECONDS)
        self.kill()
        self.close()
        if late:
            return ChildError(late, late=True)
        if not ended:
            return ChildError("gave no complete answer", self._last_line)
        killed = self._popen.returncode == _KILLED  # which leaves no time to say why
        return ChildError(_ending(self._popen.returncode), "" if killed else self._last_line)

    def _bound_memory(self, megabytes: float, done: threading.Event) -> None:
        most = self._memory() + megabytes * 1e6
        while not done.wait(LOOK_SECONDS):
            if self._memory() > most:
                self.kill()

    def _memory(self) -> int:
        """The bytes that it and the processes that it started have now; 0 where it has ended."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.pid)
            return sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))
        return 0

    def _read_log(self, log: IO[bytes], quiet: bool) -> None:
        with log:
            for line in iter(lambda: log.readline(LONGEST_LINE), b""):
                self._last_line = line.decode(errors="replace").strip() or self._last_line
                if not quiet:
                    with contextlib.suppress(OSError):
                        os.write(2, line)

    def _wait_for_log(self) -> None:
        """Briefly: a process that it started may hold the other end open."""
        if self._log is not None:
            self._log.join(STATUS_SECONDS)


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    return f"was ended by {signal.Signals(-status).name}"


def wait_for_parent(on_line: Callable[[bytes], object] = lambda line: None) -> None:
    """Return when the process that started this one has closed this one's standard input, or a second after it has gone.

    on_line: called with each line that it writes there, in a thread of its own.
    """
    parent, closed = os.getppid(), threading.Event()
    threading.Thread(target=_read_input, args=(on_line, closed), name="input", daemon=True).start()
    while os.getppid() == parent and not closed.wait(CHECK_SECONDS):
        pass


def end_with_parent(on_line: Callable[[bytes], object] = lambda line: None) -> None:
    """End this process as soon as ``wait_for_parent`` returns, whatever it is doing then. Returns at once."""
    threading.Thread(target=_end, args=(on_line,), name="end-with-parent", daemon=True).start()


def requests() -> Iterator[bytes]:
    """The lines that the process that started this one writes, for ever: this one ends with it, whatever it is doing then."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    end_with_parent(lines.put)
    while True:
        yield lines.get()


def _end(on_line: Callable[[bytes], object]) -> None:
    wait_for_parent(on_line)
    os._exit(0)


def _read_input(on_line: Callable[[bytes], object], closed: threading.Event) -> None:
    try:
        with open(0, "rb", closefd=False) as lines:  # noqa: PTH123 - not sys.stdin, whose lock Python takes when it ends
            for line in lines:
                on_line(line)
    finally:
        closed.set()


def _main() -> None:
    sys.argv = sys.argv[1:]
    end_with_parent()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
