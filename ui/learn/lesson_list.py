"""The list of lessons: what each is about, what this visitor did of it, and a recorded training that moves."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from tsk_core.lessons import Lesson
from tsk_core.numbers import counted
from ui.learn import class_panel, membership
from ui.learn.charts import follow_scenes
from ui.learn.navigation import STEPS, go
from ui.learn.scenes import prepare, training
from ui.page.opening import EXPLORE
from ui.platform.caches import known_playlists, once_per_server
from ui.platform.drawing import show_errors
from ui.platform.session import Key
from ui.presets import LINK_KEY
from ui.runs.run_view import RunView
from ui.text import in_markdown

LEARN_REACHED = Key[dict[str, int]]("learn_reached", make=dict)  # lesson -> its furthest step that was shown


# What moves on the list of lessons before the first click: the firing levels of a recorded training, as bars.
#
# The drawing is made once; the browser animates it by itself, not for those who prefer reduced motion, and a button pauses it.


_WIDTH, _HEIGHT, _STEPS, _SECONDS = 320, 120, 24, 6.0
_MOST = 12  # bars

_component = st.components.v2.component(
    "tsk_moving",
    js="""
export default function ({ data, parentElement }) {
  const place = document.createElement("div"), button = document.createElement("button");
  const show = () => { button.textContent = place.classList.contains("still") ? "Play" : "Pause"; };
  place.innerHTML = data.svg;
  button.onclick = () => { place.classList.toggle("still"); show(); };
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) place.append(button);
  parentElement.append(place);
  show();
  return () => place.remove();
}
""",
    css="""
button, svg { display: block; max-width: 100%; height: auto; }
rect.bar { transform-box: fill-box; transform-origin: bottom; animation-iteration-count: infinite; }
button {
  font: inherit; font-size: 0.8rem; color: inherit; background: transparent; border: 1px solid var(--st-border-color, #8888);
  border-radius: var(--st-base-radius, 0.5rem); min-height: 1.5rem; padding: 0 0.5rem; cursor: pointer;
}
button:focus-visible { outline: 2px solid var(--st-primary-color, #005a9c); outline-offset: 1px; }
.still rect.bar { animation-play-state: paused; }
@media (prefers-reduced-motion: reduce) { rect.bar { animation: none !important; } }
""",
)
_LETTERS = (  # with a rim, since they stand over bars
    'fill="currentColor" font-size="11" paint-order="stroke" stroke="var(--st-background-color, #fff)" stroke-width="4"'
    ' stroke-linejoin="round"'
)


def moving_bars(lessons: Sequence[Lesson]) -> None:
    """Draw it; until its training has ended, the browser follows that."""
    lesson, scene = _chosen(lessons)
    prepare(lesson, [scene])
    one = training(lesson, scene)
    if one.ended and one.run is not None:
        _draw(one.run)
    else:
        st.caption("The first training is being prepared…")
        follow_scenes(lesson, [scene])


def _draw(run: RunView) -> None:
    epochs, R = run.history[-1].epoch, run.config.n_rules
    _component(key="moving_bars", data={"svg": _drawn(tuple(map(tuple, _levels(run))), R)})
    st.caption(f"A training of {epochs} epochs, over and over: the average firing level of {_which(R)}.")


def _which(R: int) -> str:
    return "each rule" if R <= _MOST else f"the first {_MOST} of {R} rules"


def _chosen(lessons: Sequence[Lesson]) -> tuple[Lesson, str]:
    """The first scene whose firing levels a lesson shows; else the first scene that is one training."""
    for lesson in lessons:
        for screen in (lesson.question, lesson.run, lesson.play.screen):
            if screen.scene and "firing" in screen.charts and lesson.scenes[screen.scene].over is None:
                return lesson, screen.scene
    lesson = lessons[0]
    return lesson, next((name for name, scene in lesson.scenes.items() if scene.over is None), next(iter(lesson.scenes)))


def _levels(view: RunView) -> list[list[float]]:
    """The average firing levels at some epochs: before training, then evenly spread ones."""
    epochs = [epoch for epoch in view.history if epoch.firing is not None]
    picked = [epochs[at] for at in np.unique(np.linspace(0, len(epochs) - 1, _STEPS - 1).astype(int))]
    first = [] if epochs[0].initial_firing is None else [epochs[0].initial_firing]
    return [np.asarray(levels, float)[:_MOST].round(4).tolist() for levels in (*first, *(epoch.firing for epoch in picked))]


@once_per_server(entries=2)
def _drawn(levels: tuple[tuple[float, ...], ...], R: int) -> str:
    """The drawing: a bar for each rule, whose height follows its levels; at rest it has the last one. R: all rules."""
    most, rules = max(1 / R, *(max(row) for row in levels)), len(levels[0])
    width, styles, bars = _WIDTH / rules, [], []
    for rule in range(rules):
        heights = [row[rule] / most for row in levels]
        frames = "".join(f"{at:.1f}%{{transform:scaleY({height:.3f})}}" for at, height in _times(heights))
        styles.append(f"@keyframes rule{rule}{{{frames}}}")
        style = f"animation-name:rule{rule};animation-duration:{_SECONDS}s;transform:scaleY({heights[-1]:.3f})"
        place = f'x="{rule * width + 3:.1f}" y="0" width="{width - 6:.1f}" height="{_HEIGHT}"'
        bars.append(f'<rect class="bar" {place} rx="2" fill="var(--st-primary-color, #005a9c)" style="{style}"/>')
    equal = _HEIGHT * (1 - 1 / R / most)
    line = f'<line x1="0" x2="{_WIDTH}" y1="{equal:.1f}" y2="{equal:.1f}" stroke="currentColor" stroke-dasharray="4 4"/>'
    name = f'<text x="{_WIDTH}" y="{equal - 4:.1f}" text-anchor="end" {_LETTERS}>1/R: equal shares</text>'
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    title = f"The average firing level of {_which(R)} while they train"
    parts = "".join([f"<style>{''.join(styles)}</style>", *bars, line, name])
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" {size}>{parts}</svg>'


def _times(heights: Sequence[float]) -> list[tuple[float, float]]:
    """Percent of the animation and height: the levels over three quarters of the time, then the last one stands."""
    return [*((75 * at / (len(heights) - 1), height) for at, height in enumerate(heights)), (100.0, heights[-1])]


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
    if membership.answer_of(lesson.name, "predict") is not None:
        return "prediction locked"
    reached = LEARN_REACHED.get().get(lesson.name, 0)
    return f"step {reached} of {STEPS}" if reached else "not begun"


def _is_done(lesson: Lesson) -> bool:
    return LEARN_REACHED.get().get(lesson.name) == STEPS


def _step(lesson: Lesson) -> int:
    """Where a press on the lesson leads: to where the visitor was, or to its beginning."""
    reached = LEARN_REACHED.get().get(lesson.name, 1)
    return 1 if reached == STEPS else reached
