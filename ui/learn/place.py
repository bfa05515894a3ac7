"""Where in the lessons a visitor is: the lesson and the step, both in the link."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from tsk_core.lessons import SCREENS, Lesson
from ui.learn import answers
from ui.platform import session
from ui.platform.navigation import by_history
from ui.text import shortened

LESSON, STEP = "lesson", "step"  # keys in links
STEPS = len(SCREENS)
HOLD = 60.0  # seconds after a move for which a tick may have the address from before it: a full room's ticks come late
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
        session.LEARN_SENT_BACK.set(name)
        step = PREDICT
    sent_back = step == PREDICT and session.LEARN_SENT_BACK.get() == name and not may_pass(lesson)
    return Place(lesson, step, "Lock a prediction first; then you see what happens." if sent_back else "")


def may_pass(lesson: Lesson) -> bool:
    """Whether the screens after the prediction are open: it is locked, or a presenter chose to go on without one."""
    return answers.get(lesson.name, "predict") is not None or lesson.name in session.LEARN_REVEALED.get()


def go(lesson: str, step: int = 1) -> None:
    """Show this screen, or with "" the list; a callback."""
    pressed()
    session.LEARN_SENT_BACK.pop()
    move(lesson, step)


def move(lesson: str, step: int) -> None:
    """Name this screen, or with "" the list, in the address."""
    before, after = _address(), (lesson, str(step)) if lesson else ("", "")
    _write(after)
    session.LEARN_MOVED.set((before, after, time.monotonic()))


def _undo_late_address() -> None:
    """Where a press or a tick that was on its way brought the address from before a move, name the place again.

    The same address from the browser's own Back is what the visitor wants.
    """
    moved = session.LEARN_MOVED.get()
    if moved is None or _address() != moved[0] or moved[0] == moved[1]:
        return
    if not by_history() and time.monotonic() - moved[2] < HOLD:
        _write(moved[1])
    else:
        session.LEARN_MOVED.pop()


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
    session.LEARN_PRESSES.set(session.LEARN_PRESSES.get() + 1)


def noted(place: Place) -> list[str]:
    """The keys of what changes the page, for its fragments: presses, and the widgets of a lesson."""
    of_lesson = (session.LEARN_PLAYED, session.LEARN_SEEN, session.LEARN_PLAIN) if place.lesson is not None else ()
    return [session.LEARN_PRESSES.name, *(keys(place.lesson.name).name for keys in of_lesson)]
