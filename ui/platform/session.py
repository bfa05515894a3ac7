"""The state of a visitor's session, named and typed. Nothing else touches ``st.session_state``.

A value that a page computes once belongs into ``ui.platform.caches``; tables, which take memory, into ``ui.platform.memory``.
Widgets that stand in links have the keys of ``tsk_core.config.SETTINGS``, see ``widget``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from ui.platform.streamlit_internals import get_script_run_ctx

if TYPE_CHECKING:  # what rooms above keep here; F401: ruff does not look into the quotes below
    from tsk_core.data.gallery import MeasuredSettings  # noqa: F401
    from tsk_core.experiments import Plan  # noqa: F401
    from tsk_core.runs import PairedRuns, Record  # noqa: F401
    from ui.data.choose import Decided  # noqa: F401
    from ui.runs.current_run import Request  # noqa: F401

T = TypeVar("T")
Value = Any


def values_of(names: Iterable[str]) -> dict[str, Value]:
    """The values that are set, by name; of widgets those that the page has drawn.

    A click on a setting looks up some four hundred values. ``st.session_state`` takes six times as long for each: it asks each
    time which session this is, and whether the script has to stop.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:  # not in the script of a page
        return {name: st.session_state[name] for name in names if name in st.session_state}
    found, state = {}, context.session_state
    with state._lock:
        for name in names:
            try:
                found[name] = state._state[name]
            except KeyError:
                continue
    return found


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
        return values_of([self.name]).get(self.name, self._default)

    def set(self, value: T) -> None:
        """Set the value; of a widget only in a callback, or before the widget is made."""
        st.session_state[self.name] = value

    def pop(self) -> T:
        """Remove the value; returns it, or the default."""
        return st.session_state.pop(self.name, self._default)

    def is_set(self) -> bool:
        """Whether there is a value; of a widget also whether the page has drawn it."""
        return bool(values_of([self.name]))

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
LOGGED_IN = Key[float]("logged_in")  # when this session was first drawn for an account, in steady seconds
NOTED = Key[tuple[tuple[str, ...], list[Value]]]("page_noted", ((), []))  # keys and values that the page was drawn with
HANDLED = Key[dict[str, tuple[str, ...]]]("page_handled", make=dict)  # fragment -> keys whose changes it draws alone
COMPUTED = Keys[deque]("computed:{}", make=deque)  # of ``caches.once_per_session``
TABLE = Keys[Value]("table:{}")  # of ``memory``
NOTE = Keys[str]("{}_note", "")  # why a press on a row did nothing; shown once
PAGE = Key[str]("settings_page", "")  # the page that is shown
SAVED_SETTINGS = Key[dict[str, Value]]("settings_saved", make=dict)  # widgets as the last page had them
SETTINGS_ON_ARRIVAL = Key[dict[str, Value]]("settings_on_arrival", make=dict)  # widgets as this page began, after another
SETTINGS_VISIT = Key[dict[str, Value]]("settings_visit")  # settings for a visit to another page, and those from before it
SAVED_DECISIONS = Key[dict[str, Value]]("decisions_saved", make=dict)

KEPT_NOTE = Key[str]("kept_note", "")  # what a deletion of what is kept did; shown once

