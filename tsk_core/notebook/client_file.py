"""The widget's JavaScript: a file of the installed package; in a checkout, it is made of ``ui/client`` when first used."""

import subprocess
import sys
from pathlib import Path

from tsk_core.errors import TSKError

__all__ = ["client_text"]

_ROOT = Path(__file__).parents[2]
_INSTALLED = Path(__file__).with_name("widget.js")


def client_text() -> str:
    """The text of the file. TSKError where a checkout cannot make it, as without Plotly."""
    file = _built() if (_ROOT / "ui" / "notebook").is_dir() else _INSTALLED
    return file.read_text("utf-8")


def _built() -> Path:
    """The file of this checkout, made by another process: the library imports nothing of the app."""
    done = subprocess.run([sys.executable, "-m", "ui.notebook"], cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise TSKError(f"The widget's JavaScript could not be built in {_ROOT}: {reason}; pip install 'tsk-explorer[app]'.")
    return Path(done.stdout.strip().splitlines()[-1])
