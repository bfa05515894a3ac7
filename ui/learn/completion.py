"""What a learner hands in at the end of a lesson: a small file with this server's signature."""

from datetime import UTC, datetime

import streamlit as st

from tsk_core.classroom import Completion
from tsk_core.lessons import Lesson, distance
from ui.learn import answers, membership
from ui.learn.trained import measured

DIGITS = 12  # of the learner's id, enough to tell browsers apart


def completion_button(lesson: Lesson) -> None:
    """The button, once the prediction is locked."""
    if answers.get(lesson.name, "predict") is None:
        return
    completion, secret = _completion(lesson), membership.classroom().secret  # a file is made in a thread without the session
    st.download_button(
        "Download my completion", lambda: completion.to_json(secret),
        f"{lesson.name}-completion.json", "application/json", icon=":material/task_alt:", on_click="ignore",
        help="A file for your teacher: the lesson, your answers and the date, signed by this server. It has no name.",
    )  # fmt: skip


def _completion(lesson: Lesson) -> Completion:
    given = {item: value for item in ("predict", "see") if (value := answers.get(lesson.name, item)) is not None}
    right = lesson.see.options[round(given["see"][0])].right if "see" in given else None
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    off = _distance(lesson, given["predict"])
    return Completion(lesson.name, membership.person()[:DIGITS], given, date, off, right, membership.code())


def _distance(lesson: Lesson, value: list[float]) -> float | None:
    """How far the prediction was from what happened, 0 to 1; None while the scenes of the lesson train."""
    said = lesson.predict
    if said.outcome is None:
        return 0.0 if said.options[round(value[0])].right else 1.0
    truth = measured(lesson, said.outcome, said)
    return None if truth is None else round(distance(said, value, list(truth)), 4)
