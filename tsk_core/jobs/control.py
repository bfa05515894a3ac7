"""Control: the small files that ask a run to stop, pause, resume or train slowly. docs/decisions/0025 explains why files.

    <run>/stop     there while the run is asked to stop; it holds the sentence that says why
    <run>/pause    there while the run is asked to wait: "<this pause's name> <epochs it may still do> <1: leave the worker>",
                   with 2 in place of 1 where it is to leave the worker's memory, too
    <run>/pace     there while the run is asked to train slowly: "<epochs a second>"

Any process that shares the folder of runs may write them; the training looks at them between two epochs, which costs
some microseconds.
"""

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tsk_core import limits
from tsk_core.runs.files import replace_file
from tsk_core.tasks.task import SetAside

STOPPED = "Stopped by hand."
_changing = threading.Lock()  # of a pause: who changes one must not bring back one that ended meanwhile


@dataclass(frozen=True)
class PauseOrder:
    """What the file pause asks for. name: of this pause. steps: epochs granted since it began. leave: whether the worker is to be
    given back meanwhile; aside: its memory, too.
    """

    name: str
    steps: int = 0
    leave: bool = False
    aside: bool = False


class Control:
    """The control files of one run, in its ``folder``. Writing raises RunError where the disk is full."""

    def __init__(self, folder: str | Path) -> None:
        self._stop, self._pause, self._pace = (Path(folder) / name for name in ("stop", "pause", "pace"))

    def stop(self, reason: str = STOPPED) -> None:
        """Ask the run to end; the first reason is the one that counts."""
        if not self._stop.exists():
            replace_file(self._stop, lambda aside: aside.write_text(reason, encoding="utf-8"))

    def stop_reason(self) -> str:
        """Why the run is asked to stop; "" when it is not."""
        text = _read(self._stop)
        return "" if text is None else text or STOPPED

    def pause(self) -> None:
        """Ask the run to wait after its current epoch; a run that waits already keeps waiting."""
        self._change(lambda pause: pause or PauseOrder(secrets.token_hex(4)))

    def step(self, count: int = 1) -> None:
        """Let a run that waits do ``count`` more epochs; one that does not wait is paused."""
        self._change(lambda pause: replace(pause, steps=pause.steps + count) if pause else PauseOrder(secrets.token_hex(4)))

    def leave(self) -> None:
        """Ask a run that waits to give its worker back meanwhile."""
        self._change(lambda pause: pause and replace(pause, leave=True))

    def set_aside(self) -> None:
        """Ask a run that waits to leave the memory of its worker."""
        self._change(lambda pause: pause and replace(pause, leave=True, aside=True))

    def begin(self) -> None:
        """Before a run begins again: it has a worker, and its memory."""
        self._change(lambda pause: replace(pause, leave=False, aside=False) if pause and pause.aside else pause)

    def resume(self) -> None:
        """Let the run continue."""
        with _changing:
            self._pause.unlink(missing_ok=True)

    def paused(self) -> PauseOrder | None:
        """The pause the run is in; None when it may train."""
        text = _read(self._pause)
        if text is None:
            return None
        words = text.split()
        name, steps, leave = (*words[:3], *("", "0", "0")[len(words) :])  # another process's empty file is a pause too
        return PauseOrder(name, int(steps) if steps.isdecimal() and steps.isascii() else 0, leave in ("1", "2"), leave == "2")

    def slow_down(self, pace: float | None) -> None:
        """Ask the run to do at most ``pace`` epochs a second; None: as many as it can."""
        if pace is None:
            self._pace.unlink(missing_ok=True)
        else:
            replace_file(self._pace, lambda aside: aside.write_text(f"{pace:g}", encoding="utf-8"))

    def pace(self) -> float | None:
        """How many epochs a second the run may do at most; None where nothing, or no positive number, is asked for."""
        try:
            pace = float(_read(self._pace) or "")
        except ValueError:
            return None
        return pace if 0 < pace < math.inf else None

    def _change(self, change: Callable[[PauseOrder | None], PauseOrder | None]) -> None:
        """Order what ``change`` makes of the pause the run is in."""
        with _changing:
            before = self.paused()
            after = change(before)
            if after is not None and after != before:
                self._order(after)

    def _order(self, pause: PauseOrder) -> None:
        text = f"{pause.name} {pause.steps} {2 if pause.aside else int(pause.leave)}"
        replace_file(self._pause, lambda aside: aside.write_text(text, encoding="utf-8"))


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(1000).strip()
    except OSError:
        return None


# Pacing: how a task waits after each step while its run's control file asks it to train slowly.


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


# Pausing: how a task waits between two steps while its run's control file says so.


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
