"""The lessons and playlists that this server has: those that come with the project, and those of a folder."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tsk_core.config import TrainConfig
from tsk_core.errors import LessonError
from tsk_core.lessons.lesson import Lesson
from tsk_core.lessons.reading import lesson_of
from tsk_core.lessons.yaml_file import SettingReader, YamlFile, check_schema, text_of

# Playlist: a teacher's own settings in their order, each with a note; read_playlist: a YAML file -> Playlist.


@dataclass(frozen=True)
class PlaylistStep:
    """One training to show.

    title: what it is called. note: what to look at, or to ask. why: the answer for those who ask; "" for none. data: a dataset
    of the gallery that needs no internet. config: its settings, the seed included. test_size: share of test rows. tab: the one
    to watch.
    """

    title: str
    note: str
    why: str
    data: str
    config: TrainConfig
    test_size: float
    tab: str


@dataclass(frozen=True)
class Playlist:
    """A sequence of trainings. name: in links. title: for people."""

    name: str
    title: str
    steps: tuple[PlaylistStep, ...]


def is_playlist(file: YamlFile) -> bool:
    """Whether a file means to be a playlist: it has steps."""
    return "steps" in file.values


def read_playlist(source: Path | str) -> Playlist:
    """A playlist from a file, or from the text of one. LessonError, in one sentence with line and key, where it is wrong."""
    return playlist_of(YamlFile(*text_of(source)))


def playlist_of(file: YamlFile) -> Playlist:
    """The playlist that a file says; errors as ``read_playlist``."""
    check_schema(file, "playlist")
    steps = tuple(_step(file, k, said) for k, said in enumerate(file.values["steps"]))
    return Playlist(file.values["name"], file.values["title"], steps)


def _step(file: YamlFile, number: int, said: dict[str, Any]) -> PlaylistStep:
    path, read = ("steps", number), SettingReader(file)
    read.check_data(said["data"], path)
    config = read.config(said.get("settings", {}), (*path, "settings"))
    title, note, why = said["title"], said["note"], said.get("why", "")
    return PlaylistStep(title, note, why, said["data"], config, said.get("test", 0.3), said.get("tab", "Training"))


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
