"""Pausing: how a training waits between two epochs while its run's control file says so."""

import time
from collections.abc import Callable

from tsk_core.jobs.control import Control

__all__ = ["Pausing"]

POLL_SECONDS = 0.02
POLL_LEFT_SECONDS = 0.1  # once others use the worker


class Pausing:
    """The training's side of a pause. ``asked`` after each epoch; where it says so, ``wait``.

    tell: told "waits", "left" and "goes on". leave: gives the worker's thread back, once. room_wanted: a sentence when a run
    that left its worker has to end for want of memory, else "". reached: epochs that an earlier attempt had done; a pause that
    it was in is kept from there on.
    """

    def __init__(
        self,
        control: Control,
        tell: Callable[[str], None] = lambda sign: None,
        leave: Callable[[], None] = lambda: None,
        room_wanted: Callable[[], str] = lambda: "",
        reached: int = 0,
    ) -> None:
        self._control, self._tell, self._leave, self._room_wanted = control, tell, leave, room_wanted
        self._to_catch_up, self._left = reached, False
        pause = control.paused()
        self._inherited = self._name = pause.name if pause else ""
        self._done = pause.steps if pause else 0  # by the earlier attempt

    def asked(self) -> bool:
        """Whether the training has to wait now. A few microseconds while there is no pause."""
        self._to_catch_up -= 1
        return not self._may_go_on()

    def wait(self, should_stop: Callable[[], str]) -> str:
        """Return when the training may go on, with "", or when it has to stop, with the reason."""
        self._tell("waits")
        try:
            while not (reason := should_stop() or (self._left and self._room_wanted())) and not self._may_go_on():
                time.sleep(POLL_LEFT_SECONDS if self._left else POLL_SECONDS)
            return reason or ""
        finally:
            self._tell("goes on")

    def _may_go_on(self) -> bool:
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
            self._tell("left")
        return False
