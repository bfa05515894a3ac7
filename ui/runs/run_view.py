"""RunView: one run as a page shows it, kept up to date while it trains."""

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError, TSKError
from tsk_core.evaluate import BASELINES
from tsk_core.jobs import Status
from tsk_core.runs import Result, RunRows, same_dataset, without_name
from ui.platform.engine import get_engine
from ui.platform.owner import owner
from ui.platform.page_lock import release_page_lock
from ui.runs.names import kind_of
from ui.runs.shared import SharedRun, shared_run

LOOK = 0.02  # seconds between two looks for the first epoch


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
    def load(cls, run: str) -> "RunView":
        """A run by its id, from the store. RunError if there is no such run, or if it is none that trains one model."""
        engine = get_engine()
        folder, record = engine.store.open(run), engine.store.record(run)
        if record.task != "training":
            raise RunError(f"This run has scores but no model, since it is not a training ({kind_of(record)}).")
        about, config = folder.about(), folder.config()
        test_size, owned = about["test_size"], record.owner == owner()
        data = about["dataset"] if owned else without_name(about["dataset"])
        view = cls(run, config, data, test_size, engine.status(run), owned, engine.history(run), revisited=True)
        view.settled = not about.get("beside") or view._has_begun(view.status)
        view._set_end(view.status)
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
        if not self.settled and self._has_begun(status):
            self.config, self.settled = engine.store.open(self.id).config(), True
        self._set_end(status)

    def _has_begun(self, status: Status) -> bool:
        return status.ended or bool(self.history)

    def await_first_epoch(self, seconds: float) -> None:
        """Wait for it, where it may be there within ``seconds``; other pages are drawn meanwhile. An end is noticed later.

        A small table has its first epoch a tenth of a second after the press: drawn at once, nobody waits for the next update.
        """
        engine = get_engine()
        if self.history or self.status.ended or self.status.position > 1 or not engine.workers():
            return
        release_page_lock()
        deadline = time.monotonic() + seconds
        while not self.history and time.monotonic() < deadline:
            time.sleep(LOOK)
            self.history = engine.history(self.id)

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
                self._rows = dataset and self.shared.rows(lambda: RunRows(dataset, self.test_size, self.config))
        return self._rows

    @property
    def shared(self) -> SharedRun:
        """What all sessions that look at this attempt of the run share."""
        if self._shared is None or self._shared[0] != self.attempt:
            self._shared = self.attempt, shared_run(self.id, self.attempt)
        return self._shared[1]

    def release(self) -> None:
        """Drop the table and the rules: only the numbers of a comparison are drawn."""
        self._rows = self.chosen = self._shared = None
