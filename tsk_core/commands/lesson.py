"""The command ``lesson``: whether the file of a lesson or playlist is right, and where it is not."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers
from tsk_core.numbers import counted

if TYPE_CHECKING:
    from tsk_core.lessons import Scene


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("lesson", help="check the file of a lesson or playlist, and say where the errors are")
    parser.set_defaults(command=_lesson)
    parser.add_argument("file", type=Path, metavar="FILE.yaml", help="a lesson or a playlist, as explained in docs/lessons.md")


def _lesson(options: argparse.Namespace) -> int:
    from tsk_core.lessons import SCREENS, Playlist, read_file

    found = read_file(options.file)
    if isinstance(found, Playlist):
        print(f"{options.file.name}: a playlist of {counted(len(found.steps), 'step')}, '{found.title}'.")
        return 0
    trainings = sum(_trainings(scene) for scene in found.scenes.values())
    print(f"{options.file.name}: a lesson of {len(SCREENS)} screens and {counted(trainings, 'training')}, '{found.title}'.")
    return 0


def _trainings(scene: "Scene") -> int:
    return scene.seeds * (len(scene.over[1]) if scene.over else 1)
