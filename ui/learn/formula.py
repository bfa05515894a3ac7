"""The formula of a lesson: with the numbers of its trainings, and with their names instead."""

import re

import streamlit as st

from tsk_core.lessons import Lesson, filled, placeholders
from ui.learn.trained import numbers_of
from ui.platform import session
from ui.platform.errors import show_errors

_PLACE = re.compile(r"\[\[(\w+)[^\]]*\]\]")
_NUMBERS, _NAMES = "With this run's numbers", "With names"


def formula(lesson: Lesson) -> None:
    """Draw the text and the formula; while a scene trains, with names."""
    said = lesson.formula
    numbers = None
    with show_errors():
        numbers = numbers_of(lesson, said.numbers)
    known = placeholders(said.latex)
    if known and numbers is not None:
        plain = st.segmented_control(
            "Formula", [_NUMBERS, _NAMES], default=_NUMBERS, required=True, label_visibility="collapsed",
            key=session.LEARN_PLAIN(lesson.name).name, width="content",
        ) == _NAMES  # fmt: skip
    else:
        plain = numbers is None
    st.markdown(filled(said.screen.text, numbers) if numbers is not None else _named(said.screen.text))
    with st.container(key="learn_formula"):
        st.latex(_named(said.latex, r"\text{{{}}}") if plain else filled(said.latex, numbers))


def _named(text: str, form: str = "{}") -> str:
    """A text with the name of each number instead of it. form: of a name."""
    return _PLACE.sub(lambda match: form.format(match[1].replace("_", " ")), text)
