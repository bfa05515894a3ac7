"""The seven screens of a lesson: a text and what belongs to it at the left, charts at the right."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from tsk_core.lessons import Lesson, Option, Screen
from ui.learn import answers, membership
from ui.learn.charts import Shown, draw_charts
from ui.learn.completion import completion_button
from ui.learn.formula import formula
from ui.learn.place import PREDICT, Place, noted, pressed
from ui.learn.prediction import lock, outline, predict_data, verdict
from ui.learn.try_it import try_buttons
from ui.live import mount
from ui.platform import session
from ui.platform.errors import show_errors
from ui.platform.fragments import note_page
from ui.text import in_markdown


def draw_screen(place: Place) -> None:
    """Draw the screen of a place that has a lesson."""
    if place.step > PREDICT and not answers.may_see(place.lesson.name, place.step):
        st.info("Your prediction is locked. Your teacher shows what happens as soon as all predictions are in.")
        return
    entered = session.LEARN_DRAWN.get() != (place.lesson.name, place.step)
    session.LEARN_DRAWN.set((place.lesson.name, place.step))
    reached = session.LEARN_REACHED.get()
    reached[place.lesson.name] = max(place.step, reached.get(place.lesson.name, 1))
    if entered and place.screen == "run":
        _replay()
    with st.container(key="learn_screen"):
        with st.container(key="learn_left"), show_errors():
            shown = _SCREENS[place.screen](place.lesson)
        note_page(noted(place))  # its controls are drawn
        with st.container(key="learn_right"), show_errors():
            draw_charts(place.lesson, shown)


def _question(lesson: Lesson) -> Shown:
    st.markdown(lesson.question.text)
    return _shown(lesson.question)


def _play(lesson: Lesson) -> Shown:
    said = lesson.play
    st.markdown(said.screen.text)
    value = _control(lesson)
    shown = _shown(said.screen)
    if said.setting == "rule":
        return replace(shown, rule=int(value))
    if said.setting == "epoch":
        return replace(shown, epoch=int(value))
    return replace(shown, scene=said.scenes[said.values.index(value)])


def _control(lesson: Lesson) -> float | str:
    """The one control of free play; returns its value."""
    said = lesson.play
    key, start = session.LEARN_PLAYED(lesson.name), said.values[0]
    if said.screen.scene in said.scenes:
        start = said.values[said.scenes.index(said.screen.scene)]
    return st.segmented_control(
        in_markdown(said.label), list(said.values), default=start, required=True, key=key.name, width="content"
    )


def _predict(lesson: Lesson) -> Shown:
    st.markdown(lesson.predict.screen.text)
    locked = answers.get(lesson.name, "predict") is not None
    data = predict_data(lesson)
    mount("predict", key=f"predict:{lesson.name}", calls={"lock": lambda sent: lock(lesson, sent)}, prediction=data)
    if locked:
        with st.container(horizontal=True, vertical_alignment="center", key="learn_locked"):
            st.caption("Locked. Next, see what happens.")
            if not membership.code():  # in a class the first prediction counts
                st.button("Predict again", on_click=_forget, args=(lesson.name,), type="tertiary")
    return _shown(lesson.predict.screen)


def _forget(lesson: str) -> None:
    pressed()
    answers.forget(lesson)


def _run(lesson: Lesson) -> Shown:
    st.markdown(lesson.run.text)
    if text := verdict(lesson):
        st.markdown(f"**{in_markdown(text)}**")
    st.button("Run it again", icon=":material/replay:", on_click=_press_replay)
    return _after(lesson, lesson.run, replay=session.LEARN_REPLAYS.get())


def _see(lesson: Lesson) -> Shown:
    said, key = lesson.see, session.LEARN_SEEN(lesson.name)
    st.markdown(said.screen.text)
    given = answers.get(lesson.name, "see")
    if given is None:
        texts = [in_markdown(option.text) for option in said.options]
        named, numbers = texts.__getitem__, range(len(texts))
        chosen = st.radio("Your answer", numbers, None, named, key=key.name, label_visibility="collapsed")
        st.button("Answer", type="primary", disabled=chosen is None, on_click=_answer, args=(lesson.name,))
    else:
        _answered(said.options, round(given[0]))
    return _after(lesson, said.screen)


def _answer(lesson: str) -> None:
    """The option that is chosen now, which may be another one than the page was drawn with."""
    pressed()
    if (chosen := session.LEARN_SEEN(lesson).get()) is not None:
        answers.lock(lesson, "see", [float(chosen)])


def _answered(options: Sequence[Option], chosen: int) -> None:
    """The answer, whether it is right, and why."""
    option, right = options[chosen], next(option for option in options if option.right)
    said = st.success if option.right else st.info
    said(in_markdown(f"{'Right' if option.right else 'Not quite'}: {option.text}"))
    if option.why:
        st.markdown(_why(option))
    if not option.right:
        st.markdown(f"**{in_markdown(right.text)}** {_why(right)}")


def _why(option: Option) -> str:
    """Why, without the word that stands above it."""
    why = option.why.removeprefix("Right. ").removeprefix("Right: ")
    return why[:1].upper() + why[1:]


def _formula(lesson: Lesson) -> Shown:
    formula(lesson)
    needed = [name for outcome in lesson.formula.numbers.values() for name in outcome.scenes]
    return _after(lesson, lesson.formula.screen, more=tuple(needed))


def _break(lesson: Lesson) -> Shown:
    st.markdown(lesson.break_.screen.text)
    try_buttons(lesson)
    completion_button(lesson)
    return _after(lesson, lesson.break_.screen)


def _shown(screen: Screen, **more: object) -> Shown:
    return Shown(screen.charts, screen.scene, screen.beside, epoch=screen.epoch, rule=screen.rule, **more)


def _after(lesson: Lesson, screen: Screen, more: tuple[str, ...] = (), replay: int = 0) -> Shown:
    """A screen that shows the outcome, with the prediction as an outline."""
    outcome = lesson.predict.outcome
    needed = (*more, *(outcome.scenes if outcome is not None else ()))
    return _shown(screen, more=needed, outline=outline(lesson), replay=replay, outcome=outcome)


def _press_replay() -> None:
    pressed()
    _replay()


def _replay() -> None:
    session.LEARN_REPLAYS.set(session.LEARN_REPLAYS.get() + 1)


_SCREENS: dict[str, Callable[[Lesson], Shown]] = {
    "question": _question, "play": _play, "predict": _predict, "run": _run, "see": _see, "formula": _formula, "break": _break,
}  # fmt: skip
