"""A tuning as the page has it: started, found again by its table, and as a message to the browser."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError
from tsk_core.jobs import Status
from tsk_core.runs import Search, same_dataset
from tsk_core.tasks import TRIALS, Tuning
from tsk_core.tuning import SizePoint, Trial, curve, most_accurate, shortest
from ui.live import Part, feed_of_session
from ui.platform import session
from ui.platform.caches import table_key
from ui.platform.engine import get_engine
from ui.platform.owner import owner
from ui.runs import side_tasks
from ui.tuning.sentences import in_the_end, settings_text, title_of

KIND = Tuning.kind


@dataclass(frozen=True)
class TuningRun:
    """What is known of a tuning now.

    status: its epochs are seconds. trials: what is known of each candidate, those validated on the most folds first, of these
    that of the best score. metrics: its numbers at the end, see ``Tuning.run``; empty before, and where it left none.
    """

    status: Status
    trials: list[Trial]
    metrics: dict[str, Any]

    @classmethod
    def load(cls, status: Status) -> "TuningRun":
        """A tuning that stands so: its status is older than its records, so one that ended has them all."""
        engine, metrics = get_engine(), {}
        if status.ended:
            with suppress(RunError):  # it ended before any candidate had a score
                metrics = engine.store.open(status.run).metrics()
        lines = metrics.get("trials") or {line["number"]: line for line in engine.records(status.run, TRIALS)}.values()
        return cls(status, sorted(map(Trial.from_dict, lines), key=lambda trial: (-trial.validations, *trial.rank)), metrics)

    def split(self) -> tuple[int, float]:
        """Seed and share of the test rows, which it did not see."""
        folder = get_engine().store.open(self.status.run)
        return folder.config().random_state, folder.about()["test_size"]

    @property
    def owned(self) -> bool:
        """Whether this browser started the tuning, and so may stop it."""
        return get_engine().store.record(self.status.run).owner == owner()

    @property
    def readable(self) -> bool:
        """Whether it looks for a readable rule base: all its candidates are readable ones."""
        return bool(self.trials) and all(trial.conditions is not None for trial in self.trials)

    @property
    def compared(self) -> list[Trial]:
        """The candidates validated on the most folds."""
        return [trial for trial in self.trials if trial.validations == self.trials[0].validations]

    @property
    def best(self) -> Trial | None:
        """What ``Tuner`` takes of them, and has taken in the end."""
        if not self.trials:
            return None
        for trial in self.trials:
            if trial.config.to_dict() == self.metrics.get("best"):
                return trial
        return (shortest if self.readable else most_accurate)(self.compared)

    @property
    def chosen(self) -> Trial | None:
        """The candidate of the curve that was clicked, or else the best."""
        number = session.TUNING_CHOSEN.get().get(self.status.run)
        return next((trial for trial in self.trials if trial.number == number), self.best)

    @property
    def took_shortest(self) -> bool:
        """Whether the best is the shortest readable rule base within one standard error."""
        return self.readable and self.best == shortest(self.compared)

    @property
    def curve(self) -> list[SizePoint]:
        """The rule bases to choose from; none where it does not look for readable ones."""
        return curve(self.compared) if self.readable else []

    @property
    def own(self) -> Trial | None:
        """The candidate with the page's settings; None before it has a score, and where it takes no part."""
        return next((trial for trial in self.trials if trial.origin == "current"), None)

    def choose(self, number: int) -> None:
        """Take another rule base of the curve."""
        session.TUNING_CHOSEN.get()[self.status.run] = number

    def message(self) -> list[Part]:
        """What the browser draws: the value "tuning".

        Whether the search ended, its trials, the best first, and the numbers of those on the curve of a readable rule base.
        """
        best, chosen = self.best, self.chosen
        trials = [best, *(trial for trial in self.trials if trial is not best)] if best else []
        payload = {
            "ended": self.status.ended, "trials": [self._line(trial) for trial in trials],
            "curve": [point.number for point in self.curve] if self.readable else None,
            "chosen": chosen and chosen.number, "measure": title_of(best) if best else "",
        }  # fmt: skip
        return [feed_of_session().value("tuning", payload)]

    def _line(self, trial: Trial) -> dict[str, Any]:
        names = "number", "score", "sd", "validations", "conditions", "agreement", "literal"
        return {name: getattr(trial, name) for name in names} | {
            "error": trial.standard_error, "rules": trial.config.n_rules, "most": trial.config.max_conditions,
            "state": in_the_end(trial.state) if self.status.ended else trial.state,
            "settings": settings_text(trial.config), "own": trial.origin == "current",
        }  # fmt: skip


def start(
    config: TrainConfig, dataset: Dataset, budget: float, readable: bool, scoring: str, n_trainings: int, test_size: float
) -> None:
    """Queue a tuning of so many seconds on this table and show it. Raises TSKError if it is refused.

    readable: whether it looks for a readable rule base. scoring: what it maximises, a name of ``SCORINGS``. n_trainings: as for
    ``TSKClassifierCV``.
    """
    task = Tuning(config, dataset, budget, test_size, readable=readable, scoring=scoring, n_trainings=n_trainings)
    run = side_tasks.start(task, background=True)  # trainings, which somebody watches, go first
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


def search_behind(config: TrainConfig, dataset: Dataset, test_size: float) -> Search | None:
    """The tuning of this table that found these settings, whatever their seed; None where none did, or where it was stopped."""
    run = session.TUNINGS.get().get(table_key(dataset))
    status = side_tasks.status_of(run)
    if status is None or not status.ended:
        return None
    tuning = TuningRun.load(status)
    same = (trial for trial in tuning.trials if set(config.differing(trial.config)) <= {"random_state", "device"})
    if (found := tuning.metrics.get("search")) is None or (trial := next(same, None)) is None:
        return None
    measured = {name: getattr(trial, name) for name in ("validations", "score", "sd")}
    return replace(Search.from_dict(found), **measured, same_split=tuning.split() == (config.random_state, test_size))


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
