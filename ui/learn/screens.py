"""The seven screens of a lesson; its formula, what a learner hands in, and settings to try for real."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from tsk_core.classroom import Completion
from tsk_core.lessons import Lesson, Option, Screen, Trial, distance, filled, placeholders
from ui.data.decisions import decide, decided, key_of, save_decisions
from ui.data.source import DATA, TARGET, UPLOAD
from ui.learn import membership
from ui.learn.charts import Shown, draw_charts
from ui.learn.lesson_list import LEARN_REACHED
from ui.learn.navigation import LEARN_PLAIN, LEARN_PLAYED, LEARN_SEEN, PREDICT, Place, noted, pressed
from ui.learn.prediction import lock, outline, predict_data, verdict
from ui.learn.scenes import ended_scenes, numbers_of, training, truth_of
from ui.live import mount
from ui.page.opening import EXPLORE, open_in_explore
from ui.platform import session
from ui.platform.drawing import note_page, show_errors
from ui.platform.session import Key
from ui.runs import current_run
from ui.settings import page_state, starting
from ui.text import in_markdown

LEARN_DRAWN = Key["tuple[str, int] | None"]("learn_drawn")  # lesson and step that the page last showed
LEARN_REPLAYS = Key[int]("learn_replays", 0)  # how often a training was replayed


# What a learner hands in at the end of a lesson: a small file with this server's signature.


DIGITS = 12  # of the learner's id, enough to tell browsers apart


def completion_button(lesson: Lesson) -> None:
    """The button, once the prediction is locked."""
    if membership.answer_of(lesson.name, "predict") is None:
        return
    completion, secret = _completion(lesson), membership.classroom().secret  # a file is made in a thread without the session
    st.download_button(
        "Download my completion", lambda: completion.to_json(secret),
        f"{lesson.name}-completion.json", "application/json", icon=":material/task_alt:", on_click="ignore",
        help="A file for your teacher: the lesson, your answers and the date, signed by this server. It has no name.",
    )  # fmt: skip


def _completion(lesson: Lesson) -> Completion:
    given = {item: value for item in ("predict", "see") if (value := membership.answer_of(lesson.name, item)) is not None}
    right = lesson.see.options[round(given["see"][0])].right if "see" in given else None
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    off = _distance(lesson, given["predict"])
    return Completion(lesson.name, membership.person()[:DIGITS], given, date, off, right, membership.class_code())


def _distance(lesson: Lesson, value: list[float]) -> float | None:
    """How far the prediction was from what happened, 0 to 1; None while the scenes of the lesson train."""
    said = lesson.predict
    if said.outcome is None:
        return 0.0 if said.options[round(value[0])].right else 1.0
    truth = truth_of(lesson)
    return None if truth is None else round(distance(said, value, truth), 4)


# The formula of a lesson: with the numbers of its trainings, and with their names instead.


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
            key=LEARN_PLAIN(lesson.name).name, width="content",
        ) == _NAMES  # fmt: skip
    else:
        plain = numbers is None
    st.markdown(filled(said.screen.text, numbers) if numbers is not None else _named(said.screen.text))
    with st.container(key="learn_formula"):
        st.latex(_named(said.latex, r"\text{{{}}}") if plain or numbers is None else filled(said.latex, numbers))


def _named(text: str, form: str = "{}") -> str:
    """A text with the name of each number instead of it. form: of a name."""
    return _PLACE.sub(lambda match: form.format(match[1].replace("_", " ")), text)


# Break it: settings of a lesson tried for real, on Explore; or one's own table.


def try_buttons(lesson: Lesson) -> None:
    """A button for each trial, and one for a table of one's own."""
    for number, trial in enumerate(lesson.break_.trials):
        if st.button(in_markdown(trial.label), key=f"learn_try_{number}", icon=":material/science:", width="stretch"):
            _open(lesson, trial)
    own = "Opens Explore, where you choose a file and train on it."
    if st.button("Use your own table", key="learn_own", icon=":material/upload_file:", width="stretch", help=own):
        _open_own()


