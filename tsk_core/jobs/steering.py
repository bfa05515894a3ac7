"""Steering: what people ask of an open run, or the supervisor in their place: stop, pause, step, resume, leave the worker."""

from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import OpenRuns

__all__ = ["Steering"]


class Steering:
    """Steers the runs of a table; those that ended meanwhile stay as they are. RunError where the disk is full."""

    def __init__(self, runs: OpenRuns, dispatcher: Dispatcher) -> None:
        self._runs, self._dispatcher = runs, dispatcher

    def stop(self, run: OpenRun, reason: str, queued: str = "") -> None:
        """End a run after its current step; a queued one at once. queued: the reason then, where that differs."""
        if not run.stop_when_back and self._runs.unqueue(run):
            self._dispatcher.end(run, "stopped", queued or reason)
        elif self._runs.stop_aside(run, reason):
            self._dispatcher.hand_out()
        elif run.run in self._runs:
            run.control.stop(reason)

    def set_aside(self, run: OpenRun) -> None:
        """Take a run that waits out of the memory of its worker; it begins again when it is resumed."""
        run.control.set_aside()

    def stop_when_back(self, run: OpenRun) -> None:
        """End a run that was stopped while it was set aside, once it is where it was."""
        if run.stop_when_back and run.pause.since is not None:
            run.control.stop(run.stop_when_back)

    def pause(self, run: OpenRun) -> None:
        """Let it wait after its current step."""
        run.control.pause()
        self._runs.pause(run)

    def step(self, run: OpenRun) -> None:
        """Let it do one step and wait again."""
        if self._runs.grant(run, 1):
            run.control.step()
        else:
            self._dispatcher.hand_out()

    def resume(self, run: OpenRun) -> None:
        """Let it continue, as soon as there is a worker for it."""
        if self._runs.grant(run, 0):
            run.control.resume()
        self._dispatcher.hand_out()  # a run that was parked or set aside waits for a worker

    def park(self, run: OpenRun, after: float) -> None:
        """Give the worker of a run that has waited for ``after`` seconds to others.

        Its task is asked to leave the worker's thread; once it has, which a later call finds, others may have the worker.
        """
        asked = self._runs.park(run, after)
        if asked == "leave":
            run.control.leave()
        elif asked == "parked":
            self._dispatcher.hand_out()
