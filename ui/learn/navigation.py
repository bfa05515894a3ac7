"""Where in the lessons a visitor is, the way through a lesson, and presenter mode of Learn."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from tsk_core.lessons import SCREENS, Lesson
from ui.learn import membership
from ui.page.presenter import Keys, presenter_line
from ui.platform import session
from ui.platform.drawing import by_history
from ui.platform.session import Key
from ui.text import in_markdown, shortened

LEARN_PRESSES = Key[int]("learn_presses", 0)  # how often something was pressed: fragments see by it that the page changes
LEARN_SENT_BACK = Key[str]("learn_sent_back", "")  # lesson whose outcome a link named before its prediction was locked
LEARN_MOVED = Key["tuple[tuple[str, str], tuple[str, str], float] | None"](
    "learn_moved"
)  # address before and after a move, and when
LEARN_REVEALED = Key[set[str]]("learn_revealed", make=set)  # lessons whose outcome a presenter shows without a prediction
LEARN_PLAYED = session.Keys[Any]("learn_play:{}")  # lesson -> the value of its control
LEARN_SEEN = session.Keys["int | None"]("learn_see:{}")  # lesson -> the option that is chosen
LEARN_PLAIN = session.Keys[str]("learn_formula:{}")  # lesson -> whether its formula has numbers


# Where in the lessons a visitor is: the lesson and the step, both in the link.


LESSON, STEP = "lesson", "step"  # keys in links
STEPS = len(SCREENS)
HOLD = 60.0  # seconds after a move for which a press may have the address from before it: a full room's come late
PREDICT = SCREENS.index("predict") + 1  # the step after which a prediction has to be locked


@dataclass(frozen=True)
class Place:
    """lesson: None for the list. step: from 1. note: what was wrong with the link, one sentence."""

    lesson: Lesson | None
    step: int = 1
    note: str = ""

    @property
    def screen(self) -> str:
        """Its name, of ``SCREENS``."""
        return SCREENS[self.step - 1]


def place(lessons: Mapping[str, Lesson]) -> Place:
    """What the link names, or the nearest that can be shown."""
    _undo_late_address()
    name = st.query_params.get(LESSON, "")
    if not name:
        return Place(None)
    if name not in lessons:
        return Place(None, note=f"There is no lesson '{shortened(name, 40)}' here; choose one below.")
    lesson, text = lessons[name], st.query_params.get(STEP, "1")
    if not (text.isdecimal() and len(text) < 4 and 1 <= int(text) <= STEPS):
        return Place(lesson, note=f"A lesson has the steps 1 to {STEPS}; this is the first one.")
    step = int(text)
    if step > PREDICT and not may_pass(lesson):
        st.query_params[STEP] = str(PREDICT)  # so that a lock does not lead past the run
        LEARN_SENT_BACK.set(name)
        step = PREDICT
    sent_back = step == PREDICT and LEARN_SENT_BACK.get() == name and not may_pass(lesson)
    return Place(lesson, step, "Lock a prediction first; then you see what happens." if sent_back else "")


def may_pass(lesson: Lesson) -> bool:
    """Whether the screens after the prediction are open: it is locked, or a presenter chose to go on without one."""
    return membership.answer_of(lesson.name, "predict") is not None or lesson.name in LEARN_REVEALED.get()


def go(lesson: str, step: int = 1) -> None:
    """Show this screen, or with "" the list; a callback."""
    pressed()
    LEARN_SENT_BACK.pop()
    move(lesson, step)


def move(lesson: str, step: int) -> None:
    """Name this screen, or with "" the list, in the address."""
    before, after = _address(), (lesson, str(step)) if lesson else ("", "")
    _write(after)
    LEARN_MOVED.set((before, after, time.monotonic()))


def _undo_late_address() -> None:
    """Where a press that was on its way brought the address from before a move, name the place again.

    The same address from the browser's own Back is what the visitor wants.
    """
    moved = LEARN_MOVED.get()
    if moved is None or _address() != moved[0] or moved[0] == moved[1]:
        return
    if not by_history() and time.monotonic() - moved[2] < HOLD:
        _write(moved[1])
    else:
        LEARN_MOVED.pop()


def _address() -> tuple[str, str]:
    return st.query_params.get(LESSON, ""), st.query_params.get(STEP, "")


def _write(address: tuple[str, str]) -> None:
    for key, value in zip((LESSON, STEP), address, strict=True):
        if value:
            st.query_params[key] = value
        else:
            st.query_params.pop(key, None)


def pressed() -> None:
    """Note a press, so that a fragment that runs with it runs the page; in each callback of the page."""
    LEARN_PRESSES.set(LEARN_PRESSES.get() + 1)


def noted(place: Place) -> list[str]:
    """The keys of what changes the page, for its fragments: presses, and the widgets of a lesson."""
    if place.lesson is None:
        return [LEARN_PRESSES.name]
    name = place.lesson.name
    return [LEARN_PRESSES.name, LEARN_PLAYED(name).name, LEARN_SEEN(name).name, LEARN_PLAIN(name).name]


_NAMES = {
    "question": "Question", "play": "Play", "predict": "Predict", "run": "Run it", "see": "What did you see?",
    "formula": "Formula", "break": "Break it",
}  # fmt: skip


def heading(lesson: Lesson, note: str) -> None:
    """The title of the lesson, and the way back to the list. note: of its place."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(in_markdown(lesson.title), anchor=False, width="content")
        st.button("All lessons", key="learn_all", icon=":material/list:", type="tertiary", on_click=go, args=("",))
    if note:
        st.info(in_markdown(note))


