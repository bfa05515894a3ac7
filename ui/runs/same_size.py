"""A tree and a rule list with as many conditions as a readable run: measured by a task, found by the run, after a reload too."""

from typing import TYPE_CHECKING

from tsk_core.errors import TSKError
from tsk_core.evaluate import Peer
from tsk_core.jobs import Status
from tsk_core.runs import Record
from tsk_core.tasks import SameSize
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.side_tasks import dataset_of, newest, start, status_of

if TYPE_CHECKING:
    from ui.runs.run_view import RunView

__all__ = ["KIND", "peers", "peers_status", "start_peers"]

KIND = "same-size"


def peers_status(run: "RunView", *, ebm: bool = False) -> Status | None:
    """Where the task stands that measures them, or the EBM; None without one. run: one that has a model."""
    known = session.SAME_SIZES.get()
    if (run.id, ebm) not in known:
        known[run.id, ebm] = newest(KIND, run.result.dataset, lambda record: _measures(record, run, ebm))
    return status_of(known[run.id, ebm])


def start_peers(run: "RunView", conditions: int, *, ebm: bool = False) -> None:
    """Queue the task. conditions: of all rules together, from 1. Raises TSKError if it is refused."""
    task = SameSize(run.config, dataset_of(run), run.id, conditions, run.test_size, ebm)
    session.SAME_SIZES.get()[run.id, ebm] = start(task, background=True)


def peers(status: Status | None) -> list[Peer]:
    """What a task measured; [] before it finished, and where it was deleted meanwhile or is damaged."""
    if status is None or status.state != "finished":
        return []
    try:
        return [Peer(*values) for values in get_engine().store.open(status.run).metrics()["peers"]]
    except (TSKError, KeyError, TypeError):
        return []


def _measures(record: Record, run: "RunView", ebm: bool) -> bool:
    """Whether a task that finished measured what goes with this run."""
    if record.state != "finished":
        return False
    try:
        metrics = get_engine().store.open(record.id).metrics()
    except TSKError:
        return False
    return metrics.get("of_run") == run.id and metrics.get("ebm") is ebm
