"""The way through a lesson: its title with the way back to the list, and the bar below its screens."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.lessons import SCREENS
from ui.learn.place import PREDICT, STEPS, Place, go, may_pass
from ui.text import in_markdown

_NAMES = {
    "question": "Question", "play": "Play", "predict": "Predict", "run": "Run it", "see": "What did you see?",
    "formula": "Formula", "break": "Break it",
}  # fmt: skip


def heading(place: Place) -> None:
    """The title of the lesson, and the way back to the list."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(in_markdown(place.lesson.title), anchor=False, width="content")
        st.button("All lessons", key="learn_all", icon=":material/list:", type="tertiary", on_click=go, args=("",))
    if place.note:
        st.info(in_markdown(place.note))


def bar(place: Place, lessons: Sequence[str]) -> None:
    """Back and Next, and between them how far the lesson is."""
    before, after = previous_place(place), next_place(place, lessons)
    locked = place.step == PREDICT and not may_pass(place.lesson)
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
