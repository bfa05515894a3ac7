"""The lessons and playlists of this server, read again where one of their files changed."""

import os
from pathlib import Path

from tsk_core.lessons import BUILT_IN, LESSONS_DIR, Lesson, Playlist, lessons, playlists
from ui.platform.caches import once_per_server

__all__ = ["known_lessons", "known_playlists"]

Versions = tuple[tuple[str, int, int], ...]  # name, time of change and size of each file


def known_lessons() -> tuple[dict[str, Lesson], list[str]]:
    """The lessons by name, and a sentence for each file that is none."""
    return _lessons(*_files())


def known_playlists() -> tuple[dict[str, Playlist], list[str]]:
    """The playlists by name, and a sentence for each file that is none."""
    return _playlists(*_files())


# The versions of the files are not used, but others make what is read another.
@once_per_server(entries=2)
def _lessons(folder: str, versions: Versions) -> tuple[dict[str, Lesson], list[str]]:
    return lessons(folder or None)


@once_per_server(entries=2)
def _playlists(folder: str, versions: Versions) -> tuple[dict[str, Playlist], list[str]]:
    return playlists(folder or None)


def _files() -> tuple[str, Versions]:
    """The folder with files of this server's own, "" for none, and the versions of all files."""
    folder = os.environ.get(LESSONS_DIR, "")
    return folder, _versions(BUILT_IN) + (_versions(Path(folder)) if folder else ())


def _versions(folder: Path) -> Versions:
    try:
        found = [(path.name, path.stat()) for path in sorted(folder.glob("*.y*ml"))]
    except OSError:
        return ()
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in found)
