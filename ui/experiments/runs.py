"""Experiments of this browser: started, found again by their plan and their table, and their records merged."""

import hashlib
import json
import secrets
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from tsk_core.experiments import CURVES, Plan
from tsk_core.jobs import Status
from tsk_core.runs import Record, read_json
from tsk_core.tasks import EXPERIMENT, PLAN
from ui.platform.caches import table_key
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.runs import side_tasks
from ui.runs.current_run import OPENED_RUN
from ui.text import in_file_name, in_markdown

EXPERIMENTS = Key[dict[Hashable, "str | None"]]("experiments", make=dict)  # plan and table -> its run
EXPERIMENT_POINTS = Key[dict[Hashable, Any]]("experiment_points", make=dict)


# The records of an experiment merged: its points by number, and the curves of trainings that have no point yet.
#
# An experiment that lost its worker, or that is continued, sends its records again from the first: nothing that is known is lost
# by that, and nothing is counted twice. This is the only place that knows it; the browser takes each entry of ``log`` as it
# comes.


ExperimentRecord = Mapping[str, Any]  # of the series "experiment"


class Collected:
    """What is known of an experiment.

    points: number of a training -> its record. baselines: of a sweep. log: what the records said that was new, in their order: an
    epoch of some trainings, each following the one before it, or a point. version: of this log, told apart from any other.
    """

    def __init__(self) -> None:
        self.points: dict[int, dict[str, Any]] = {}
        self.baselines: dict[str, Any] = {}
        self.log: list[ExperimentRecord] = []
        self.version = secrets.token_hex(4)
        self._epochs: dict[int, int] = {}  # number of a training -> how many epochs of it are known

    def add(self, record: ExperimentRecord) -> None:
        """Take a record in; does nothing where it says nothing new."""
        if "point" in record:
            self._add_point(record)
        elif "at" in record:
            self._add_epoch(record)
        else:
            self.baselines = record.get("baselines", self.baselines)

    def entry(self, record: ExperimentRecord) -> ExperimentRecord | None:
        """A record of the log as the browser needs it now: without trainings whose point has their curves; None if all have."""
        if "point" in record:
            return record
        places = [place for place, number in enumerate(record["at"]) if number not in self.points]
        return _only(record, places) if places else None

    def _add_point(self, record: ExperimentRecord) -> None:
        number = record["point"]
        if number not in self.points:
            self.points[number] = dict(record)
            self.log.append(record)

    def _add_epoch(self, record: ExperimentRecord) -> None:
        places = [place for place, number in enumerate(record["at"]) if self._lacks(number, record["epoch"])]
        if places:
            self._epochs |= {record["at"][place]: record["epoch"] + 1 for place in places}
            self.log.append(_only(record, places))

    def _lacks(self, number: int, epoch: int) -> bool:
        return number not in self.points and epoch == self._epochs.get(number, 0)


def _only(record: ExperimentRecord, places: Sequence[int]) -> ExperimentRecord:
    """The record of an epoch for some of its trainings, by their places in it."""
    if len(places) == len(record["at"]):
        return record
    return {"epoch": record["epoch"]} | {name: [record[name][place] for place in places] for name in ("at", *CURVES)}


RESUMABLE = ("stopped", "interrupted", "failed")  # states that starting the same plan again continues from
REMEMBERED = 5  # experiments of a session


def start(plan: Plan, dataset: Dataset, base: TrainConfig) -> str:
    """Queue this experiment, or continue it: points that are computed already come at once. Raises TSKError if it is refused.

    base: the settings of the page, which its variants change.
    """
    from tsk_core.tasks import Experiment

    run = side_tasks.start(Experiment(plan, dataset, base), background=True)
    EXPERIMENTS.get()[_key(plan, dataset)] = run
    return run


def find(plan: Plan | None, dataset: Dataset | None) -> Status | None:
    """Where this browser's newest experiment with this plan on this table stands; None without one."""
    if plan is None or dataset is None:
        return None
    key, known = _key(plan, dataset), EXPERIMENTS.get()
    if known.get(key) is None:
        wanted = json.loads(json.dumps(plan.to_dict()))
        fits = [
            lambda record: record.state not in RESUMABLE and _plan_of(record) == wanted,
            lambda record: _plan_of(record) == wanted,
        ]
        known[key] = next(filter(None, (side_tasks.newest(plan.kind, dataset, fit) for fit in fits)), None)
    status = side_tasks.status_of(known[key])
    if status is None:
        known.pop(key)
    return status


def linked_plan(kind: str) -> Plan | None:
    """The plan of the experiment that the link names, once; ``open_link`` has used its settings and data.

    kind: of the page. None without such a link; a toast says so where it names anything else.
    """
    run = st.query_params.pop("run", None)
    if not run:
        return None
    OPENED_RUN.pop()  # so that the same link opens it again
    try:
        folder = get_engine().store.open(run)
        if (folder.path / PLAN).is_file():
            plan = Plan.from_dict(read_json(folder.path / PLAN)["plan"])
            if plan.kind == kind:
                return plan
        st.toast(f"The link's run is not a {kind}, so this page has its settings and its data alone.")
    except TSKError as error:
        st.toast(in_markdown(error))
    return None


def collected_of(plan: Plan, dataset: Dataset, status: Status | None) -> Collected:
    """What is known of this experiment, with the records that came since. status: as ``find`` gave it, before the records."""
    kept = EXPERIMENT_POINTS.get()
    key = _key(plan, dataset)
    collected, place = kept.pop(key, (Collected(), None))
    if status is not None:
        place = read(collected, status, place)
    kept[key] = collected, place  # the last one is the one used last
    while len(kept) > REMEMBERED:
        del kept[next(iter(kept))]
    return collected


def read(collected: Collected, status: Status, place: tuple[str, int, int] | None) -> tuple[str, int, int]:
    """Take in the records that came since ``place`` (run, attempt, number of records); returns the new place."""
    run, attempt = status.run, status.attempt
    since = place[2] if place is not None and place[:2] == (run, attempt) else 0
    fresh = get_engine().records(run, EXPERIMENT, since)
    for line in fresh:
        collected.add(line)
    return run, attempt, since + len(fresh)


def _plan_of(record: Record) -> dict[str, Any] | None:
    with suppress(RunError):
        return read_json(get_engine().store.open(record.id).path / PLAN).get("plan")
    return None


def _key(plan: Plan, dataset: Dataset) -> Hashable:
    return plan.key, table_key(dataset)


# What an experiment is called where nobody chose a name: in messages to the browser, and as a file.


def experiment_name(plan: Plan, dataset: Dataset) -> str:
    """32 letters and digits: the same for the same plan on the same dataset, split and roles of columns included."""
    table = hashlib.sha256(repr(table_key(dataset)).encode()).hexdigest()
    return f"{plan.key[:16]}{table[:16]}"


def experiment_file(plan: Plan, dataset: Dataset, what: str) -> str:
    """The start of a file's name, such as "comparison-iris-1f0c3a2b"."""
    return f"{what}-{in_file_name(dataset.name)}-{experiment_name(plan, dataset)[:8]}"
