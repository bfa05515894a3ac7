"""Experiments of this browser: started, and found again by their plan and their table, after a reload too."""

import json
from collections.abc import Hashable
from contextlib import suppress
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from tsk_core.experiments import Plan
from tsk_core.jobs import Status
from tsk_core.runs import Record, read_json
from tsk_core.tasks import EXPERIMENT, PLAN
from ui.experiments.collected import Collected
from ui.platform import session
from ui.platform.caches import table_key
from ui.platform.engine import get_engine
from ui.runs import side_tasks
from ui.text import in_markdown

RESUMABLE = ("stopped", "interrupted", "failed")  # states that starting the same plan again continues from
REMEMBERED = 5  # experiments of a session


def start(plan: Plan, dataset: Dataset, base: TrainConfig) -> str:
    """Queue this experiment, or continue it: points that are computed already come at once. Raises TSKError if it is refused.

    base: the settings of the page, which its variants change.
    """
    from tsk_core.tasks import Experiment

    run = side_tasks.start(Experiment(plan, dataset, base), background=True)
    session.EXPERIMENTS.get()[_key(plan, dataset)] = run
    return run


def find(plan: Plan, dataset: Dataset) -> Status | None:
    """Where this browser's newest experiment with this plan on this table stands; None without one."""
    key, known = _key(plan, dataset), session.EXPERIMENTS.get()
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
    session.OPENED_RUN.pop()  # so that the same link opens it again
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
    kept = session.EXPERIMENT_POINTS.get()
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
