"""Pacing: how a task waits after each step while its run's control file asks it to train slowly."""

import time
from collections.abc import Callable

from tsk_core import limits
from tsk_core.jobs.control import Control

__all__ = ["Pacing"]

POLL_SECONDS = 0.02


class Pacing:
    """The task's side of a pace. ``asked`` after each step; where it says so, ``wait``.

    Meanwhile the task keeps its worker, so all its waits together last ``limits.value("slow_seconds")`` at most.
    """

    def __init__(self, control: Control) -> None:
        self._control, self._left = control, float(limits.value("slow_seconds"))
        self._due: float | None = None  # when the next step may begin, on the clock of time.monotonic

    def asked(self) -> bool:
        """Whether the task has to wait now. A few microseconds while no pace is asked for."""
        pace = self._control.pace()
        if pace is None:
            return False
        now = time.monotonic()
        self._due = max((now if self._due is None else self._due) + 1 / pace, now)
        return self._is_early()

    def wait(self, stop_reason: Callable[[], str]) -> str:
        """Return when the next step is due, or a pause begins, with ""; or when the task has to stop, with the reason."""
        began = time.monotonic()
        while not (reason := stop_reason()) and self._is_early() and self._control.pace() is not None:
            if time.monotonic() - began >= self._left:
                break
            time.sleep(POLL_SECONDS)
        self._left -= time.monotonic() - began
        return reason

    def _is_early(self) -> bool:
        return self._left > 0 and self._due is not None and time.monotonic() < self._due and self._control.paused() is None
