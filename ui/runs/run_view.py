"""RunView: one run as a page shows it, kept up to date while it trains; and what lists call it."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError, TSKError
from tsk_core.evaluate import BASELINES
from tsk_core.explain import RuleBaseSummary, RuleStability, Summaries
from tsk_core.jobs import Status
from tsk_core.runs import Record, Result, RunRows, same_dataset, without_name
from tsk_core.setting_values import in_words, shown_value
from tsk_core.settings import SETTINGS
from ui.platform import memory
from ui.platform.engine import get_engine
from ui.platform.turns import YieldingLock, release_page_lock
from ui.platform.visitor import owner

# What lists call a run.


KINDS = {
    "training": "training",
    "tuning": "tuning",
    "cross-validation": "cross-validation",
    "rule-stability": "stability of rules",
    "same-size": "tree and rule list of the same size",
    "comparison": "comparison",
    "sweep": "sweep",
    "study-cells": "splits of the study",
    "worked-example": "equations of the paper",
}

_SHORT = ("n_rules", "ur_weight", "batch_norm", "batch_size", "random_state")  # settings that fit into a line


def name_of(record: Record) -> str:
    """The name that its owner gave, else its dataset and the beginning of its id."""
    return record.name or f"{record.dataset} {record.id[:4]}"


def kind_of(record: Record) -> str:
    """The kind of its task, in words."""
    return KINDS.get(record.task, record.task)


def settings_of(record: Record, also: Collection[str] = ()) -> str:
    """The settings in a line: "R 20, λ 1, BN bn, B 64, seed 3"; after them those of the names ``also``, such as "η 0.02"."""
    values = record.settings
    names = [*_SHORT, *(name for name in SETTINGS if name in also and name not in _SHORT)]
    return ", ".join(f"{_word(name)} {in_words(shown_value(name, values[name]))}" for name in names if name in values)


def differing(settings: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of the settings that are not the same in all of these."""
    known = list(settings)
    return {name for name in SETTINGS if len({str(values.get(name)) for values in known if values}) > 1}


def _word(name: str) -> str:
    return "seed" if name == "random_state" else SETTINGS[name].symbol or SETTINGS[name].label.lower()


# What is computed of a run once for all sessions that look at it. It is dropped when the last of them leaves the run.


@dataclass(eq=False)
class SharedRun:
    """One attempt of a run. Its rules are public to all who have its link; its rows only to those who have its table as well.

    summaries: of the final rules, by the largest number of conditions. recorded: the epochs recorded so far, each with the
    ``Summaries`` of its rules, or None where it was left out. texts: its rules in words, by index and length.
    stability: how often its rules came back, by the largest number of conditions, where that was checked.
    lock: held while one session summarises rules, so that the others wait for it instead of doing the same.
    """

    summaries: dict[int, RuleBaseSummary] = field(default_factory=dict)
    recorded: list[tuple[int, Summaries | None]] = field(default_factory=list)
    texts: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    stability: list[RuleStability] | None = None
    lock: YieldingLock = field(default_factory=YieldingLock)
    _rows: RunRows | None = None
    _dataset: list[Dataset | None] = field(default_factory=list)  # empty before it was read
    _reading: YieldingLock = field(default_factory=YieldingLock)

    def take_table(self, other: "SharedRun") -> None:
        """Take what another attempt of this run has of its table, which is the same."""
        self._rows, self._dataset = self._rows or other._rows, self._dataset or other._dataset

    @property
    def known_rows(self) -> RunRows | None:
        """What ``rows`` has made; only for who was told by a session that it has the table."""
        return self._rows

    def rows(self, make: Callable[[], RunRows]) -> RunRows:
        """The run's table as its training saw it, made by the first session that asks. Only for sessions that have the table."""
        if self._rows is None:
            with self.lock:
                if self._rows is None:
                    release_page_lock()  # reading a table and encoding its rows take their time
                    self._rows = make()
        return self._rows

    def dataset(self, read: Callable[[], Dataset | None]) -> Dataset | None:
        """The run's dataset from the gallery or as kept with the run, which is public to all who have its link.

        Read by the first session that asks, and counted among the tables in memory: LimitError where there is no room.
        """
        if not self._dataset:
            with self._reading:
                if not self._dataset:
                    release_page_lock()
                    dataset = read()
                    if dataset is not None:
                        memory.count(dataset.frame)
                    self._dataset.append(dataset)
        return self._dataset[0]


_runs: WeakValueDictionary[tuple[str, float | None], SharedRun] = WeakValueDictionary()
_runs_lock = threading.Lock()


def shared_run(run: str, attempt: float | None) -> SharedRun:
    """The same object for all sessions with this run and attempt, as long as one of them keeps it."""
    with _runs_lock:
        shared = _runs.get((run, attempt))
        if shared is None:
            shared = SharedRun()
            for (other, _), known in _runs.items():
                if other == run:
                    shared.take_table(known)
            _runs[run, attempt] = shared
        return shared


