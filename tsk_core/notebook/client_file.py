"""The widget's JavaScript: a file of the installed package; in a checkout, it is made of ``ui/client`` when first used.

It is JSON: ``ui.notebook`` makes it, and says what is in it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tsk_core.errors import TSKError

_ROOT = Path(__file__).parents[2]
_INSTALLED = Path(__file__).with_name("widget.json")


class ClientFile(NamedTuple):
    """loader: the module that anywidget gets. text: the whole file, from which the loader makes the widget."""

    loader: str
    text: str


def client_file() -> ClientFile:
    """The file. TSKError where a checkout cannot make it, as without Plotly."""
    text = (_built() if (_ROOT / "ui" / "notebook").is_dir() else _INSTALLED).read_text("utf-8")
    return ClientFile(json.loads(text)["loader"], text)


def _built() -> Path:
    """The file of this checkout, made by another process: the library imports nothing of the app."""
    command = [sys.executable, "-m", "ui.notebook"]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise TSKError(f"The widget's JavaScript could not be built in {_ROOT}: {reason}; pip install 'tsk-explorer[app]'.")
    return Path(done.stdout.strip().splitlines()[-1])
