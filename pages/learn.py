"""Learn: lessons of seven screens that ask for a prediction before they show what a training does."""

from pathlib import Path

import streamlit as st

import ui.learn
from ui.learn import class_panel
from ui.learn.lesson_list import lesson_list
from ui.learn.navigation import bar, heading, noted, place, presenter
from ui.learn.screens import draw_screen
from ui.page.opening import come_back
from ui.page.presenter import presenting
from ui.page.top_bar import top_bar
from ui.platform.caches import known_lessons
from ui.platform.drawing import by_history, note_page, show_errors
from ui.platform.engine import get_engine
from ui.settings import page_state

STYLE = Path(ui.learn.__file__).with_name("learn.css")


def page() -> None:
    """The list of lessons, or one screen of one."""
    get_engine()
    if by_history():
        come_back("learn")
    page_state.restore("learn")
    lessons, wrong = known_lessons()
    at = place(lessons)
    note_page(noted(at))
    st.html(STYLE)
    top_bar()
    if presenting():
        presenter(at, list(lessons))
    with show_errors():
        class_panel.class_panel(at.lesson, at.step)
    if at.lesson is None:
        lesson_list(lessons, wrong, at.note)
    else:
        heading(at.lesson, at.note)
        screen = st.container()
        bar(at, at.lesson, list(lessons))  # drawn before the screen, whose charts may take a moment
        with screen:
            draw_screen(at, at.lesson)
    with show_errors():
        class_panel.follow_class(at.lesson)


with show_errors():
    page()