@dataclass
class RunView:
    """One run on the page. ``result`` is there once it ended with a model; ``error`` says why there is none.

    data: its dataset as its config.json has it; of others' runs an uploaded table has no name there, nor in ``result``. owned:
    whether this browser started the run, and so may stop it. chosen: the dataset chosen on the page, which may be the run's.
    revisited: whether the run was there before this visit. settled: whether ``config`` is what it trains; a readable rule base
    looks for its settings first.
    """

    id: str
    config: TrainConfig
    data: dict[str, Any]
    test_size: float
    status: Status
    owned: bool = True
    history: list[Epoch] = field(default_factory=list)
    result: Result | None = None
    error: str = ""
    chosen: Dataset | None = field(default=None, repr=False)
    revisited: bool = False
    settled: bool = True
    _rows: RunRows | None = field(default=None, repr=False)
    _shared: tuple[float | None, SharedRun] | None = field(default=None, repr=False)

    @classmethod
    def load(cls, run: str, as_owner: str | None = None, *, read: bool = True) -> "RunView":
        """A run by its id, from the store. RunError if there is no such run, or if it is none that trains one model.

        as_owner: who looks at it; by default the visitor of this session. read: whether its epochs and its model are read.
        """
        engine = get_engine()
        folder, record = engine.store.open(run), engine.store.record(run)
        if record.task != "training":
            raise RunError(f"This run has scores but no model, since it is not a training ({kind_of(record)}).")
        about, config = folder.about(), folder.config()
        test_size, owned = about["test_size"], record.owner == (owner() if as_owner is None else as_owner)
        data = about["dataset"] if owned else without_name(about["dataset"])
        status = engine.status(run)
        history = engine.history(run) if read else []
        view = cls(run, config, data, test_size, status, owned, history, revisited=True)
        view.settled = not about.get("beside") or view._has_begun(status)
        if read:
            view._set_end(status)
        return view

    def refresh(self, *, watched: bool = True) -> None:
        """Fetch what is new, and note whether someone watches; does nothing once the run ended.

        Two runs of a session's script may overlap here. So epochs are not appended to the list, which another refresh may have
        made longer meanwhile: each makes a list of what it knew and what followed, and the longer list stays.
        """
        if self.status.ended:
            return
        engine = get_engine()
        if watched:
            engine.watch(self.id)
        status = engine.status(self.id)  # before the epochs: a run that ended has them all
        known, same = self.history, bool(status.attempt) and status.attempt == self.status.attempt
        # After a lost worker a new attempt, of another process, or at the end, earlier epochs may differ.
        fetched = known + engine.history(self.id, since=len(known)) if same else engine.history(self.id)
        if self.status.ended:  # as another refresh has seen
            return
        if not same or len(fetched) > len(self.history):
            self.history = fetched
        self.settle(begun=self._has_begun(status))
        self._set_end(status)

    def settle(self, *, begun: bool) -> None:
        """Where the run looks for its settings first: read them once it has begun to train."""
        if begun and not self.settled:
            self.config, self.settled = get_engine().store.open(self.id).config(), True

    def _has_begun(self, status: Status) -> bool:
        return status.ended or bool(self.history)

    def _set_end(self, status: Status) -> None:
        if status.ended and status.state in ("finished", "stopped") and self.history:
            release_page_lock()  # a model is read
            result = get_engine().result(self.id)
            self.result = result if self.owned else replace(result, dataset=without_name(result.dataset))
            self.config = self.result.config  # a search found them
        elif status.ended:
            self.error = status.message or "This run ended before its first epoch, so there is no model; press Train again."
        self.status = status

    @property
    def trained(self) -> Result:
        """``result``, where it is known that there is one."""
        assert self.result is not None
        return self.result

    @property
    def last(self) -> Epoch | None:
        """The newest Epoch."""
        return self.history[-1] if self.history else None

    @property
    def attempt(self) -> float | None:
        """Identifies an attempt: the seconds of its first epoch. A run starts again if its worker is lost."""
        return self.history[0].seconds if self.history else None

    @property
    def metrics(self) -> dict[str, Any]:
        """The numbers at the end; empty before."""
        return self.result.metrics if self.result else {}

    @property
    def baselines(self) -> dict[str, dict[str, float | None]]:
        """Title of each baseline -> its "rca" and "bca" on the test rows; empty before the end."""
        scores = self.metrics.get("baselines") or {}
        return {title: scores[key] for key, title in BASELINES.items() if scores.get(key)}

    # The table and the rules.

    @property
    def dataset(self) -> Dataset | None:
        """The run's dataset: of the gallery, kept with the run, or the one chosen on the page if it is the same; else None."""
        return self.kept_dataset or (self.chosen if self.is_chosen else None)

    @property
    def is_chosen(self) -> bool:
        """Whether the dataset chosen on the page is the run's, with the same roles of columns."""
        return self.chosen is not None and same_dataset(self.chosen, self.data)

    @property
    def kept_dataset(self) -> Dataset | None:
        """The run's dataset from the gallery or as kept with the run, read once for all sessions; None where neither has it."""
        return self.shared.dataset(lambda: get_engine().store.dataset(self.id))

    def rows(self) -> RunRows | None:
        """The run's table as its training saw it, found once; None if this session does not have the table."""
        if self._rows is None:
            with suppress(TSKError):  # damaged, of another version, or unfit for training: the same as not kept
                dataset = self.dataset
                if dataset is not None:
                    self._rows = self.shared.rows(lambda: RunRows(dataset, self.test_size, self.config))
        return self._rows

    def samples(self) -> dict[str, Any]:
        """What a browser needs to draw and move rows: some of the table's, None without it, and a name of the table."""
        table = self.rows()
        return {"data": self.table_name, "rows": table and table.to_show}

    @property
    def table_name(self) -> str:
        """The same for all runs on the same table."""
        return f"{self.data['sha256']} {self.data['target']}"

    @property
    def shared(self) -> SharedRun:
        """What all sessions that look at this attempt of the run share."""
        if self._shared is None or self._shared[0] != self.attempt:
            self._shared = self.attempt, shared_run(self.id, self.attempt)
        return self._shared[1]

    def release(self) -> None:
        """Drop the table and the rules: only the numbers of a comparison are drawn."""
        self._rows = self.chosen = self._shared = None
