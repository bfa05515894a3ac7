"""The trainings of lessons: each runs once per server, at its first need, and every visitor sees its records.

They are ordinary runs and sweeps. The owner of each is the scene itself, so that the quotas of visitors do not count them and no
visitor can stop them; a server that starts again finds them in the store. No page waits for one: it looks where it stands.
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from functools import partial

from tsk_core.data import Dataset
from tsk_core.errors import TSKError
from tsk_core.experiments import Plan, most_training_rows, parse_axis, sweep_plan
from tsk_core.jobs import Status
from tsk_core.lessons import Lesson, OutcomeMeasure, Prediction, Scene, Trained, outcome_of, scene_dataset
from tsk_core.runs import Record, read_json, same_dataset
from tsk_core.settings import SETTINGS
from tsk_core.tasks import PLAN, Experiment
from ui.experiments.runs import Collected, read
from ui.platform.engine import get_engine
from ui.platform.turns import YieldingLock, release_page_lock
from ui.runs.run_view import RunView

PATIENCE = 20.0  # seconds until a scene that failed, or was refused, is tried again
_NOT_WHOLE = ("failed", "interrupted", "stopped")  # states of runs that do not show the scene: it is trained again
_trainings: dict[tuple[str, str, str], "SceneTraining"] = {}
_lock = threading.Lock()


class SceneTraining:
    """The training of one scene, shared by all sessions; ``look`` brings it up to date.

    status: None while it was not accepted. run: of a scene without ``over``. plan, collected: of one with it. error: why there is
    nothing to show, in one sentence.
    """

    def __init__(self, owner: str, scene: Scene) -> None:
        self.owner, self.scene = owner, scene
        self.status: Status | None = None
        self.run: RunView | None = None
        self.plan: Plan | None = None
        self.collected = Collected()
        self.error = ""
        self._dataset: Dataset | None = None
        self._place: tuple[str, int, int] | None = None
        self._retry = 0.0
        self._busy = YieldingLock()

    @property
    def ended(self) -> bool:
        """Whether nothing more comes: it trained to its end."""
        return self.status is not None and self.status.ended and not self.error

    @property
    def begun(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.collected.points or (self.run is not None and self.run.history))

    @property
    def dataset(self) -> Dataset:
        """The scene's table; once it was looked at."""
        if self._dataset is None:
            release_page_lock()  # reading a table takes its time
            self._dataset = scene_dataset(self.scene)
        return self._dataset

    def look(self) -> "SceneTraining":
        """Find the training or start it, and fetch what is new of it."""
        if self.ended:
            return self
        with self._busy:
            try:
                if self.status is None or self.error:
                    self._begin()
                else:
                    self._refresh(self.status.run)
            except TSKError as error:  # refused, or deleted meanwhile
                self._fail(str(error))
        return self

    def _begin(self) -> None:
        if time.monotonic() < self._retry:
            return
        release_page_lock()  # the store is asked, and perhaps a model read
        self.status, self.run, self.error = None, None, ""
        if self.scene.over is not None and self.plan is None:
            self.plan = _plan_of(self.scene, self.dataset)
        run = self._found() or self._submitted()
        if self.plan is None:
            self.run = RunView.load(run, "")
            self.run.chosen = self.dataset
        self._refresh(run)

    def _refresh(self, run: str) -> None:
        engine = get_engine()
        if self.run is not None:
            self.run.refresh()
            status, error = self.run.status, self.run.error
        else:
            status = engine.status(run)
            self._place = read(self.collected, status, self._place)
            error = status.message if status.ended and not self.collected.points else ""
        if error or status.state in _NOT_WHOLE:
            self._fail(error or "The training of this scene ended early.")
        self.status = status

    def _fail(self, sentence: str) -> None:
        self.error, self._retry = sentence, time.monotonic() + PATIENCE

    def _found(self) -> str | None:
        """The newest run of this scene with these settings on these data that trained to its end, or still may."""
        store, kind = get_engine().store, "training" if self.plan is None else self.plan.kind
        for record in store.ledger.records(self.owner, task=kind):
            with suppress(TSKError):  # deleted meanwhile, or not readable
                if record.state not in _NOT_WHOLE and self._fits(record):
                    return record.id
        return None

    def _fits(self, record: Record) -> bool:
        folder = get_engine().store.open(record.id)
        about = folder.about()
        if not same_dataset(self.dataset, about["dataset"]) or about["test_size"] != self.scene.test_size:
            return False
        if self.plan is None:
            return folder.config() == self.scene.config
        return read_json(folder.path / PLAN).get("plan") == json.loads(json.dumps(self.plan.to_dict()))

    def _submitted(self) -> str:
        engine = get_engine()
        if self.plan is None:
            return engine.submit(self.scene.config, self.dataset, self.owner, self.scene.test_size)
        return engine.submit_task(Experiment(self.plan, self.dataset), self.owner, background=True)


