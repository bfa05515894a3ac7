"""Serve the app: ``tsk-explorer``, or ``python -m tsk_core serve``, becomes a Streamlit server."""

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from tsk_core.errors import TSKError

__all__ = ["add_options", "main", "serve"]


def main(arguments: list[str] | None = None) -> int:
    """The command ``tsk-explorer``; returns an exit status only where the app cannot be started."""
    parser = argparse.ArgumentParser(prog="tsk-explorer", description="Serve TSK Explorer to web browsers until Ctrl-C.")
    add_options(parser)
    try:
        serve(parser.parse_args(arguments))
    except TSKError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of both commands."""
    parser.add_argument("--port", type=_port, default=8501, help="port to listen on (default 8501)")
    parser.add_argument("--address", default="localhost", help="address to listen on (default localhost: this machine only)")


def serve(options: argparse.Namespace) -> NoReturn:
    """Replace this process by the server, so that signals reach it. Raises TSKError where the app's files are missing.

    Runs are kept in ``runs`` of the current folder, unless TSK_RUNS_DIR names another.
    """
    app = _app()
    flags = [f"--server.address={options.address}", f"--server.port={options.port}", "--server.showEmailPrompt=false"]
    installed = app.parent.name == "tsk_explorer"
    # An installed app must not import what happens to lie in the current folder.
    environment = os.environ | ({"PYTHONSAFEPATH": "1"} if installed else {})
    os.execve(sys.executable, [sys.executable, "-m", "streamlit", "run", str(app), *flags], environment)


def _app() -> Path:
    """app.py, in the installed folder tsk_explorer or at the root of a checkout."""
    above = Path(__file__).parents[1]
    for app in (above / "tsk_explorer" / "app.py", above / "app.py"):
        if app.is_file():
            return app
    raise TSKError(f"The app's files are missing beside {Path(__file__).parent}; install TSK Explorer again with pip.")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 1 to 65535")
    return int(text)
