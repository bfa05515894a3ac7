"""The charts of a screen: its views, and what the browser follows for them.

The browser shows one run, one comparison, one sweep. While a scene waits or trains, a sentence and a bar stand above the charts.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tsk_core.errors import LessonError
from tsk_core.experiments import sentence, summarise
from tsk_core.jobs import Status
from tsk_core.lessons import Lesson, OutcomeMeasure
from tsk_core.live import Stream
from ui.learn.scenes import SceneTraining, measured, prepare, training
from ui.live import Part, mount, watch
from ui.live.run_subjects import lists_ticket, page_parts, run_ticket
from ui.live.subjects import SLOW, Subject, ticket
from ui.platform.caches import known_lessons
from ui.runs.run_view import RunView
from ui.runs.side_tasks import queued
from ui.sweep.options import Wanted
from ui.sweep.panel import drawn_sweep

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


def draw_charts(lesson: Lesson, shown: Shown, ended: Collection[str]) -> None:
    """Draw them; where a scene is missing, start it and the others of the lesson.

    ended: the scenes that had ended before the words of the screen were drawn, which say what came out.
    """
    prepare(lesson, shown.scenes)
    begun = _begun(lesson, shown)
    if shown.charts and begun:
        views = [_VIEWS.get(name, name) for name in shown.charts]
        with st.container(key=f"learn_charts_{len(views)}"):
            mount(*views, key=f"learn:{'-'.join(views)}", explanations="", **_data(lesson, shown))  # the screen says one thing
    _follow(lesson, shown, {"ended": set(shown.scenes) <= set(ended), "begun": begun})


def _begun(lesson: Lesson, shown: Shown) -> bool:
    """Whether the scenes that are drawn have something to draw; without it charts would have axes of nothing."""
    return all(training(lesson, name).begun for name in (shown.scene, shown.beside) if name)


def _follow(lesson: Lesson, shown: Shown, drawn: dict[str, bool]) -> None:
    """How far scenes are that have not ended, and what the charts need beside the page. drawn: the state of the scenes."""
    if not drawn["ended"]:
        with st.container(key="learn_progress"):
            mount("standing", key="learn_scenes", of=_key(lesson))
    watch(_tickets(lesson, shown), _parts(lesson, shown), {_key(lesson): drawn})


def follow_scenes(lesson: Lesson, scenes: Sequence[str]) -> None:
    """Draw the page again once these have trained; nothing is drawn of them before."""
    one = ticket("scenes", lesson=lesson.name, scenes=list(scenes), drawn=[], sweep="", measure="bca")
    watch([one], drawn={_key(lesson): {"ended": False, "begun": True}})


def _key(lesson: Lesson) -> str:
    """What the scenes of a lesson are called in messages."""
    return f"lesson {lesson.name}"


class ScenesSubject(Subject):
    """Scenes of a lesson until they have trained. drawn: those whose beginning brings charts. sweep: the one drawn as a sweep,
    or "". measure: "bca" or "rca", of the sweep.
    """

    def __init__(self, lesson: str, scenes: Sequence[str], drawn: Sequence[str], sweep: str, measure: str) -> None:
        super().__init__()
        known = known_lessons()[0]
        if lesson not in known:
            raise LessonError(f"There is no lesson {lesson} here any more.")
        self._lesson, self._drawn, self._measure = known[lesson], drawn, measure
        self._trainings = [training(self._lesson, name) for name in scenes]
        self._sweep = training(self._lesson, sweep) if sweep else None

    def look(self) -> float | None:
        """Start what is missing, and say how far it is."""
        for one in self._trainings:
            one.look()
        done = sum(_share(one.status) for one in self._trainings) / max(1, len(self._trainings))
        self.stream.set("standing", {"share": done, "text": _standing(self._trainings)}, _key(self._lesson))
        ended = all(one.ended for one in self._trainings)
        begun = all(training(self._lesson, name).begun for name in self._drawn)
        if self._sweep is not None and self._sweep.plan is not None:
            self.stream.set("sweep", _drawn_sweep(self._sweep, self._measure))
        self.stream.set("state", {"ended": ended, "begun": begun}, _key(self._lesson))
        return None if ended else SLOW


def _standing(trainings: Sequence[SceneTraining]) -> str:
    """Why a scene does not train, else where the first one stands that has not ended; "" where all have."""
    open_ones = [one for one in trainings if not one.ended]
    for one in open_ones:
        if one.error:
            return f"{one.scene.title}: {one.error} It will be tried again in a few seconds."
    return _standing_of(open_ones[0]) if open_ones else ""


def _share(status: Status | None) -> float:
    if status is None or not status.max_epochs:
        return 0.0
    return 1.0 if status.ended else min(1.0, status.epoch / status.max_epochs)


def _standing_of(one: SceneTraining) -> str:
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
        data |= run.samples()
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


def _tickets(lesson: Lesson, shown: Shown) -> list[str]:
    """Of the scenes that train, of the run shown and of the one beside it, with the lists that the charts draw."""
    sweep = shown.scene if "sweep" in shown.charts else ""
    measure = "rca" if shown.outcome is not None and shown.outcome.measure.startswith("rca") else "bca"
    drawn = [name for name in (shown.scene, shown.beside) if name]
    tickets = [ticket("scenes", lesson=lesson.name, scenes=list(shown.scenes), drawn=drawn, sweep=sweep, measure=measure)]
    kinds = tuple(dict.fromkeys(kind for name in shown.charts for kind in _LISTS.get(name, ())))
    for run in _runs(lesson, shown):
        tickets.append(run_ticket(run, watched=False))
        if kinds:
            tickets.append(lists_ticket(run, kinds))
    return tickets


def _runs(lesson: Lesson, shown: Shown) -> list[RunView]:
    """The run of the scene shown and of the one beside it, where they have one."""
    runs = [training(lesson, name).run for name in (shown.scene, shown.beside) if name]
    return [run for run in runs if run is not None]


def _parts(lesson: Lesson, shown: Shown) -> list[Part]:
    """What the page itself says."""
    run, beside = (training(lesson, name).run if name else None for name in (shown.scene, shown.beside))
    title, parts, stream = lesson.scenes[shown.beside].title if shown.beside else "", list[Part](), Stream()
    if run is not None:
        parts = page_parts(run, beside, dark=st.context.theme.type == "dark", label=title)
    stream.set("beside", beside is not None and "plane" in shown.charts)
    stream.set("prediction", shown.outline)
    stream.set("freeze", shown.epoch)
    stream.set("replay", shown.replay if _BY_EPOCH.intersection(shown.charts) else 0)
    return parts + stream.parts()


def _drawn_sweep(one: SceneTraining, measure: str) -> dict[str, Any]:
    """The scores of a scene with ``over``, as the page Sweep draws them."""
    assert one.plan is not None
    wanted = Wanted(one.plan.seeds, "last", measure, "sd", "map", one.plan.equal)
    points = list(one.collected.points.values())
    cells = summarise(one.plan, points, "last", measure)
    text = sentence(one.plan, cells, one.collected.baselines, measure)
    return drawn_sweep(one.plan, points, cells, one.collected.baselines, wanted, text)