def training(lesson: Lesson, name: str) -> SceneTraining:
    """The training of a scene of a lesson, by its name, as last looked at."""
    scene = lesson.scenes[name]
    owner = f"lesson:{lesson.name}:{name}"
    key = str(get_engine().store.folder), owner, repr(scene)
    with _lock:
        if key not in _trainings:
            for other in [other for other in _trainings if other[:2] == key[:2]]:  # of an earlier version of the lesson
                del _trainings[other]
            _trainings[key] = SceneTraining(owner, scene)
        return _trainings[key]


def prepare(lesson: Lesson, first: Iterable[str]) -> None:
    """Start the trainings of a lesson: ``first`` those that are needed now, then the others."""
    for name in dict.fromkeys([*first, *lesson.scenes]):
        one = training(lesson, name)
        if one.status is None:
            one.look()


def _plan_of(scene: Scene, dataset: Dataset) -> Plan:
    """The sweep of a scene with ``over``."""
    assert scene.over is not None
    setting, values = scene.over
    axis = parse_axis(f"{SETTINGS[setting].key}={','.join(map(repr, values))}")
    rows_of = partial(most_training_rows, dataset)
    return sweep_plan([axis], scene.config, rows_of, seeds=scene.seeds, test_size=scene.test_size)


# A scene's training as ``tsk_core.lessons.outcomes`` measures it.


OutcomeValue = float | list[float]
KEPT = 500  # measured values that the server remembers
_known: OrderedDict[Hashable, OutcomeValue] = OrderedDict()
_measuring = YieldingLock()


def ended_scenes(lesson: Lesson) -> set[str]:
    """The names of the scenes that are trained to their end."""
    return {name for name in lesson.scenes if training(lesson, name).ended}


def measured(lesson: Lesson, outcome: OutcomeMeasure, prediction: Prediction | None = None) -> OutcomeValue | None:
    """What the outcome turned out to be; None while one of its scenes trains. Measured once for all sessions."""
    trainings = {name: training(lesson, name) for name in outcome.scenes}
    if not all(one.ended for one in trainings.values()):
        return None
    key = tuple(one.status.run for one in trainings.values() if one.status is not None), repr(outcome), repr(prediction)
    if (known := _known.get(key)) is not None:
        return known
    with _measuring:
        if (known := _known.get(key)) is not None:  # another session measured it meanwhile
            return known
        release_page_lock()  # a region is predicted cell by cell, rules are counted on all rows
        value = outcome_of(outcome, {name: _trained(one) for name, one in trainings.items()}, prediction)
        _known[key] = value
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return value


def numbers_of(lesson: Lesson, outcomes: Mapping[str, OutcomeMeasure]) -> dict[str, float] | None:
    """The numbers of a formula; None while one of its scenes trains."""
    found = {name: measured(lesson, outcome) for name, outcome in outcomes.items()}
    known = {name: value for name, value in found.items() if value is not None}
    if len(known) < len(found):
        return None
    return {name: float(value[0] if isinstance(value, list) else value) for name, value in known.items()}


def truth_of(lesson: Lesson) -> list[float] | None:
    """What the outcome of the lesson's prediction turned out to be, in its shape; None for a choice, and while a scene trains."""
    said = lesson.predict
    found = None if said.outcome is None else measured(lesson, said.outcome, said)
    return found if isinstance(found, list) else None


def _trained(one: SceneTraining) -> Trained:
    if one.run is None:
        return Trained(one.scene, (), scores=scores_by_value(one))
    return Trained(one.scene, one.run.history, one.run.trained.classifier)


def scores_by_value(one: SceneTraining) -> dict[float, list[tuple[float, float]]]:
    """Value of a sweep -> RCA and BCA of each seed, in the order of the seeds."""
    assert one.scene.over is not None and one.plan is not None
    (_, values), variants = one.scene.over, one.plan.variants
    by_variant: dict[int, list[tuple[float, float]]] = {at: [] for at in range(len(variants))}
    for _, point in sorted(one.collected.points.items()):
        by_variant[point["variant"]].append(tuple(point["scores"]["last"]))
    return dict(zip(sorted(values), by_variant.values(), strict=True))
