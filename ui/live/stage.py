"""The stage: what the owner of a run shows to those who watch it (``watching``), which is the selected epoch.

The owner's page has a ticket that *leads*: with it the browser says each new epoch over the live route. The engine keeps the
newest, so that watchers get it in whatever process their connections end.
"""

import json
import os
import time
from typing import Any

from tsk_core.numbers import counted
from ui.live.subjects import FAST, SLOW, Subject, spec_of
from ui.platform.engine import get_engine

LAST_EPOCH = 10_000_000
_STAGE, _WATCHING = "stage", "watching "  # what the engine is told: the stage, and by each process how many watch, and when
_SAID, _STALE = 2.0, 6.0  # seconds after which a process says again how many watch, and after which that no longer counts


class StageSubject(Subject):
    """What is shown of a run, its "stage": "epoch", null for the newest, and "future", whether later epochs are drawn.

    leads: for the owner, whose "standing" of "stage RUN" says how many watch.
    """

    def __init__(self, run: str, leads: bool = False) -> None:
        super().__init__()
        self._run, self._leads = run, leads
        self._said: tuple[int, float] = (0, 0.0)  # how many watch, and when that was told

    def look(self) -> float | None:
        """Take what was told meanwhile."""
        engine, now = get_engine(), time.time()
        told = engine.told(self._run)
        if self._leads:
            known = [count for name, (count, at) in told.items() if name.startswith(_WATCHING) and at > now - _STALE]
            watching = f"{counted(sum(known), 'browser')} watching now." if sum(known) else "Nobody is watching yet."
            self.stream.set("standing", {"share": None, "text": watching}, f"stage {self._run}")
            return SLOW
        if self._said[0] != self.viewers or self._said[1] < now - _SAID:
            self._said = self.viewers, now
            engine.tell(self._run, f"{_WATCHING}{os.getpid()}", self._said)
        if _STAGE in told:
            self.stream.set("stage", told[_STAGE], self._run)
        return FAST


def lead(given: object, owner: str | None, stage: Any) -> None:
    """Show a stage to those who watch. given: the ticket that leads. ValueError, KeyError or TypeError for anything else."""
    spec = json.loads(spec_of(given, owner) or "{}")
    if spec["what"] != "stage" or not spec["leads"]:
        raise ValueError("this ticket does not lead")
    epoch, future = stage["epoch"], stage["future"]
    if type(future) is not bool or not (epoch is None or (type(epoch) is int and 0 <= epoch <= LAST_EPOCH)):
        raise ValueError("no stage")
    get_engine().tell(spec["run"], _STAGE, {"epoch": epoch, "future": future})
