"""Serve the app: ``tsk-explorer``, or ``python -m tsk_core serve``, becomes a Streamlit server, or starts several.

Several draw pages side by side, where one Python process would be busy with one page at a time. They share one engine, which has
a process of its own (tsk_core/jobs/shared.py), and stand behind a web server that always sends a browser to the same one.
"""

import argparse
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tsk_core.errors import TSKError

__all__ = ["add_options", "main", "serve"]

MOST_PROCESSES = 64
END_SECONDS = 15


def main(arguments: list[str] | None = None) -> int:
    """The command ``tsk-explorer``; returns an exit status where the app cannot be started, or several processes have ended."""
    parser = argparse.ArgumentParser(prog="tsk-explorer", description="Serve TSK Explorer to web browsers until Ctrl-C.")
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
    """Replace this process by the server, so that signals reach it; several run below this one, until it is told to end.

    Raises TSKError where the app's files are missing. Runs are kept in ``runs`` of the current folder, unless TSK_RUNS_DIR names
    another.
    """
    app = _app()
    installed = app.parent.name == "tsk_explorer"
    # An installed app must not import what happens to lie in the current folder.
    environment = os.environ | ({"PYTHONSAFEPATH": "1"} if installed else {})
    if options.processes > 1:
        return _serve_several(app, options, environment)
    return os.execve(sys.executable, _command(app, options, options.port), environment)


def _serve_several(app: Path, options: argparse.Namespace, environment: dict[str, str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt), _engine(environment) as engine:
        commands = [_command(app, options, options.port + number) for number in range(options.processes)]
        return _watch(engine, commands, environment)
    return 0


def _command(app: Path, options: argparse.Namespace, port: int) -> list[str]:
    flags = [f"--server.address={options.address}", f"--server.port={port}", "--server.showEmailPrompt=false"]
    return [sys.executable, "-m", "streamlit", "run", str(app), *flags]


@contextlib.contextmanager
def _engine(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The process that has the engine; ``environment`` tells others where it is, and one secret of theirs for all."""
    from tsk_core.jobs.shared import KEY, SOCKET

    with tempfile.TemporaryDirectory(prefix="tsk-") as folder:  # of this account alone
        socket = str(Path(folder) / "engine")
        environment |= {SOCKET: socket, KEY: secrets.token_hex(32)}
        environment.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_hex(32))
        command = [sys.executable, "-m", "tsk_core.jobs.shared", socket]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        assert process.stdin and process.stdout  # pipes
        try:
            if process.stdout.readline() != b"ready\n":
                raise TSKError("The process that trains could not be started; what it wrote above says why.")
            yield process
        finally:
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
            process.kill()


def _watch(engine: subprocess.Popen[bytes], commands: list[list[str]], environment: dict[str, str]) -> int:
    """Run the servers, and one that ended again, as long as the engine runs."""
    servers: list[subprocess.Popen[bytes] | None] = [None] * len(commands)
    try:
        while engine.poll() is None:
            for number, command in enumerate(commands):
                server = servers[number]
                if server is None or server.poll() is not None:
                    servers[number] = subprocess.Popen(command, env=environment)
            time.sleep(1)
        print("error: The process that trains ended.", file=sys.stderr)
        return 1
    finally:
        running = [server for server in servers if server is not None]
        for server in running:
            server.terminate()
        for server in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(END_SECONDS)
            server.kill()


def _app() -> Path:
    """app.py, in the installed folder tsk_explorer or at the root of a checkout."""
    above = Path(__file__).parents[2]
    for app in (above / "tsk_explorer" / "app.py", above / "app.py"):
        if app.is_file():
            return app
    raise TSKError(f"The app's files are missing beside {Path(__file__).parents[1]}; install TSK Explorer again with pip.")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 1 to 65535")
    return int(text)


def _processes(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes; give one from 1 to {MOST_PROCESSES}")
    return int(text)
