"""The state of a visitor's session, named and typed. Nothing else touches ``st.session_state``.

A value that a page computes once belongs into ``ui.platform.caches``; tables, which take memory, into ``ui.platform.memory``.
Widgets that stand in links have the keys of ``tsk_core.config.SETTINGS``, see ``widget``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

if TYPE_CHECKING:  # what rooms above keep here; F401: ruff does not look into the quotes below
    from tsk_core.data.gallery import Measured  # noqa: F401
    from tsk_core.experiments import Plan  # noqa: F401
    from tsk_core.runs import PairedRuns, Record  # noqa: F401

T = TypeVar("T")
Value = Any


class Key(Generic[T]):
    """One value of the session. name: its key there, and that of its widget where it has one. default: where it is not set.

    make: instead of a default, for a value that is changed in place: made and stored at its first use.
    """

    def __init__(self, name: str, default: T | None = None, *, make: Callable[[], T] | None = None) -> None:
        self.name, self._default, self._make = name, default, make

    def get(self) -> T:
        """The value, or the default."""
        if self._make is not None and not self.is_set():
            self.set(self._make())
        return st.session_state.get(self.name, self._default)

    def set(self, value: T) -> None:
        """Set the value; of a widget only in a callback, or before the widget is made."""
        st.session_state[self.name] = value

    def pop(self) -> T:
        """Remove the value; returns it, or the default."""
        return st.session_state.pop(self.name, self._default)

    def is_set(self) -> bool:
        """Whether there is a value; of a widget also whether the page has drawn it."""
        return self.name in st.session_state

    def __repr__(self) -> str:
        return f"Key({self.name!r})"


class Keys(Generic[T]):
    """One value of the session for each of something: ``pattern`` has a place for each part of its name."""

    def __init__(self, pattern: str, default: T | None = None, *, make: Callable[[], T] | None = None) -> None:
        self.pattern, self._default, self._make = pattern, default, make

    def __call__(self, *parts: object) -> Key[T]:
        """The key of this one."""
        return Key(self.pattern.format(*parts), self._default, make=self._make)

    def existing(self) -> Iterator[Key[T]]:
        """All that are set."""
        start = self.pattern.partition("{")[0]
        return (Key(str(name), self._default, make=self._make) for name in list(st.session_state) if str(name).startswith(start))


def widget(name: str) -> Key[Value]:
    """The value of the widget of a setting, by its key in links: ``SETTINGS[…].key``."""
    return Key(name)


def set_widgets(values: Mapping[str, Value]) -> None:
    """Set widgets by their keys in links; in a callback, or before any of them is made."""
    for name, value in values.items():
        widget(name).set(value)


# Every page.
OWNER = Key[str]("owner")
THROUGH_APP = Key[bool]("through_app", default=False)  # whether the first visit of a server was sent through app.py
NOTED = Key[tuple[tuple[str, ...], list[Value]]]("page_noted", ((), []))  # keys and values that the page was drawn with
COMPUTED = Keys[deque]("computed:{}", make=deque)  # of ``caches.once_per_session``
TABLE = Keys[Value]("table:{}")  # of ``memory``
NOTE = Keys[str]("{}_note", "")  # why a press on a row did nothing; shown once
PAGE = Key[str]("settings_page", "")  # the page that is shown
SAVED_SETTINGS = Key[dict[str, Value]]("settings_saved", make=dict)  # widgets as the last page had them
SETTINGS_VISIT = Key[dict[str, Value]]("settings_visit")  # settings for a visit to another page, and those from before it
SAVED_DECISIONS = Key[dict[str, Value]]("decisions_saved", make=dict)

# Data.
DATA = Key[str]("data")
TARGET = Key[str]("target")
FILE = Key[Value]("file")  # of the uploader
FILE_PAGE = Key["str | None"]("page_of_file", "")  # the page whose uploader has the file; None: none any more
SECOND_FILE = Keys[Value]("second:{}")  # of the uploader of a table's test rows
SECOND_ERROR = Key[str]("second_error")
DATA_NOTE = Key[str]("data_note")
DATA_BOX = Key[bool]("data_box")
DATA_VIEW = Key[str]("data_view")
DATA_FOLDED = Key[bool]("data_folded", default=False)
READ_OPTIONS = Keys[dict[str, Value]]("read_options:{}", make=dict)  # chosen for a file
READ_OPTION = Keys[Value]("read_option:{}:{}")  # option, file: the widget
DECISION = Keys[Value]("decide:{}:{}")  # what, table or table and target
RANGES = Keys[int]("ranges:{}")
RULES_BEFORE_CARD = Key[tuple[int | None, int | None]]("rules_before_card", (None, None))  # number of rules; what a card set
MEASURED_SETTINGS = Key["Measured | None"]("settings_wanted")  # of a card of the gallery

# Settings.
LINK = Key[dict[str, str]]("link")  # values of the link that opened the page
LINK_NOTES = Key[list[str]]("link_notes")  # what was corrected in it
LINK_PRESSES = Key[int]("link_presses", 0)
OPENED_RUN = Key[str]("opened_run")  # the run whose settings the page took over
TEST = Key[float]("test", 0.3)
PACE = Key["int | None"]("pace")
USUAL_START = Key[str]("start_usual")  # starting point that the data suggest, when the page was last drawn
DRAWN_START = Key[str]("start_drawn")
UNDO_STATES = Key[list[dict[str, Value]]]("settings_held", make=list)
UNDO_TABLE = Key["str | None"]("settings_table")

# A run, on Explore.
CURRENT_RUN = Key[Any]("current_run")  # a RunView (of ui.runs, which stands above) or None
EARLIER_RUNS = Key[dict[str, Any]]("runs_before", make=dict)  # id of a run -> the one shown before it
RUN_NOTE = Key[str]("run_note")
REQUESTED = Key["str | None"]("requested")  # a press until it is carried out
VIEW = Key[str]("view")  # the open tab
COMPARED_WITH = Key[str]("compared_with", "before")  # what runs are compared with: the previous one, nothing, or an id
COMPARED_WITH_BOX = Key[str]("compare:with")
COMPARED_RUN = Key[Any]("compared_run")  # a RunView or None
COMPARE_NOTE = Key[str]("compare_note")
PINNED = Key[list["Record"]]("pinned", make=list)
GO_TO_COMPARE = Key[bool]("compare_with", default=False)
RULE_LENGTH = Key[int]("rule_length", 4)  # conditions of a rule, at most
RULE_LENGTH_SLIDER = Key[int]("conditions")
PRESSED_KEYS = Key[dict[str, tuple[Value, float]]]("keyed", make=dict)  # widget -> what a key set it to, and when
CROSS_VALIDATIONS = Key[dict[str, "str | None"]]("cross_validations", make=dict)  # run -> its task
PAIRED_SCORES = Key[dict[tuple[str, str], "PairedRuns | None"]]("paired_scores", make=dict)  # comparison, run, both ended
RULE_STABILITIES = Key[dict[str, "str | None"]]("rule_stabilities", make=dict)  # run -> its task
PRESET_ROW = Key["str | None"]("preset")
PRESET_TITLE = Key["str | None"]("preset_title")
PRESET_APPLIED = Key[str]("preset_applied")
TYPED_ROW = Keys[int]("typed:{}", 0)  # columns of a model -> how often their boxes were reset
TYPED_CELL = Keys[Value]("typed:{}:{}:{}")  # columns of a model, resets, column

# Tuning.
TUNING_REQUESTED = Key["float | None"]("tuning_requested")  # seconds
TUNING_OPEN = Key[bool]("tuning_open", default=False)
TUNING_BOX = Key[bool]("tuning_box")
TUNING_CLOCK = Key["tuple[str, int, float] | None"]("tuning_clock")  # run, seconds reported, when
TUNINGS = Key[dict[Hashable, "str | None"]]("tunings", make=dict)  # dataset -> its run
TUNING_LINKED = Key["str | None"]("tuning_linked")  # the run that a link names, until its dataset is shown

# Experiments: Compare and Sweep.
EXPERIMENT_REQUESTED = Key["str | None"]("experiment_requested")
EXPERIMENTS = Key[dict[Hashable, "str | None"]]("experiments", make=dict)  # plan and table -> its run
EXPERIMENT_POINTS = Key[dict[Hashable, Value]]("experiment_points", make=dict)
EXPERIMENT_PACE = Key["tuple[Hashable, deque] | None"]("experiment_pace")
SEEDS = Key[int]("seeds")
SCORE = Key[str]("score")
BAND = Key[str]("band")
COMPARED_VARIANTS = Key[list[str]]("compared_variants")
VARIANTS_BOX = Key[list[str]]("variants_box")
VARIANTS_NOTE = Key[str]("variants_note")
COMPARE_PLAN = Key["Plan | None"]("compare_plan")  # as the page was last drawn
COMPARE_OPENED = Key["int | None"]("compare_opened")  # number of the training that was clicked
COMPARE_BUSY = Key[bool]("compare_busy", default=False)
COMPARE_PRESET_PLACE = Key[int]("compare_preset_at")
COMPARE_PRESET_USED = Key[bool]("compare_preset_used", default=False)
TWO_RUNS = Key[dict[str, Any]]("two_runs", make=dict)  # id of a run -> its RunView
SWEEP_AXES = Key[list[str]]("sweep_axes")  # such as "batch=16,32", which may be wrong
AXIS_NAME = Keys[str]("axis_name{}")
AXIS_VALUES = Keys[str]("axis_values{}")
SWEEP_PLAN = Key["Plan | None"]("sweep_plan")  # as the page was last drawn
SWEEP_AXES_DRAWN = Key[int]("sweep_axes_drawn", 1)
SWEEP_CELL = Key["tuple[Hashable, int] | None"]("sweep_cell")  # experiment, variant whose runs are listed
SWEEP_OPENED = Key["int | None"]("sweep_open")  # number of the training that was clicked
SHOW = Key[str]("show")
DRAW = Key[str]("draw")

# Messages to the browser.
FEED = Key[Value]("feed_sent")  # what the browser has got
PRESSES_DONE = Key[int]("presses_done", 0)
COMPONENT = Keys[Mapping[str, Value]]("{}", MappingProxyType({}))  # what a table or a component reports, by its key

# Paper and Runs.
PAPER_NOTES = Key[list[str]]("paper_notes", make=list)
PAPER_DATASET = Key[str]("dataset")
PAPER_ALGORITHM = Key[str]("algorithm")
WORKED_EXAMPLES = Key[dict[Hashable, "str | None"]]("paper_examples", make=dict)  # split and row -> its task
STUDY_CELLS = Key[dict[Hashable, "str | None"]]("paper_runs", make=dict)  # dataset and algorithm -> its task
RUN_LIST_VERSION = Key[int]("runs_version", 0)
