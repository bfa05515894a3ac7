"""Quota: how many runs an owner, and all together, may have open."""

from collections import Counter

from tsk_core import limits
from tsk_core.errors import LimitError
from tsk_core.jobs.queue import FairQueue

__all__ = ["Quota"]


class Quota:
    """Counts open runs by owner and kind. Not thread-safe: ``Dispatcher`` holds its lock around every call."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self._open: Counter[tuple[str, bool]] = Counter()

    def reserve(self, owner: str, background: bool) -> None:
        """Count one more run, or raise LimitError in one sentence."""
        if refusal := self.refusal(owner, background):
            raise LimitError(refusal)
        self._open[owner, background] += 1

    def release(self, owner: str, background: bool) -> None:
        """The run ended, or was never made."""
        self._open[owner, background] -= 1
        if self._open[owner, background] <= 0:
            del self._open[owner, background]

    def refusal(self, owner: str, background: bool = False) -> str:
        """Why ``owner`` may not add a run now; "" when allowed."""
        if refusal := self._of_owner(self._open[owner, background], background):
            return refusal
        waiting = self._queue.count(background)
        if waiting < limits.value("queued"):
            return ""
        variable = limits.LIMITS["queued"].variable
        return f"{waiting} runs are queued, the most that this server accepts; try again in some minutes, or raise {variable}."

    def _of_owner(self, count: int, background: bool) -> str:
        name = "background_per_owner" if background else "queued_per_owner"
        allowed, variable = limits.value(name), limits.LIMITS[name].variable
        if background:
            most, rule = allowed, f"One person may have at most {allowed} runs of experiments at once here"
        else:
            at_once = limits.value("running_per_owner")
            running = "1 run" if at_once == 1 else f"{at_once} runs"
            most, rule = at_once + allowed, f"One person may have at most {running} running and {allowed} queued here"
        return "" if count < most else f"{rule}; wait for one to end, stop one, or raise {variable}."
