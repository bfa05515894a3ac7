"""Serve the app: ``tsk-explorer``, or ``python -m tsk_core serve``, becomes its web server, or starts one or several.

Several draw pages side by side, where one Python process would be busy with one page at a time. They share one engine, which has
a process of its own (tsk_core/jobs/shared.py), and stand behind a web server that always sends a browser to the same one.
"""

import argparse
import contextlib
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tsk_core import limits
from tsk_core.errors import TSKError
from tsk_core.runtime.child_process import ChildError, ChildProcess
from tsk_core.runtime.extras import missing_extra

MOST_PROCESSES = 64
LAST_PORT = 65_535
START_SECONDS = 60
END_SECONDS = 15
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a server that ended again is started again
STEADY_SECONDS = 60.0


def main(arguments: list[str] | None = None) -> int:
    """The command ``tsk-explorer``; returns an exit status where the app cannot be started, or several processes have ended."""
    parser = argparse.ArgumentParser(
        prog="tsk-explorer", description="Serve TSK Explorer to web browsers until Ctrl-C.",
        epilog="tsk-explorer COMMAND runs one of the commands of python -m tsk_core, such as tsk-explorer train --help.",
    )  # fmt: skip
    add_options(parser)
    try:
        return serve(parser.parse_args(arguments))
    except TSKError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of both commands."""
    parser.add_argument("--port", type=_port, default=8501, help="port to listen on (default 8501)")
    parser.add_argument(
        "--processes", type=_processes, default=1,
        help="processes that draw pages, on this port and the next ones, behind a web server as in docs/nginx.conf (default 1)",
    )  # fmt: skip
    parser.add_argument("--address", default="localhost", help="address to listen on (default localhost: this machine only)")


def serve(options: argparse.Namespace) -> int:
    """Replace this process by the server, so that signals reach it; several run below this one, until a signal ends it.

    On Windows, where no process can be replaced, one runs below this one too. Raises TSKError where the app's files or libraries
    are missing, or a quota is wrong. Runs are kept in ``runs`` of the current folder, unless TSK_RUNS_DIR names another.
    """
    limits.check_environment()
    if find_spec("streamlit") is None and (missing := missing_extra("streamlit")):
        raise missing
    app = _app()
    installed = app.parent.name == "tsk_explorer"
    # An installed app must not import what happens to lie in the current folder.
    environment = os.environ | ({"PYTHONSAFEPATH": "1"} if installed else {}) | {"PYTHONPATH": _path(app)}
    if options.processes > 1:
        return _serve_several(options, environment)
    if not hasattr(os, "fork"):
        return _serve_below(options, environment)
    return os.execve(sys.executable, [sys.executable, "-m", *_server(options, options.port)], environment)


def _serve_below(options: argparse.Namespace, environment: dict[str, str]) -> int:
    """Serve until Ctrl-C, or until the server ends; returns the exit status."""
    with contextlib.suppress(KeyboardInterrupt), _start(options, options.port, environment) as server:
        while not server.wait(1):
            pass
        print(f"error: The server {server.failure()}.", file=sys.stderr)
        return 1
    return 0


def _serve_several(options: argparse.Namespace, environment: dict[str, str]) -> int:
    ports = _ports(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    shares = limits.shared_out(options.processes)
    with contextlib.suppress(KeyboardInterrupt), _engine(environment) as engine:
        servers = [Server(f"server on port {port}", partial(_start, options, port, environment | shares)) for port in ports]
        return _watch(engine, servers)
    return 0


def _ports(options: argparse.Namespace) -> range:
    ports = range(options.port, options.port + options.processes)
    if ports[-1] > LAST_PORT:
        highest = LAST_PORT + 1 - options.processes
        raise TSKError(f"{options.processes} processes need as many ports from --port on; choose one of at most {highest}.")
    return ports


def _start(options: argparse.Namespace, port: int, environment: dict[str, str]) -> ChildProcess:
    run = "tsk_core.runtime.child_process"  # the server does not end with its parent by itself
    return ChildProcess(run, *_server(options, port), environment=environment, shares_output=True)


def _server(options: argparse.Namespace, port: int) -> list[str]:
    """The module and its arguments."""
    return ["ui.platform.web.server", f"--server.address={options.address}", f"--server.port={port}"]


def _path(app: Path) -> str:
    """Where Python looks for modules: first in the folder of the app, whose packages are no top-level names for everyone."""
    return os.pathsep.join(filter(None, [str(app.parent), os.environ.get("PYTHONPATH")]))


@contextlib.contextmanager
def _engine(environment: dict[str, str]) -> Iterator[ChildProcess]:
    """The process that has the engine; ``environment`` tells others where it is, and one secret of theirs for all."""
    from tsk_core.jobs.shared import KEY, SOCKET

    with tempfile.TemporaryDirectory(prefix="tsk-") as folder:  # of this account alone
        pipe = rf"\\.\pipe\tsk-{secrets.token_hex(16)}"  # what Windows has instead of a socket in a folder
        address = str(Path(folder) / "engine") if hasattr(socket, "AF_UNIX") else pipe
        environment |= {SOCKET: address, KEY: secrets.token_hex(32)}
        environment.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_hex(32))
        try:
            process = ChildProcess("tsk_core.jobs.shared", address, environment=environment)
        except ChildError as error:
            raise TSKError(f"The process that trains {error}.") from error
        try:
            process.wait_until_ready(START_SECONDS)
            yield process
        except ChildError as error:
            raise TSKError(f"The process that trains could not be started: it {error}.") from error
        finally:
            process.close(END_SECONDS)


class Server:
    """One process that draws pages, started again when it ends: at once, and later and later where it ends again and again.

    name: for its messages. start: starts the process. Each pause is twice the one before, up to ``LONGEST_PAUSE``; there is none
    after a process that ran for ``STEADY_SECONDS``.
    """

    def __init__(self, name: str, start: Callable[[], ChildProcess]) -> None:
        self._name, self._start = name, start
        self._process: ChildProcess | None = None
        self._started = self._due = self._pause = 0.0

    def check(self, now: float) -> None:
        """Start the process if it is due; if it has ended, say so on standard error. now: seconds on any steady clock."""
        if self._process is not None and not self._process.is_alive():
            failure, self._process = self._process.failure(), None
            self._plan(failure, now)
        if self._process is None and now >= self._due:
            self._started = now
            try:
                self._process = self._start()
            except ChildError as error:
                self._plan(error, now)

    def _plan(self, failure: ChildError, now: float) -> None:
        """When it starts again."""
        if now - self._started >= STEADY_SECONDS:
            self._pause = 0.0
        self._due = now + self._pause
        when = f"in {self._pause:.0f} s" if self._pause else "now"
        print(f"error: The {self._name} {failure.what}; restarting it {when}.", file=sys.stderr)
        self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)

    def terminate(self) -> None:
        """Ask the process to end."""
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        """End the process, at the latest after ``END_SECONDS``."""
        if self._process is not None:
            self._process.wait(END_SECONDS)
            self._process.close()


def _watch(engine: ChildProcess, servers: list[Server]) -> int:
    """Keep the servers running as long as the engine runs."""
    try:
        while engine.is_alive():
            for server in servers:
                server.check(time.monotonic())
            time.sleep(1)
        print(f"error: The process that trains {engine.failure()}.", file=sys.stderr)
        return 1
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.close()


def _app() -> Path:
    """app.py, in the installed folder tsk_explorer or at the root of a checkout."""
    above = Path(__file__).parents[2]
    for app in (above / "tsk_explorer" / "app.py", above / "app.py"):
        if app.is_file():
            return app
    raise TSKError(f"The app's files are missing beside {Path(__file__).parents[1]}; install TSK Explorer again with pip.")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 1 to {LAST_PORT}")
    return int(text)


def _processes(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes; give one from 1 to {MOST_PROCESSES}")
    return int(text)
