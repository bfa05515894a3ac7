"""A tree and a rule list with as many conditions as a readable run: measured by a task, found by the run, after a reload too."""

from typing import TYPE_CHECKING

from tsk_core.errors import TSKError
from tsk_core.evaluate import Peer
from tsk_core.jobs import Status
from tsk_core.runs import Record
from tsk_core.tasks import SameSize
from ui.platform.engine import get_engine
from ui.runs.side_tasks import dataset_of, found, metrics_of, newest, start_for

if TYPE_CHECKING:
    from ui.runs.run_view import RunView

KIND = SameSize.kind


def peers_status(run: "RunView", *, ebm: bool = False) -> Status | None:
    """Where the task stands that measures them, or the EBM; None without one. run: one that has a model."""

    def measures(record: Record) -> bool:
        metrics = metrics_of(record)
        return metrics.get("of_run") == run.id and metrics.get("ebm") is ebm

    return found(KIND, (run.id, ebm), lambda: newest(KIND, run.result.dataset, measures))


def start_peers(run: "RunView", conditions: int, *, ebm: bool = False) -> None:
    """Queue the task. conditions: of all rules together, from 1. Raises TSKError if it is refused."""

    def make() -> SameSize:
        return SameSize(run.config, dataset_of(run), run.id, conditions, run.test_size, ebm)

    start_for(KIND, (run.id, ebm), make, background=True)


def peers(status: Status | None) -> list[Peer]:
    """What a task measured; [] before it finished, and where it was deleted meanwhile or is damaged."""
    if status is None or status.state != "finished":
        return []
    try:
        return [Peer(*values) for values in get_engine().store.open(status.run).metrics()["peers"]]
    except (TSKError, KeyError, TypeError):
        return []
