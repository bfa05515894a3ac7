"""The lessons and playlists that this server has: those that come with the project, and those of a folder."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from tsk_core.errors import LessonError
from tsk_core.lessons.lesson import Lesson
from tsk_core.lessons.playlist import Playlist, is_playlist, playlist_of
from tsk_core.lessons.reading import lesson_of
from tsk_core.lessons.yaml_file import YamlFile, text_of

__all__ = ["BUILT_IN", "LESSONS_DIR", "lessons", "playlists", "read_file"]

LESSONS_DIR = "TSK_LESSONS_DIR"  # environment variable: a folder with further lessons, and with playlists
BUILT_IN = Path(__file__).with_name("built_in")
Said = TypeVar("Said", Lesson, Playlist)


def lessons(folder: Path | str | None = None) -> tuple[dict[str, Lesson], list[str]]:
    """The lessons by name, in their order, and a sentence for each file that is none.

    The built-in ones come first, by their files' names, then those of ``folder`` (by default that of TSK_LESSONS_DIR). A file
    there whose lesson has the name of a built-in one replaces it. Playlists are left out.
    """
    files, unreadable = _read([*sorted(BUILT_IN.glob("*.yaml")), *_files(folder)])
    known, wrong = _named(lesson_of, [file for file in files if not is_playlist(file)])
    return known, unreadable + wrong


def playlists(folder: Path | str | None = None) -> tuple[dict[str, Playlist], list[str]]:
    """The playlists of the folder by name, by their files' names, and a sentence for each that is wrong.

    A file that is no YAML counts as a lesson that is wrong.
    """
    files, _ = _read(_files(folder))
    return _named(playlist_of, [file for file in files if is_playlist(file)])


def read_file(path: Path) -> Lesson | Playlist:
    """What one file is; LessonError, in one sentence with line and key, where it is wrong."""
    file = YamlFile(*text_of(path))
    return playlist_of(file) if is_playlist(file) else lesson_of(file)


def _files(folder: Path | str | None) -> list[Path]:
    where = folder or os.environ.get(LESSONS_DIR)
    return sorted(Path(where).glob("*.y*ml")) if where else []


def _read(paths: Iterable[Path]) -> tuple[list[YamlFile], list[str]]:
    """The files that are YAML, and a sentence for each that is none."""
    files, wrong = [], []
    for path in paths:
        try:
            files.append(YamlFile(*text_of(path)))
        except LessonError as error:
            wrong.append(str(error))
    return files, wrong


def _named(of: Callable[[YamlFile], Said], files: Iterable[YamlFile]) -> tuple[dict[str, Said], list[str]]:
    """What each file says by its name, the last one of a name, and a sentence for each that is wrong."""
    known: dict[str, Said] = {}
    wrong: list[str] = []
    for file in files:
        try:
            said = of(file)
            known[said.name] = said
        except LessonError as error:
            wrong.append(str(error))
    return known, wrong
