"""Steering: what people ask of an open run, and the keeper in their place: stop, pause, step, go on, give the worker back."""

import time

from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.status import OpenRun

__all__ = ["Steering"]


class Steering:
    """Steers the runs of ``dispatcher``; those that ended meanwhile stay as they are. RunError where the disk is full."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def stop(self, entry: OpenRun, reason: str, in_line: str = "") -> None:
        """End a run within one epoch; one in line at once. in_line: what to say then, where that differs."""
        with self._dispatcher.changed:
            if entry.run not in self._dispatcher.open:
                return
            waiting = self._dispatcher.queue.remove(entry.run)
            if not waiting:
                entry.control.stop(reason)
        if waiting:
            self._dispatcher.end(entry, "stopped", in_line or reason)

    def pause(self, entry: OpenRun) -> None:
        """Let it wait after its epoch."""
        with self._dispatcher.changed:
            if entry.run in self._dispatcher.open:
                entry.control.pause()
                entry.pause.asked, entry.pause.asked_back = True, None

    def step(self, entry: OpenRun) -> None:
        """Let it do one epoch and wait again."""
        with self._dispatcher.changed:
            if entry.run not in self._dispatcher.open:
                return
            entry.pause.asked = True
            if not entry.pause.parked:
                entry.control.step()
                return
            entry.pause.steps += 1
            entry.pause.asked_back = entry.pause.asked_back or time.monotonic()
        self._dispatcher.hand_out()

    def resume(self, entry: OpenRun) -> None:
        """Let it go on, as soon as there is a worker for it."""
        with self._dispatcher.changed:
            if entry.run not in self._dispatcher.open:
                return
            entry.pause.asked = False
            if not entry.pause.parked:
                entry.control.resume()
                return
            entry.pause.steps = 0
            entry.pause.asked_back = entry.pause.asked_back or time.monotonic()
        self._dispatcher.hand_out()

    def park(self, entry: OpenRun, after: float) -> None:
        """Give the worker of a run that has waited for ``after`` seconds to others.

        Its job is asked to leave the worker's thread; once it has, which a later call finds, others may have the worker.
        """
        with self._dispatcher.changed:
            pause = entry.pause
            if not pause.asked or pause.parked or pause.since is None or time.monotonic() - pause.since < after:
                return
            if not pause.left:
                entry.control.leave()
                return
            pause.parked = True
        self._dispatcher.hand_out()
