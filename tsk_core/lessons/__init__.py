"""Lessons: what a learner is asked to predict, which trainings show it, and what these then measure.

A lesson is one YAML file of seven screens: question, play, predict, run, see, formula, break. docs/lessons.md explains the
format, ``lesson.schema.json`` is its schema, ``built_in`` has the eight lessons of the page Learn.
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
