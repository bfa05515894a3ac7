"""The list of lessons: what each is about, how long it takes, and what this visitor did of it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from tsk_core.lessons import Lesson
from tsk_core.numbers import counted
from ui.learn import answers, class_panel
from ui.learn.moving import moving_bars
from ui.learn.place import STEPS, go
from ui.learn.scenes import prepare
from ui.page.open_in_explore import EXPLORE
from ui.platform import session
from ui.platform.errors import show_errors
from ui.platform.lesson_files import known_playlists
from ui.presets import LINK_KEY
from ui.text import in_markdown


def lesson_list(lessons: Mapping[str, Lesson], wrong: Sequence[str], note: str) -> None:
    """Draw it. wrong: a sentence for each file that is no lesson. note: what was wrong with the link."""
    if note:
        st.warning(in_markdown(note))
    if lessons:
        _beginning(list(lessons.values()))
    else:
        st.info("This server has no lessons.")
    class_panel.teacher_row()
    with st.container(horizontal=True, gap="small", key="learn_cards"):
        for number, lesson in enumerate(lessons.values(), start=1):
            _card(number, lesson)
    _playlists()
    for sentence in wrong:
        st.warning(in_markdown(f"A file with a lesson is not shown. {sentence}"))


def _playlists() -> None:
    """The playlists of this server: each opens Explore with its first step."""
    known, wrong = known_playlists()
    if known:
        st.subheader("Playlists", anchor=False)
        st.caption("Settings with notes, one after the other, on Explore.")
    with st.container(horizontal=True, gap="small", key="learn_playlists"):
        for playlist in known.values():
            count = counted(len(playlist.steps), "step")
            label = in_markdown(f"{playlist.title} · {count}")
            if st.button(label, key=f"playlist_{playlist.name}", icon=":material/playlist_play:"):
                st.switch_page(EXPLORE, query_params={LINK_KEY: playlist.name})
    for sentence in wrong:
        st.warning(in_markdown(f"A playlist is not shown. {sentence}"))


def _beginning(lessons: Sequence[Lesson]) -> None:
    """What to do here, the way into the first lesson, and a training that moves."""
    first = next((lesson for lesson in lessons if not _is_done(lesson)), lessons[0])
    prepare(first, filter(None, [first.question.scene]))  # so that it is trained at the first click
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="learn_start"):
        with st.container(gap="small"):
            st.title("Learn", anchor=False)
            st.markdown("**Predict first, then look.** Each lesson asks what a training will do; you answer, and it shows you.")
            label = in_markdown(f"Start: {first.title}")
            st.button(label, type="primary", key="learn_first", on_click=go, args=(first.name, _step(first)))
        with st.container(key="learn_moving"), show_errors():
            moving_bars(lessons)


def _card(number: int, lesson: Lesson) -> None:
    with st.container(border=True, key=f"learn_card_{lesson.name}", gap="xsmall"):
        label = in_markdown(f"{number}. {lesson.title}")
        st.button(label, key=f"learn_open_{lesson.name}", on_click=go, args=(lesson.name, _step(lesson)), width="stretch")
        st.markdown(in_markdown(lesson.sentence))
        st.caption(f"{lesson.minutes} min · {_done(lesson)}")


def _done(lesson: Lesson) -> str:
    """What this visitor did of a lesson."""
    if _is_done(lesson):
        return "done"
    if answers.get(lesson.name, "predict") is not None:
        return "prediction locked"
    reached = session.LEARN_REACHED.get().get(lesson.name, 0)
    return f"step {reached} of {STEPS}" if reached else "not begun"


def _is_done(lesson: Lesson) -> bool:
    return session.LEARN_REACHED.get().get(lesson.name) == STEPS


def _step(lesson: Lesson) -> int:
    """Where a press on the lesson leads: to where the visitor was, or to its beginning."""
    reached = session.LEARN_REACHED.get().get(lesson.name, 1)
    return 1 if reached == STEPS else reached
