"""A class on the page: its code and links, what came in, a picture of it, the reveal."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from tsk_core.classroom import ANSWER_SECONDS, BAND, ClassState, summary
from tsk_core.errors import TSKError
from tsk_core.lessons import Lesson
from tsk_core.numbers import counted
from ui.learn import membership
from ui.learn.handout import handout
from ui.learn.membership import CLASS_CODE, CLASS_MOVES, CLASS_RESUME
from ui.learn.navigation import LEARN_REVEALED, move, pressed
from ui.live import mount, watch
from ui.live.subjects import Subject, ticket
from ui.platform.addresses import link_to, qr_code
from ui.platform.caches import known_lessons
from ui.platform.drawing import show_errors
from ui.platform.session import Key
from ui.platform.visitor import address
from ui.text import in_markdown

CLASS_ENDING = Key[bool]("class_ending", False)  # whether the teacher is asked to confirm the end of the class
CLASS_DRAWN = Key[dict[str, Any]]("class_drawn", make=dict)  # what of the class the page was drawn with; empty without one
CLASS_FIELD = Key[str]("class_field", "")  # the code that was typed


# Links to a class and to a learner's place.


def join_link(code: str) -> str:
    """The address at which learners join a class."""
    return link_to("learn", {membership.CLASS: code})


def continue_elsewhere() -> None:
    """The resume link of this visitor, and what it does."""
    who = membership.person()
    values = {membership.RESUME: membership.classroom().secret.token(who)}
    if code := membership.class_code():
        values[membership.CLASS] = code
    st.markdown("In another browser this link continues with your answers. **Keep it to yourself**: others could answer as you.")
    st.code(link_to("learn", values), language=None, wrap_lines=True)


# What browsers follow of a class: who is here, what came in, where the teacher moved everybody to.


class ClassSubject(Subject):
    """A class as a person in it may know it. lesson: the one whose predictions are counted, or ""."""

    def __init__(self, code: str, person: str, lesson: str) -> None:
        super().__init__()
        self._code, self._person, self._lesson = code, person, known_lessons()[0].get(lesson)

    def look(self) -> float | None:
        """Note that the person is here, and say what is new; None once the class has ended."""
        state = membership.look(self._code, self._person)
        self.stream.set("state", seen(state, self._person), f"class {self._code}")
        if state is None:
            return None
        if state.teacher == self._person:
            standing: dict[str, Any] = {"share": None, "text": here_text(state, self._lesson)}
            if self._lesson is not None:
                answers = membership.classroom().of_class(self._code, self._lesson.name, "predict", self._person)
                standing["lines"] = class_lines(self._lesson, answers)
            self.stream.set("standing", standing, f"class {self._code}")
        return LOOK


def seen(state: ClassState | None, person: str) -> dict[str, Any]:
    """What of the class the page is drawn with. A teacher also sees predictions come in that are revealed."""
    if state is None:
        return {"class": ""}
    came = sum(state.answered.get((name, "predict"), 0) for name in state.revealed) if state.teacher == person else 0
    return {"class": state.code, "moves": state.moves, "revealed": " ".join(sorted(state.revealed)), "came": came}


def here_text(state: ClassState, lesson: Lesson | None) -> str:
    """How many are here, and how many predictions are in."""
    if lesson is None:
        return f"{state.here} here"
    count = state.answered.get((lesson.name, "predict"), 0)
    return f"{state.here} here · {count} {'prediction is' if count == 1 else 'predictions are'} in"


def class_lines(lesson: Lesson, answers: list[list[float]]) -> list[dict[str, Any]]:
    """What a class predicted, without names: a bar for each option, or a median with its band; a sentence where nothing is in."""
    said = lesson.predict
    size = len(said.options) if said.kind == "choice" else said.size
    found = summary(said.kind, answers, size, said.low, said.high)
    if not found.n:
        return [_line("No prediction is in yet.")]
    if said.kind == "choice":
        return [
            _line(f"{option.text} · {count}", count / found.n)
            for option, count in zip(said.options, found.counts, strict=True)
        ]  # fmt: skip
    if said.kind == "region":
        cells, many = sum(found.share) / len(found.share), found.n != 1
        covered = f"{found.n} region{'s cover' if many else ' covers'} {cells:.0%} of the plane{' on average' * many}."
        return [_line(f"{covered} The chart shows each cell's share from step 4 on.")]
    lines = [_line(f"{counted(found.n, 'prediction')}: the median, and where the middle {BAND[1] - BAND[0]}% lie.")]
    for label, *numbers in zip(said.labels, found.low, found.median, found.high, strict=True):
        low, middle, high = (f"{number:.3g}" for number in numbers)
        share = (numbers[1] - said.low) / (said.high - said.low)
        lines.append(_line(f"{label} · {middle} ({low} to {high})", min(max(share, 0.0), 1.0)))
    return lines


def _line(text: str, share: float | None = None) -> dict[str, Any]:
    return {"text": text, "bold": False, "share": share}


LOOK = 0.5  # seconds between two looks at the class; a reveal reaches everybody within two of them
_STYLE = Path(__file__).with_name("class.css")


def class_panel(lesson: Lesson | None, step: int) -> None:
    """The strip of the class that was joined, or that this visitor teaches; nothing otherwise."""
    with st.container():  # also when it is empty: Streamlit would build everything below again if its position changed
        _panel(lesson, step)


def _panel(lesson: Lesson | None, step: int) -> None:
    membership.person()
    code = membership.class_code()
    if note := membership.noted():
        st.warning(in_markdown(note))
    if CLASS_RESUME.get():
        _ask_whether_to_continue()
    state = membership.class_state() if code else None
    CLASS_DRAWN.set(seen(state, membership.person()) if state else {})
    if state is None:
        return
    if st.query_params.get(membership.CLASS) != code:
        st.query_params[membership.CLASS] = code  # so that a reload stays in the class
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="class_strip"):
        if membership.teaches():
            _teacher(state, lesson, step)
        else:
            _follow_moves(state)
            _learner(state, lesson)


def follow_class(lesson: Lesson | None) -> None:
    """Let the browser follow the class: the page is drawn again when the teacher reveals or moves on."""
    code = CLASS_CODE.get()
    if not code:
        return
    one = ticket("class", code=code, person=membership.person(), lesson=lesson.name if lesson else "")
    watch([one], drawn={f"class {code}": CLASS_DRAWN.get()}, key="class_watch")


def teacher_row() -> None:
    """On the list of lessons: start a class, join one, print a handout, continue elsewhere."""
    with show_errors(), st.container(horizontal=True, vertical_alignment="center", gap="small", key="class_row"):
        # A container of its own, so that the boxes after it keep their places: Streamlit would leave another one open.
        with st.container(horizontal=True, gap="small", width="content", key="class_ways_in"):
            if not membership.class_code():
                _ways_in()
        with st.popover("Handouts", icon=":material/print:", key="class_handouts"):
            _handouts()
        with st.popover("Continue elsewhere", icon=":material/devices:", key="class_continue"):
            continue_elsewhere()


def _ways_in() -> None:
    """For who is in no class: join one, start one."""
    with st.popover("Join a class", icon=":material/group_add:"):
        st.text_input("Class code", key=CLASS_FIELD.name, max_chars=20, placeholder="AB3CD", on_change=_join_typed)
        st.button("Join", key="class_join", on_click=_join_typed)
    with st.popover("For the teacher", icon=":material/school:"):
        st.markdown("A class has a code. Learners join without an account, and you see their predictions without names.")
        st.button("Start a class", key="class_start", on_click=_start)
        for code in membership.classroom().classes_of(membership.person()):
            st.button(f"Continue class {code}", key=f"class_open_{code}", on_click=_join, args=(code,))


def _handouts() -> None:
    st.markdown("One sheet of A4 for each lesson, with axes to draw on and blanks to fill in. Open it and print it.")
    for lesson in known_lessons()[0].values():
        st.download_button(
            in_markdown(lesson.title), partial(handout, lesson), f"{lesson.name}-handout.html", "text/html",
            key=f"handout_{lesson.name}", on_click="ignore", width="stretch",
        )  # fmt: skip


def _teacher(state: ClassState, lesson: Lesson | None, step: int) -> None:
    st.markdown(f"# {state.code}", width="content")
    with st.popover("Code on the wall", icon=":material/qr_code:"):
        link = join_link(state.code)
        with st.container(key="class_wall"):
            st.markdown(f"# {state.code}", text_alignment="center")
            st.image(qr_code(link), width=280, alt="QR code of the address below")
        st.code(link, language=None, wrap_lines=True)
        days = ANSWER_SECONDS // 86_400
        kept = f"Each learner keeps a copy of their own for {days} days after each answer."
        st.caption(f"Ending it deletes its code and its answers. {kept}")
        if CLASS_ENDING.get():
            st.button("Delete the code and all answers", key="class_end", type="primary", on_click=_change, args=(_end,))
            st.button("Keep the class", key="class_keep", on_click=CLASS_ENDING.set, args=(False,))
        else:
            st.button("End this class", key="class_ask_end", on_click=CLASS_ENDING.set, args=(True,))
    _counts(state.code, lesson)
    if lesson is None:
        return
    shown = lesson.name in state.revealed
    label, icon = ("Hide", ":material/visibility_off:") if shown else ("Reveal", ":material/visibility:")
    st.button(
        label, key="class_reveal", icon=icon, type="secondary" if shown else "primary", on_click=_change,
        args=(_reveal, lesson.name, not shown),
        help="Everybody with a prediction sees what happens, and what the class predicted." if not shown else None,
    )  # fmt: skip
    label = f"Move everybody to step {step}"
    st.button(label, key="class_move", icon=":material/moving:", on_click=_change, args=(_move, lesson.name, step))


def _counts(code: str, lesson: Lesson | None) -> None:
    """How many are here and how many predictions are in, drawn by the browser; the predictions in a box."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="class_counts"):
        mount("standing", key="class_standing", of=f"class {code}", part="text")
        if lesson is not None:
            with st.popover("Predictions", icon=":material/bar_chart:", key="class_predictions"):
                mount("standing", key="class_lines", of=f"class {code}", part="lines")


