"""Control: the small files that ask a run to stop, pause, resume or train slowly, and how its task obeys them.

    <run>/stop     there while the run is asked to stop; it holds the sentence that says why
    <run>/pause    there while the run is asked to wait: "<this pause's name> <epochs granted since then> <1: leave the worker>"
    <run>/pace     there while the run is asked to train slowly: "<epochs a second>"

Any process that shares the folder of runs may write them; nothing else says whether a run is paused. The training looks at them
between two epochs, which costs some microseconds. docs/decisions/0025 explains why files.
"""

import math
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tsk_core import limits
from tsk_core.runs.files import replace_file
from tsk_core.tasks.task import Parked

STOPPED = "Stopped by hand."
POLL_SECONDS = 0.02
_changing = threading.Lock()  # of a pause: who changes one must not bring back one that ended meanwhile


class PauseOrder(NamedTuple):
    """What the file pause asks for. name: of this pause. steps: epochs granted since it began. leave: whether others need the
    worker.
    """

    name: str
    steps: int = 0
    leave: bool = False


class Place(NamedTuple):
    """Where a task waits. name, steps: of the pause, and how many of its steps are done. reached: steps of the task in all."""

    name: str = ""
    steps: int = 0
    reached: int = 0

    def steps_of(self, pause: PauseOrder) -> int:
        """How many of the steps that a pause grants were done before."""
        return self.steps if pause.name == self.name else 0


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
        self._change(lambda pause: PauseOrder(pause.name, pause.steps + count) if pause else PauseOrder(secrets.token_hex(4)))

    def leave(self, leave: bool = True) -> None:
        """Ask a run that waits to give its worker to others, or no longer."""
        self._change(lambda pause: pause and pause._replace(leave=leave))

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
        return PauseOrder(name, int(steps) if steps.isdecimal() and steps.isascii() else 0, leave == "1")

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
        text = f"{pause.name} {pause.steps} {int(pause.leave)}"
        replace_file(self._pause, lambda aside: aside.write_text(text, encoding="utf-8"))


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(1000).strip()
    except OSError:
        return None


class Pausing:
    """How a task waits after a step while its run is paused. ``asked`` after each step; where it says so, ``wait``.

    notify: called with what happens: "waits", with the name of the pause and how many of its steps are done; "goes on".
    place: where an earlier attempt waited; this one does not wait before it is there.
    """

    def __init__(
        self, control: Control, notify: Callable[..., None] = lambda event, *about: None, place: Place | None = None
    ) -> None:
        self._control, self._notify, self._to_catch_up = control, notify, place.reached if place else 0
        pause = control.paused()
        self._inherited = self._name = pause.name if pause else ""
        self._done = place.steps_of(pause) if place and pause else 0

    @property
    def catches_up(self) -> bool:
        """Whether an earlier attempt did the step that comes."""
        return self._to_catch_up > 0

    def asked(self) -> bool:
        """Whether the task has to wait now. A few microseconds while there is no pause."""
        self._to_catch_up -= 1
        return not self._may_continue()

    def wait(self, stop_reason: Callable[[], str]) -> str:
        """Return when the task may continue, with "", or when it has to stop, with the reason.

        Raises Parked where its worker is wanted by others.
        """
        self._notify("waits", self._name, self._done)
        while not (reason := stop_reason()) and not self._may_continue():
            if (pause := self._control.paused()) and pause.leave:
                raise Parked
            time.sleep(POLL_SECONDS)
        self._notify("goes on")
        return reason

    def _may_continue(self) -> bool:
        """Whether there is no pause, or one more epoch of it is granted, which this uses up."""
        pause = self._control.paused()
        if pause is None or (pause.name == self._inherited and self.catches_up):
            return True
        if pause.name != self._name:
            self._name, self._done = pause.name, 0
        if pause.steps > self._done:
            self._done += 1
            return True
        return False


class Pacing:
    """How a task waits after a step while its run is to train slowly. ``asked`` after each step; where it says so, ``wait``.

    All its waits together last ``limits.value("slow_seconds")`` at most, since the task keeps its worker meanwhile.
    catches_up: whether an earlier attempt did the step, which is not slowed again.
    """

    def __init__(self, control: Control, catches_up: Callable[[], bool] = lambda: False) -> None:
        self._control, self._catches_up, self._left = control, catches_up, float(limits.value("slow_seconds"))
        self._due: float | None = None  # when the next step may begin, on the clock of time.monotonic

    def asked(self) -> bool:
        """Whether the task has to wait now. A few microseconds while no pace is asked for."""
        pace = None if self._catches_up() else self._control.pace()
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
