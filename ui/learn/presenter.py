"""Presenter mode of Learn, ``?present=1``: large type, keys for the screens, the reveal, and the teacher's notes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from ui.learn.navigation import next_place, previous_place
from ui.learn.place import STEPS, Place, go
from ui.page.presenter import Keys, presenter_line
from ui.platform import session
from ui.text import in_markdown

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
        session.LEARN_REVEALED.get().add(place.lesson.name)
        go(place.lesson.name, 4)
