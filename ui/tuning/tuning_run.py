"""A tuning as the page has it: started, found again by its table, and as a message to the browser."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError
from tsk_core.jobs import Status
from tsk_core.runs import same_dataset
from tsk_core.tasks import TRIALS, Tuning
from ui.live import Part, feed_of_session
from ui.platform import session
from ui.platform.caches import table_key
from ui.platform.engine import get_engine
from ui.platform.owner import owner
from ui.runs import side_tasks
from ui.tuning.sentences import in_the_end, settings_text

__all__ = ["KIND", "TuningRun", "open_linked_tuning", "start", "status_on"]

KIND = "tuning"
_OWN = 1  # number of the candidate that has the page's settings
_Trial = dict[str, Any]  # as of ``Trial.to_dict``


@dataclass(frozen=True)
class TuningRun:
    """What is known of a tuning now.

    status: its epochs are seconds. trials: what is known of each candidate, the best first. metrics: its numbers at the end, see
    ``Tuning.run``; empty before, and where it left none.
    """

    status: Status
    trials: list[_Trial]
    metrics: dict[str, Any]

    @classmethod
    def load(cls, status: Status) -> "TuningRun":
        """A tuning that stands so: its status is older than its records, so one that ended has them all."""
        engine, metrics = get_engine(), {}
        if status.ended:
            with suppress(RunError):  # it ended before any candidate had a score
                metrics = engine.store.open(status.run).metrics()
        trials = metrics.get("trials") or {trial["number"]: trial for trial in engine.records(status.run, TRIALS)}.values()
        return cls(status, sorted(trials, key=_rank), metrics)

    def split(self) -> tuple[int, float]:
        """Seed and share of the test rows, which it did not see."""
        folder = get_engine().store.open(self.status.run)
        return folder.config().random_state, folder.about()["test_size"]

    @property
    def owned(self) -> bool:
        """Whether this browser started the tuning, and so may stop it."""
        return get_engine().store.record(self.status.run).owner == owner()

    @property
    def best(self) -> _Trial | None:
        """The best candidate: of those validated on the most folds, as ``Tuner`` decides."""
        return self.trials[0] if self.trials else None

    @property
    def own(self) -> _Trial | None:
        """The candidate with the page's settings; None before it has a score."""
        return next((trial for trial in self.trials if trial["number"] == _OWN), None)

    def message(self) -> list[Part]:
        """What the browser draws: the value "tuning", whether the search ended and its trials, the best first."""
        lines = [
            {
                **{name: trial[name] for name in ("number", "score", "sd", "validations")},
                "state": in_the_end(trial["state"]) if self.status.ended else trial["state"],
                "settings": settings_text(trial["config"]), "own": trial["number"] == _OWN,
            }
            for trial in self.trials
        ]  # fmt: skip
        payload = {"ended": self.status.ended, "trials": lines}
        return [feed_of_session().value("tuning", payload)]


def start(config: TrainConfig, dataset: Dataset, budget: float, test_size: float) -> None:
    """Queue a tuning of so many seconds on this table and show it. Raises TSKError if it is refused."""
    run = side_tasks.start(Tuning(config, dataset, budget, test_size))
    session.TUNINGS.get()[table_key(dataset)] = run
    session.TUNING_OPEN.set(True)


def status_on(dataset: Dataset) -> Status | None:
    """Where the tuning stands that was last started here on this table, else the newest of this browser; None without one."""
    key, known, linked = table_key(dataset), session.TUNINGS.get(), session.TUNING_LINKED.get()
    if linked and _is_on(linked, dataset):
        known[key] = session.TUNING_LINKED.pop()
    if key not in known:
        known[key] = side_tasks.newest(KIND, dataset, lambda record: record.state in ("queued", "running", "finished", "stopped"))
        running = known[key] is not None and not get_engine().status(known[key]).ended
        session.TUNING_OPEN.set(running)
    return side_tasks.status_of(known[key])


def _is_on(run: str, dataset: Dataset) -> bool:
    with suppress(RunError):  # deleted meanwhile
        return same_dataset(dataset, get_engine().store.open(run).about()["dataset"])
    return False


def open_linked_tuning() -> None:
    """Show the tuning whose run the link names; it leaves the link, which is for runs with a model."""
    run = st.query_params.get("run")
    try:
        record = run and get_engine().store.record(run)
    except RunError:
        return  # the page says so where it opens the run
    if record and record.task == KIND:
        session.TUNING_LINKED.set(run)
        session.TUNING_OPEN.set(True)
        del st.query_params["run"]


def _rank(trial: _Trial) -> tuple[float, ...]:
    return -trial["validations"], -trial["score"], trial["cross_entropy"], trial["config"]["n_rules"]
