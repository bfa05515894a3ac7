"""The charts of a screen: its views, and the feed that brings them the records of its scenes.

The browser shows one run, one comparison, one sweep. While a scene waits or trains, a sentence and a bar stand above the charts,
and a fragment draws them again at each tick.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tsk_core.experiments import sentence, summarise
from tsk_core.jobs import Status
from tsk_core.lessons import Lesson, OutcomeMeasure
from ui.explore.rules_tab import samples_data
from ui.learn.scenes import SceneTraining, measured, prepare, training
from ui.live import Part, feed, feed_of_session, message, mount
from ui.live.message import run_parts
from ui.platform.drawing import fragment, run_page_if_changed, show_errors
from ui.runs.side_tasks import queued
from ui.sweep.options import Wanted
from ui.sweep.panel import message as sweep_message
from ui.text import in_markdown

TICK = 0.4  # seconds between two looks at a scene that trains
_VIEWS = {"grid": "readable"}  # name in a lesson -> of the view, where it is another
_LISTS = {"plane": ("snapshots",), "hill": ("snapshots",), "grid": ("ruleBases",)}  # chart -> what it draws besides epochs
_BY_EPOCH = {
    "loss",
    "accuracy",
    "gradients",
    "firing",
    "heat",
    "entropy",
    "plane",
    "hill",
    "shares",
}  # that a replay moves


@dataclass(frozen=True)
class Shown:
    """What the charts of a screen show.

    charts: of ``lessons.CHARTS``. scene, beside: names of scenes; "" for none. more: further scenes that the screen waits for.
    epoch: at which the charts stand still, None for the last. rule: of the chart "hill". outline: the prediction. replay: grows
    where the training is to be replayed; 0 for its end. outcome: what was predicted, which the charts "across" and "sweep" draw.
    """

    charts: tuple[str, ...]
    scene: str
    beside: str = ""
    more: tuple[str, ...] = ()
    epoch: int | None = None
    rule: int = 1
    outline: dict[str, Any] | None = None
    replay: int = 0
    outcome: OutcomeMeasure | None = None

    @property
    def scenes(self) -> tuple[str, ...]:
        """All scenes that are needed."""
        return tuple(dict.fromkeys(filter(None, (self.scene, self.beside, *self.more))))


def draw_charts(lesson: Lesson, shown: Shown) -> None:
    """Draw them; where a scene is missing, start it and the others of the lesson."""
    prepare(lesson, shown.scenes)
    if shown.charts and _begun(lesson, shown):
        views = [_VIEWS.get(name, name) for name in shown.charts]
        with st.container(key=f"learn_charts_{len(views)}"):
            mount(*views, key=f"learn:{'-'.join(views)}", explanations="", **_data(lesson, shown))  # the screen says one thing
    _follow(lesson, shown)


def _begun(lesson: Lesson, shown: Shown) -> bool:
    """Whether the scenes that are drawn have something to draw; without it charts would have axes of nothing."""
    return all(training(lesson, name).begun for name in (shown.scene, shown.beside) if name)


def _follow(lesson: Lesson, shown: Shown) -> None:
    """The feed, and how far scenes are that have not ended."""
    trainings = [training(lesson, name) for name in shown.scenes]
    ended, begun = all(one.ended for one in trainings), _begun(lesson, shown)

    def draw() -> None:
        run_page_if_changed()
        with show_errors():
            for one in trainings:
                one.look()
            if not ended and (all(one.ended for one in trainings) or begun != _begun(lesson, shown)):
                st.rerun()  # once: there is something to draw, or the page says what came out
            with st.container(key="learn_progress"):
                if not ended:
                    _progress(trainings)
                feed(_message(lesson, shown))

    fragment(draw, run_every=None if ended else TICK)()


def _progress(trainings: Sequence[SceneTraining]) -> None:
    """One sentence and a bar."""
    open_ones = [one for one in trainings if not one.ended]
    for one in open_ones:
        if one.error:
            st.warning(in_markdown(f"{one.scene.title}: {one.error} It will be tried again in a few seconds."))
            return
    if not open_ones:
        return
    done = sum(_share(one.status) for one in trainings) / len(trainings)
    st.progress(done, text=in_markdown(_standing(open_ones[0])))


def _share(status: Status | None) -> float:
    if status is None or not status.max_epochs:
        return 0.0
    return 1.0 if status.ended else min(1.0, status.epoch / status.max_epochs)


def _standing(one: SceneTraining) -> str:
    """As "“λ = 10”: epoch 12 of 100"."""
    status, name = one.status, one.scene.title
    if status is None or (status.state == "running" and not status.epoch):
        return f"“{name}” is starting."
    if status.state == "queued":
        return f"“{name}” is {queued(status)}." if status.position else f"“{name}” is starting."
    return f"“{name}”: epoch {status.epoch:,} of {status.max_epochs:,}."


def _data(lesson: Lesson, shown: Shown) -> dict[str, Any]:
    """What views need besides the feed."""
    data: dict[str, Any] = {}
    run = training(lesson, shown.scene).run
    if run is not None and {"plane", "hill"} & set(shown.charts):
        data |= samples_data(run)
    if "hill" in shown.charts:
        data["hill"] = {"rule": shown.rule}
    if "across" in shown.charts and shown.outcome is not None:
        data["across"] = _across(lesson, shown.outcome)
    return data


def _across(lesson: Lesson, outcome: OutcomeMeasure) -> dict[str, Any]:
    """One measure at the end of several scenes; without values while one of them trains."""
    said = lesson.predict
    found = measured(lesson, outcome, said)
    values = found if isinstance(found, list) else [found]
    labels = list(said.labels) if len(said.labels) == len(outcome.scenes) else [lesson.scenes[n].title for n in outcome.scenes]
    series = [{"name": said.y or outcome.measure, "values": values if found is not None else [None] * len(labels)}]
    return {"labels": labels, "x": said.x, "y": said.y, "series": series}


def _message(lesson: Lesson, shown: Shown) -> list[Part]:
    """The next message of this session."""
    sent, run = feed_of_session(), training(lesson, shown.scene).run if shown.scene else None
    beside = training(lesson, shown.beside).run if shown.beside else None
    runs = [one for one in (run, beside) if one is not None]
    sent.only(("about", "epochs", *message.KINDS), [one.id for one in runs])
    parts = []
    if run is not None:
        title = lesson.scenes[shown.beside].title if shown.beside else ""
        parts += run_parts(sent, run, beside, dark=st.context.theme.type == "dark", label=title)
        kinds = tuple(dict.fromkeys(kind for name in shown.charts for kind in _LISTS.get(name, ())))
        for one in runs:
            parts += message.parts_of_kinds(sent, one, kinds)
    if "sweep" in shown.charts:
        parts += _sweep(training(lesson, shown.scene), shown.outcome)
    parts.append(sent.value("beside", beside is not None and "plane" in shown.charts))
    parts.append(sent.value("prediction", shown.outline))
    parts.append(sent.value("freeze", shown.epoch))
    parts.append(sent.value("replay", shown.replay if _BY_EPOCH.intersection(shown.charts) else 0))
    return parts


def _sweep(one: SceneTraining, outcome: OutcomeMeasure | None) -> list[Part]:
    """The scores of a scene with ``over``, as the page Sweep draws them."""
    if one.plan is None:
        return []
    measure = "rca" if outcome is not None and outcome.measure.startswith("rca") else "bca"
    wanted = Wanted(one.plan.seeds, "last", measure, "sd", "map", one.plan.equal)
    points = list(one.collected.points.values())
    cells = summarise(one.plan, points, "last", measure)
    text = sentence(one.plan, cells, one.collected.baselines, measure)
    return sweep_message(one.plan, points, cells, one.collected.baselines, wanted, text, None)
