"""The files with lessons and playlists, and in which version they are: caches of what they say last while these are the same."""

import os
from pathlib import Path

from tsk_core.lessons import BUILT_IN, LESSONS_DIR

__all__ = ["Versions", "lesson_files"]

Versions = tuple[tuple[str, int, int], ...]  # name, time of change and size of each file


def lesson_files() -> tuple[str, Versions]:
    """The folder with files of this server's own, "" for none, and the versions of all files."""
    folder = os.environ.get(LESSONS_DIR, "")
    return folder, _versions(BUILT_IN) + (_versions(Path(folder)) if folder else ())


def _versions(folder: Path) -> Versions:
    try:
        found = [(path.name, path.stat()) for path in sorted(folder.glob("*.y*ml"))]
    except OSError:
        return ()
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in found)
