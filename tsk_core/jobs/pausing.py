"""Pausing: how a task waits between two steps while its run's control file says so."""

import time
from collections.abc import Callable

from tsk_core.jobs.control import Control
from tsk_core.tasks.context import SetAside

__all__ = ["Pausing"]

POLL_SECONDS = 0.02
POLL_LEFT_SECONDS = 0.1  # once others use the worker


class Pausing:
    """The task's side of a pause. ``asked`` after each step; where it says so, ``wait``.

    notify: called with "waits", "left", and "stepped" or "resumed". leave: gives the worker's thread back, once. reached: steps
    that an earlier attempt had done; a pause that it was in is kept from there on. crowded: whether others need its memory.
    """

    def __init__(
        self,
        control: Control,
        notify: Callable[[str], None] = lambda event: None,
        leave: Callable[[], None] = lambda: None,
        reached: int = 0,
        crowded: Callable[[], bool] = lambda: False,
    ) -> None:
        self._control, self._notify, self._leave, self._crowded = control, notify, leave, crowded
        self._to_catch_up, self._left = reached, False
        pause = control.paused()
        self._inherited = self._name = pause.name if pause else ""
        self._done = pause.steps if pause else 0  # by the earlier attempt

    def asked(self) -> bool:
        """Whether the task has to wait now. A few microseconds while there is no pause."""
        self._to_catch_up -= 1
        return not self._may_continue()

    def wait(self, stop_reason: Callable[[], str]) -> str:
        """Return when the task may continue, with "", or when it has to stop, with the reason.

        Raises SetAside where it is to leave the memory of a worker that others use.
        """
        self._notify("waits")
        while not (reason := stop_reason()) and not self._may_continue():
            if self._left and self._is_set_aside():
                raise SetAside
            time.sleep(POLL_LEFT_SECONDS if self._left else POLL_SECONDS)
        self._notify("resumed" if self._control.paused() is None else "stepped")
        return reason

    def _is_set_aside(self) -> bool:
        pause = self._control.paused()
        return pause is not None and (pause.aside or self._crowded())

    def _may_continue(self) -> bool:
        """Whether there is no pause, or one more epoch of it is granted, which this uses up."""
        pause = self._control.paused()
        if pause is None or (pause.name == self._inherited and self._to_catch_up > 0):
            return True
        if pause.name != self._name:
            self._name, self._done = pause.name, 0
        if pause.steps > self._done:
            self._done += 1
            return True
        if pause.leave and not self._left:
            self._left = True
            self._leave()
            self._notify("left")
        return False
