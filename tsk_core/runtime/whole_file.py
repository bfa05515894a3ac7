"""A file that appears whole or not at all: written aside, then renamed."""

import contextlib
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

ASIDE = ".tmp"  # ending of a file that is not yet renamed; a kill leaves it
RENAME_SECONDS = 1.0  # for readers to close a file that is to be replaced


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file aside, then rename it to ``path``; a failure, such as an OSError, leaves no file.

    The file aside has a name of its own, so that of two writers at once each leaves a whole file, and the later one counts.
    """
    aside = path.with_name(f"{path.name}.{secrets.token_hex(8)}{ASIDE}")
    try:
        write(aside)
        _rename(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def _rename(aside: Path, path: Path) -> None:
    """Rename; on Windows, which does not replace a file that somebody reads just now, again and again for a second."""
    ends = time.monotonic() + RENAME_SECONDS
    while True:
        try:
            aside.replace(path)
            return
        except PermissionError:
            if hasattr(os, "fork") or time.monotonic() > ends:
                raise
        time.sleep(0.01)