# Data.
DATA = Key[str]("data")
DATA_LIST = Key[str]("data:list")  # the list that people see; DATA is that of links
UNREADY = Key["Unready | None"]("unready")  # why there is no table to train on, as the page is to say it
TARGET = Key[str]("target")
CARD_TARGET = Key[str]("card:target")  # the list in the card of an uploaded table
UPLOAD_TAKEN_OVER = Key[bool]("upload_taken_over", default=False)  # whether the table from before a reload was looked for
FILE = Key[Value]("file")  # of the uploader of the page that is shown
SECOND_FILE = Keys[Value]("second:{}")  # of the uploader of a table's test rows
RULE_BASE = Key[str]("rule_base")  # that trainings of Explore start from: ``TrainConfig.rule_base``
RULE_BASE_FILE = Key[Value]("rule_base_file")  # of its uploader
RULE_BASE_ERROR = Key[str]("rule_base_error")  # why a file has no rules, as Markdown
SECOND_ERROR = Key[str]("second_error")
DATA_CHOSEN = Key[bool]("data_chosen", default=False)  # whether a person chose the dataset, or a link did
DATA_NOTE = Key[str]("data_note")
TABLES_SEEN = Key[list[str]]("tables_seen", make=list)  # keys of the tables whose decisions were looked for
RUN_DECIDED = Key["tuple[str, Decided] | None"]("run_decided")  # of the run that a link opened, until its table is there
DATA_BOX = Key[bool]("data_box")
DATA_VIEW = Key[str]("data_view")
DATA_FOLDED = Key[bool]("data_folded", default=False)
READ_OPTIONS = Keys[dict[str, Value]]("read_options:{}", make=dict)  # chosen for a file
READ_OPTION = Keys[Value]("read_option:{}:{}")  # option, file: the widget
DECISION = Keys[Value]("decide:{}:{}")  # what, table or table and target
RANGES = Keys[int]("ranges:{}")
RULES_BEFORE_CARD = Key[tuple[int | None, int | None]]("rules_before_card", (None, None))  # number of rules; what a card set
MEASURED_SETTINGS = Key["MeasuredSettings | None"]("settings_wanted")  # of a card of the gallery

# Painted points.
PAINTED = Key[str]("painted", "")  # their text, see ``tsk_core.data.painted``
PAINTED_VERSION = Key[int]("painted_version", 0)  # how often the server put others in their place
PAINTED_NOTE = Key[str]("painted_note", "")  # why those of the link, or of a stroke, were not taken
PAINT_SHAPE = Key["str | None"]("paint_shape")
PAINT_ROWS = Key[int]("paint_rows")
PAINT_NOISE = Key[float]("paint_noise")
PAINT_AND_TRAIN = Key[bool]("paint_and_train", default=True)

# Settings.
LINK = Key[dict[str, str]]("link")  # values of the link that opened the page
LINK_NOTES = Key[list[str]]("link_notes")  # what was corrected in it
LINK_PRESSES = Key[int]("link_presses", 0)
OPENED_RUN = Key[str]("opened_run")  # the run whose settings the page took over
TEST = Key[float]("test", 0.3)
PACE = Key["int | None"]("pace")
USUAL_START = Key[str]("start_usual")  # starting point that the data suggest, when the page was last drawn
DRAWN_START = Key[str]("start_drawn")
SIDEBAR_BOX = Keys[bool]("box:{}")  # by its name
LOCK = Key["str | None"]("lock")  # the controls that a link leaves, as it names them
LOCK_OPENED = Key[bool]("lock_opened", default=False)
OPENED_BOXES = Key[dict[str, bool]]("boxes_opened", make=dict)  # name of a box of the sidebar -> whether it is open
UNDO_STATES = Key[list[dict[str, Value]]]("settings_held", make=list)
UNDO_TABLE = Key["str | None"]("settings_table")

