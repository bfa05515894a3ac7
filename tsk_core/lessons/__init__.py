"""Lessons: what a learner is asked to predict, which trainings show it, and what these then measure.

A lesson is one YAML file of seven screens: question, play, predict, run, see, formula, break. docs/lessons.md explains the
format, ``lesson.schema.json`` is its schema, ``built_in`` has the eight lessons of the page Learn.

lesson.py    Lesson and its parts; nothing but values
reading.py   read_lesson: a file -> Lesson, or LessonError with line and key
playlist.py  Playlist: a teacher's settings with notes, from a file of its own
schema.py    what may stand where; setting_reader.py: datasets and settings that a file names
fitting.py   whether measures fit their prediction or formula
yaml_file.py YamlFile: values of a file, and the line of each
library.py   lessons and playlists: the built-in ones, and those of the folder TSK_LESSONS_DIR
outcomes.py  what a training shows, in the shape in which it was predicted
"""

from tsk_core.lessons.lesson import (
    CHARTS,
    SCREENS,
    Break,
    Formula,
    Lesson,
    Option,
    OutcomeMeasure,
    Play,
    Prediction,
    Scene,
    Screen,
    See,
    Trial,
    filled,
    placeholders,
)
from tsk_core.lessons.library import BUILT_IN, LESSONS_DIR, Playlist, PlaylistStep, lessons, playlists, read_file, read_playlist
from tsk_core.lessons.outcomes import Trained, distance, outcome_of, scene_dataset
from tsk_core.lessons.reading import read_lesson

__all__ = [
    "BUILT_IN", "CHARTS", "LESSONS_DIR", "SCREENS", "Break", "Formula", "Lesson", "Option", "OutcomeMeasure", "Play", "Playlist",
    "PlaylistStep", "Prediction", "Scene", "Screen", "See", "Trained", "Trial", "distance", "filled", "lessons",
    "outcome_of", "placeholders", "playlists", "read_file", "read_lesson", "read_playlist", "scene_dataset",
]  # fmt: skip