def _learner(state: ClassState, lesson: Lesson | None) -> None:
    st.caption(f"Class {state.code} · {_waiting(state, lesson)}", width="content")
    with st.popover("My class", icon=":material/group:"):
        continue_elsewhere()
        st.button("Leave this class", key="class_leave", on_click=_leave)


def _waiting(state: ClassState, lesson: Lesson | None) -> str:
    if lesson is None:
        return "your teacher sees how many predictions are in, not whose."
    if lesson.name in state.revealed:
        return "what happens is shown."
    return "your teacher shows what happens once all have predicted."


def _follow_moves(state: ClassState) -> None:
    """Go to where the teacher moved everybody."""
    if state.moves != CLASS_MOVES.get():
        CLASS_MOVES.set(state.moves)
        if state.lesson:
            move(state.lesson, state.step)
            st.rerun()


def _ask_whether_to_continue() -> None:
    """A resume link was opened where somebody has answers, or teaches a class."""
    st.warning("This link continues as another learner. Answers and classes of this browser stay with who you are now.")
    with st.container(horizontal=True, key="class_resume_answers"):
        st.button("Continue as the other learner", on_click=membership.answer_resume_link, args=(True,))
        st.button("Stay who I am", type="primary", on_click=membership.answer_resume_link, args=(False,))


# Presses.


def _start() -> None:
    pressed()
    try:
        membership.join(membership.classroom().start(membership.own_person(), address()))
    except TSKError as error:
        membership.note_failure(str(error))


def _join(code: str) -> None:
    pressed()
    membership.join(code)


def _leave() -> None:
    pressed()
    membership.leave()


def _join_typed() -> None:
    pressed()
    if typed := CLASS_FIELD.get():
        CLASS_FIELD.set("")
        membership.join(typed)


def _change(change: Callable[..., None], *args: object) -> None:
    """Change the class that is taught; the classroom checks that it is."""
    pressed()
    code = membership.class_code()
    try:
        change(code, *args)
    except TSKError as error:
        membership.note_failure(str(error))
    membership.look_again(code)


def _reveal(code: str, lesson: str, shown: bool) -> None:
    if shown:
        LEARN_REVEALED.get().add(lesson)  # the teacher goes on without a prediction
    membership.classroom().reveal(code, lesson, membership.person(), shown)


def _move(code: str, lesson: str, step: int) -> None:
    membership.classroom().move(code, lesson, step, membership.person())


def _end(code: str) -> None:
    CLASS_ENDING.set(False)
    membership.classroom().end(code, membership.person())
    membership.leave()