# A run, on Explore.
CURRENT_RUN = Key[Any]("current_run")  # a RunView (of ui.runs, which stands above) or None
EARLIER_RUNS = Key[dict[str, Any]]("runs_before", make=dict)  # id of a run -> the one shown before it
RUN_NOTE = Key[str]("run_note")
RUN_MOVED = Key["tuple[str | None, str] | None"]("run_moved")  # run of the address before its last change, and after
REQUESTED = Key["Request | None"]("requested")  # a press until it is carried out
VIEW = Key[str]("view")  # the open tab
COMPARED_WITH = Key[str]("compared_with", "before")  # what runs are compared with: the previous one, nothing, or an id
COMPARED_WITH_BOX = Key[str]("compare:with")
COMPARED_RUN = Key[Any]("compared_run")  # a RunView or None
COMPARE_NOTE = Key[str]("compare_note")
PINNED = Key[list["Record"]]("pinned", make=list)
GO_TO_COMPARE = Key[bool]("compare_with", default=False)
RULE_LENGTH = Key[int]("rule_length", 4)  # conditions of a rule, at most
RULE_LENGTH_SLIDER = Key[int]("rule_length_slider")
PRESSED_KEYS = Key[dict[str, tuple[Value, float]]]("keyed", make=dict)  # widget -> what a key set it to, and when
SIDE_TASKS = Key[dict[tuple[str, Hashable], "str | None"]]("side_tasks", make=dict)  # kind and key of a task -> its run
PAIRED_SCORES = Key[dict[tuple[str, str], "PairedRuns | None"]]("paired_scores", make=dict)  # comparison, run, both ended
POSITIVE = Key[str]("positive", "")  # class of which a missed case has a cost, as chosen or by the link
MISS_COST = Key[float]("cost", 1.0)  # in false alarms
POSITIVE_BOX = Key[str]("positive_box")
MISS_COST_BOX = Key[float]("cost_box")
READABLE_STARTED = Key["tuple[str, dict[str, Value]] | None"]("readable_started")  # a run, and the controls when it was started
CAME_FROM = Key["tuple[str, dict[str, str]] | None"]("came_from")  # page and link that a press left for a run on Explore
PRESET_BOX = Key[bool]("preset_box")
PRESET_BOX_CLOSES = Key[bool]("preset_box_closes", default=False)  # from a press in it until the page is drawn
PRESET_APPLIED = Key[str]("preset_applied")
PLAYLIST = Key[str]("playlist", "")  # its name
TYPED_ROW = Keys[int]("typed:{}", 0)  # columns of a model -> how often their boxes were reset
TYPED_CELL = Keys[Value]("typed:{}:{}:{}")  # columns of a model, resets, column

# Tuning.
TUNING_REQUESTED = Key["tuple[float, bool, str, int] | None"]("tuning_requested")  # seconds, whether readable, scoring, trainings
TUNING_AIM = Key[bool]("tuning_aim", default=False)  # whether readable rules are looked for
TUNING_SEVERAL = Key[bool]("tuning:several", default=True)
TUNING_SCORING = Key[str]("tuning:scoring")
TUNING_BUDGET = Key[int]("budget")
TUNING_CHOSEN = Key[dict[str, int]]("tuning_chosen", make=dict)  # run -> number of the rule base that was clicked
TUNING_OPEN = Key[bool]("tuning_open", default=False)
TUNING_BOX = Key[bool]("tuning_box")
TUNING_CLOCK = Key["tuple[str, int, float] | None"]("tuning_clock")  # run, seconds reported, when
TUNINGS = Key[dict[Hashable, "str | None"]]("tunings", make=dict)  # dataset -> its run
TUNING_LINKED = Key["str | None"]("tuning_linked")  # the run that a link names, until its dataset is shown

# Experiments: Compare and Sweep.
EXPERIMENT_REQUESTED = Key["tuple[str, str] | None"]("experiment_requested")  # page, and what was pressed on it
EXPERIMENTS = Key[dict[Hashable, "str | None"]]("experiments", make=dict)  # plan and table -> its run
EXPERIMENT_POINTS = Key[dict[Hashable, Value]]("experiment_points", make=dict)
EXPERIMENT_PACE = Key["tuple[Hashable, deque] | None"]("experiment_pace")
SEEDS = Key[int]("seeds")
SCORE = Key[str]("score")
BAND = Key[str]("band")
SHOWN_CHOICE = Keys[str]("{}:shown")  # the widget that people see of a choice whose own widget is that of links
COMPARED_VARIANTS = Key[list[str]]("compared_variants")
VARIANTS_BOX = Key[list[str]]("variants_box")
VARIANTS_NOTE = Key[str]("variants_note")
COMPARE_PLAN = Key["Plan | None"]("compare_plan")  # as the page was last drawn
COMPARE_UR_WEIGHTS = Key[dict[int, float]]("compare_ur_weights", make=dict)  # λ of each training that ended, by its number
ADDED_KNOB = Key[str]("added_knob")
ADDED_VALUE = Keys[str]("added:{}", "")  # knob -> its value in the form
OPENED_TRAINING = Key[int]("opened_training")  # that the list names
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
EQUAL = Key[str]("equal")