def _open(lesson: Lesson, trial: Trial) -> None:
    """Set Explore to the trial's dataset, columns, settings and tab, and start its training."""
    one = training(lesson, trial.scene)
    config = replace(one.scene.config, **trial.settings)
    data, target = one.scene.data, one.dataset.target
    key = key_of(f"gallery:{data}", target)
    decide("given", key, dict(one.dataset.choices.roles))
    decide("version", key, decided("version", key, 0) + 1)
    save_decisions()
    session.VIEW.set(trial.tab)
    open_in_explore(config, one.scene.test_size, data={DATA.name: data, TARGET.name: target})


def _open_own() -> None:
    """Show Explore with the way to a file."""
    current_run.close()
    page_state.set_values({DATA.name: UPLOAD})
    starting.hold()
    st.switch_page(EXPLORE, query_params={})


def draw_screen(place: Place, lesson: Lesson) -> None:
    """Draw the screen of a place with its lesson."""
    if place.step > PREDICT and not membership.may_see(lesson.name, place.step):
        st.info("Your prediction is locked. Your teacher shows what happens as soon as all predictions are in.")
        return
    entered = LEARN_DRAWN.get() != (lesson.name, place.step)
    LEARN_DRAWN.set((lesson.name, place.step))
    reached = LEARN_REACHED.get()
    reached[lesson.name] = max(place.step, reached.get(lesson.name, 1))
    if entered and place.screen == "run":
        _replay()
    ended = ended_scenes(lesson)
    with st.container(key="learn_screen"):
        with st.container(key="learn_left"), show_errors():
            shown = _SCREENS[place.screen](lesson)
        note_page(noted(place))  # its controls are drawn
        with st.container(key="learn_right"), show_errors():
            draw_charts(lesson, shown, ended)


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
    key, start = LEARN_PLAYED(lesson.name), said.values[0]
    if said.screen.scene in said.scenes:
        start = said.values[said.scenes.index(said.screen.scene)]
    return st.segmented_control(
        in_markdown(said.label), list(said.values), default=start, required=True, key=key.name, width="content"
    )


def _predict(lesson: Lesson) -> Shown:
    st.markdown(lesson.predict.screen.text)
    locked = membership.answer_of(lesson.name, "predict") is not None
    data = predict_data(lesson)
    mount("predict", key=f"predict:{lesson.name}", calls={"lock": lambda sent: lock(lesson, sent)}, prediction=data)
    if locked:
        with st.container(horizontal=True, vertical_alignment="center", key="learn_locked"):
            st.caption("Locked. Next, see what happens.")
            if not membership.class_code():  # in a class the first prediction counts
                st.button("Predict again", on_click=_forget, args=(lesson.name,), type="tertiary")
    return _shown(lesson.predict.screen)


def _forget(lesson: str) -> None:
    pressed()
    membership.forget_answers(lesson)


def _run(lesson: Lesson) -> Shown:
    st.markdown(lesson.run.text)
    if text := verdict(lesson):
        st.markdown(f"**{in_markdown(text)}**")
    st.button("Run it again", icon=":material/replay:", on_click=_press_replay)
    return _after(lesson, lesson.run, replay=LEARN_REPLAYS.get())


def _see(lesson: Lesson) -> Shown:
    said, key = lesson.see, LEARN_SEEN(lesson.name)
    st.markdown(said.screen.text)
    given = membership.answer_of(lesson.name, "see")
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
    if (chosen := LEARN_SEEN(lesson).get()) is not None:
        membership.lock_answer(lesson, "see", [float(chosen)])


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


def _shown(screen: Screen, **more: Any) -> Shown:
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
    LEARN_REPLAYS.set(LEARN_REPLAYS.get() + 1)


_SCREENS: dict[str, Callable[[Lesson], Shown]] = {
    "question": _question, "play": _play, "predict": _predict, "run": _run, "see": _see, "formula": _formula, "break": _break,
}  # fmt: skip