def bar(place: Place, lesson: Lesson, lessons: Sequence[str]) -> None:
    """Back and Next, and between them how far the lesson of the place is. lessons: all names, in their order."""
    before, after = previous_place(place), next_place(place, lessons)
    locked = place.step == PREDICT and not may_pass(lesson)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_bar"):
        st.button("Back", key="learn_back", icon=":material/arrow_back:", on_click=go, args=before)
        with st.container(key="learn_standing"):
            st.html(_dots(place.step))
            hint = " · Lock your prediction first." if locked else ""
            st.caption(f"Step {place.step} of {STEPS} · {_NAMES[place.screen]}{hint}")
        st.button(_label(place, after), key="learn_next", type="primary", disabled=locked, on_click=go, args=after)


def previous_place(place: Place) -> tuple[str, int]:
    """Lesson and step before this place; ("", 1) for the list."""
    return ("", 1) if place.lesson is None or place.step == 1 else (place.lesson.name, place.step - 1)


def next_place(place: Place, lessons: Sequence[str]) -> tuple[str, int]:
    """Lesson and step after this place; after the last lesson the list."""
    if place.lesson is None:
        return (lessons[0], 1) if lessons else ("", 1)
    if place.step < STEPS:
        return place.lesson.name, place.step + 1
    following = lessons[lessons.index(place.lesson.name) + 1 :]
    return (following[0], 1) if following else ("", 1)


def _label(place: Place, after: tuple[str, int]) -> str:
    if place.step == STEPS:
        return "Next lesson" if after[0] else "All lessons"
    return "Run it" if place.screen == "predict" else "Next"


def _dots(step: int) -> str:
    """A dot for each screen, those up to this one filled. Readers of the screen have the sentence below."""
    dots = "".join(f'<i class="{"tsk-passed" if at <= step else ""}"></i>' for at in range(1, len(SCREENS) + 1))
    return f'<div class="tsk-steps" aria-hidden="true">{dots}</div>'


# Presenter mode of Learn, ``?present=1``: large type, keys for the screens, the reveal, and the teacher's notes.


_STYLE = Path(__file__).with_name("presenter.css")
_LIST = {
    "N · → · Page Down": "next screen", "M · ← · Page Up": "previous screen", "R": "show what happens, also without a prediction",
    "L": "all lessons", "W": "notes of this lesson", "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(place: Place, lessons: list[str]) -> None:
    """Draw the first line, and let the keys work. lessons: all names, in their order."""
    lesson = place.lesson
    shown = "**Learn**" if lesson is None else f"**{in_markdown(lesson.title)}** · step {place.step} of {STEPS}"
    presenter_line(shown, Keys(_LIST, _actions(place, lessons)), _STYLE)
    if lesson is not None and lesson.notes:
        with st.container(key="why"), st.popover("Notes", icon=":material/notes:"):
            for note in lesson.notes:
                st.markdown(f"- {in_markdown(note)}")


def _actions(place: Place, lessons: list[str]) -> dict[str, Callable[[], None]]:
    forward = partial(_move, next_place(place, lessons))
    back = partial(_move, previous_place(place))
    return {
        "n": forward, "ArrowRight": forward, "PageDown": forward, "m": back, "ArrowLeft": back, "PageUp": back,
        "r": partial(_reveal, place), "l": partial(go, ""),
    }  # fmt: skip


def _move(where: tuple[str, int] | None) -> None:
    if where is not None:
        go(*where)


def _reveal(place: Place) -> None:
    """Open the screens after the prediction, and show the first of them."""
    if place.lesson is not None:
        LEARN_REVEALED.get().add(place.lesson.name)
        go(place.lesson.name, 4)