# Messages to the browser.
FEED = Key[Value]("feed_sent")  # what the browser has got
PRESSES_DONE = Key[int]("presses_done", 0)
COMPONENT = Keys[Mapping[str, Value]]("{}", MappingProxyType({}))  # what a table or a component reports, by its key

# Paper and Runs.
PAPER_NOTES = Key[list[str]]("paper_notes", make=list)
PAPER_TAB = Key[str]("part")
PAPER_TABLE = Key[str]("table")
EQUATIONS_SPLIT = Key[int]("equations_split")
EQUATIONS_ROW = Key[int]("equations_row", 0)
PAPER_VALUES = Key[str]("values")
PAPER_METRIC = Key[str]("metric")
PAPER_BEYOND = Key[bool]("beyond")
PAPER_DATASET = Key[str]("dataset")
PAPER_ALGORITHM = Key[str]("algorithm")
RUN_NAME = Keys[str]("name:{}")  # run -> the field of its name
RUN_LIST_NOTE = Key[str]("run_list_note", "")  # why a press on the list did nothing; shown once
KEPT_WHAT = Key[str]("kept_what", "")  # kind of what is kept that the list names

# Learn.
LEARN_PRESSES = Key[int]("learn_presses", 0)  # how often something was pressed: fragments see by it that the page changes
LEARN_SENT_BACK = Key[str]("learn_sent_back", "")  # lesson whose outcome a link named before its prediction was locked
LEARN_MOVED = Key["tuple[tuple[str, str], tuple[str, str], float] | None"](
    "learn_moved"
)  # address before and after a move, and when
LEARN_REVEALED = Key[set[str]]("learn_revealed", make=set)  # lessons whose outcome a presenter shows without a prediction
LEARN_REACHED = Key[dict[str, int]]("learn_reached", make=dict)  # lesson -> its furthest step that was shown
LEARN_DRAWN = Key["tuple[str, int] | None"]("learn_drawn")  # lesson and step that the page last showed
LEARN_REPLAYS = Key[int]("learn_replays", 0)  # how often a training was replayed
LEARN_PLAYED = Keys[Value]("learn_play:{}")  # lesson -> the value of its control
LEARN_SEEN = Keys["int | None"]("learn_see:{}")  # lesson -> the option that is chosen
LEARN_PLAIN = Keys[str]("learn_formula:{}")  # lesson -> whether its formula has numbers
CLASS_PERSON = Key[str]("class_person")  # the id of this visitor among learners and teachers
CLASS_CODE = Key[str]("class_code", "")  # of the class that was joined, or that this visitor teaches
CLASS_LINK = Key[tuple[str, str]]("class_link", ("", ""))  # class and resume token of the link, as they were last taken over
CLASS_RESUME = Key[str]("class_resume", "")  # token of a resume link that has to be confirmed
CLASS_ENDING = Key[bool]("class_ending", False)  # whether the teacher is asked to confirm the end of the class
CLASS_NOTE = Key[tuple[str, float]]("class_note", ("", 0.0))  # why something about a class did not work, and when
CLASS_MOVES = Key[int]("class_moves", 0)  # number of the teacher's last move that this visitor followed
CLASS_DRAWN = Key[Value]("class_drawn")  # what of the class the page was drawn with
CLASS_FIELD = Key[str]("class_field", "")  # the code that was typed
