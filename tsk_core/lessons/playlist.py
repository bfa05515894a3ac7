"""Playlist: a teacher's own settings in their order, each with a note; read_playlist: a YAML file -> Playlist."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tsk_core.config import TrainConfig
from tsk_core.lessons.schema import check_schema
from tsk_core.lessons.setting_reader import SettingReader
from tsk_core.lessons.yaml_file import YamlFile, text_of

__all__ = ["Playlist", "PlaylistStep", "is_playlist", "playlist_of", "read_playlist"]


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
