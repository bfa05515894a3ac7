"""How often the rules of a run came back when it was trained again: found by the run, after a reload too."""

from typing import TYPE_CHECKING

from tsk_core.errors import TSKError
from tsk_core.explain import RuleStability
from tsk_core.jobs import Status
from tsk_core.runs import Record
from tsk_core.tasks import StabilityCheck
from ui.platform.engine import get_engine
from ui.runs.rules import is_readable
from ui.runs.side_tasks import found, metrics_of, newest

if TYPE_CHECKING:
    from ui.runs.run_view import RunView

KIND = StabilityCheck.kind


def stability_status(run: "RunView") -> Status | None:
    """Where the check of this run stands; None without one."""
    if run.result is None:
        return None

    def checks(record: Record) -> bool:
        return metrics_of(record).get("of_run") == run.id

    return found(KIND, run.id, lambda: newest(KIND, run.result.dataset, checks))


def stability(run: "RunView", conditions: int) -> RuleStability | None:
    """What the check found for rules of at most 1 to 12 conditions; None while there is none.

    Rules of a readable rule base are never shortened, so there it is what was found for the longest.
    """
    if run.result is None:
        return None
    if run.shared.stability is None:
        status = stability_status(run)
        if status is None or status.state != "finished":
            return None
        try:
            lengths = get_engine().store.open(status.run).metrics()["lengths"]
            run.shared.stability = [RuleStability.from_dict(length) for length in lengths]
        except (TSKError, KeyError, TypeError, ValueError, AttributeError):  # deleted meanwhile, or damaged
            return None
    return run.shared.stability[-1 if is_readable(run) else conditions - 1]
