"""A run as a page keeps it up to date: two runs of a session's script may overlap in it."""

from types import SimpleNamespace

import pytest

from tsk_core.config import TrainConfig
from tsk_core.jobs import Status
from ui.runs.run_view import RunView

RUN = "1" * 32


class Engine:
    """Has one run; while the first refresh waits for its epochs, ``meanwhile`` happens, before or after these are read."""

    def __init__(self, meanwhile, *, late, state):
        self.epochs, self.meanwhile, self.late = [1, 2, 3], [meanwhile], late
        self.now = Status(RUN, state, attempt=1)

    def watch(self, run):
        pass

    def status(self, run):
        return self.now

    def history(self, run, since=0):
        early = self.epochs[since:]
        if self.meanwhile:
            self.meanwhile.pop()()
        return self.epochs[since:] if self.late else early

    def result(self, run):
        return SimpleNamespace(config=TrainConfig())


@pytest.mark.parametrize("late", [False, True], ids=["read before the other", "read after the other"])
@pytest.mark.parametrize("state", ["running", "stopped"])
def test_two_refreshes_that_overlap_leave_each_epoch_once(monkeypatch, late, state):
    view = RunView(RUN, TrainConfig(), {}, 0.3, Status(RUN, "running", attempt=1), history=[1, 2])

    def other():
        engine.epochs.append(4)
        view.refresh()

    engine = Engine(other, late=late, state=state)
    monkeypatch.setattr("ui.runs.run_view.get_engine", lambda: engine)
    view.refresh()
    assert view.history == [1, 2, 3, 4] and view.status is engine.now
    engine.epochs.append(5)
    view.refresh()
    assert view.history == [1, 2, 3, 4, *([5] if state == "running" else [])]
