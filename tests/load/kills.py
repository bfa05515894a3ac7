"""Kill -9 of a worker, of the cluster's process and of the app while a class trains: ``python -m tests.load.kills --kills 30``.

Each kill comes at a random moment, and is followed by proof that the app works again: a run that began after it has finished.
Asked of the app: no finished run is lost, no process is left 10 s after its parent's death, no run of before stays open.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.load.browser import Browser, Trouble
from tests.load.crowd import ended
from tests.load.figures import options, percentiles, show
from tests.load.ledger import OPEN, states
from tests.load.server import Server, gone

KINDS = ("workers", "cluster", "app")
PATIENCE = 90.0  # seconds for the app to work again


@dataclass
class Toll:
    """What was found. finished: every run that was ever seen finished. stuck: runs still open that must not be."""

    finished: set[str] = field(default_factory=set)
    orphans: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    not_again: list[str] = field(default_factory=list)
    recovery: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    killed: Counter = field(default_factory=Counter)


async def kills(server: Server, each: int, *, visitors: int = 6, epochs: int = 200, seed: int = 0) -> Toll:
    """Kill each kind of process ``each`` times, in random order, under the load of ``visitors``; the app stays up at the end."""
    toll, chance, enough = Toll(), random.Random(seed), asyncio.Event()
    students = [asyncio.create_task(_train_again(server, epochs, enough)) for _ in range(visitors)]
    try:
        await _works_again(server, toll, set())
        for kind in chance.sample(KINDS * each, k=each * len(KINDS)):
            await asyncio.sleep(chance.uniform(0.0, 1.5))
            await _kill_one(server, kind, toll, chance)
    finally:
        enough.set()
        await asyncio.gather(*students)
    await _settle(server, toll)
    return toll


def lost(server: Server, toll: Toll) -> list[str]:
    """Runs that were finished and are not, or that do not open any more."""
    from tsk_core.errors import TSKError
    from tsk_core.runs import RunStore

    store, gone_runs = RunStore(server.runs, recover=False), []
    for run in sorted(toll.finished):
        try:
            if store.record(run).state != "finished" or not store.result(run).history:
                gone_runs.append(run)
        except TSKError as error:
            gone_runs.append(f"{run}: {error}")
    return gone_runs


async def _train_again(server: Server, epochs: int, enough: asyncio.Event) -> None:
    """A visitor who presses Train again whenever a run has ended, and opens the page again whenever it is gone."""
    while not enough.is_set():
        try:
            async with Browser(server.address, f"data=iris&epochs={epochs}") as tab:
                await tab.open()
                while not enough.is_set():
                    await tab.press("Train")
                    await tab.until(ended, PATIENCE)
        except Trouble:
            await asyncio.sleep(0.3)


async def _kill_one(server: Server, kind: str, toll: Toll, chance: random.Random) -> None:
    toll.finished |= _in_state(server, "finished")
    victims = server.parts()[kind]
    if not victims:  # it is only just coming up again
        toll.not_again.append(kind)
        return
    victim = chance.choice(victims)
    family = victim.children(recursive=True)
    before, began = set(states(server.runs)), time.monotonic()
    if kind == "app":
        family = server.kill()
    else:
        victim.kill()
    toll.killed[kind] += 1
    left = await asyncio.to_thread(gone, family, 10)
    toll.orphans += [_name(process) for process in left]
    if kind == "app":
        await asyncio.to_thread(server.start)
    await _works_again(server, toll, before)
    toll.recovery[kind].append(time.monotonic() - began)
    if kind == "app":
        now = states(server.runs)
        toll.stuck += [run for run in before if now.get(run) in OPEN]


async def _works_again(server: Server, toll: Toll, before: set[str]) -> None:
    """Wait until a run that is not among ``before`` has finished."""
    deadline = time.monotonic() + PATIENCE
    while not _in_state(server, "finished") - before:
        if time.monotonic() > deadline:
            toll.not_again.append(f"no run finished within {PATIENCE:g} s; {Counter(states(server.runs).values())}")
            return
        await asyncio.sleep(0.1)


async def _settle(server: Server, toll: Toll) -> None:
    """Nobody presses anything any more: what is open ends within a minute."""
    deadline = time.monotonic() + 60
    while (still := _in_state(server, *OPEN)) and time.monotonic() < deadline:
        await asyncio.sleep(0.2)
    toll.stuck += sorted(still)
    toll.finished |= _in_state(server, "finished")


def _in_state(server: Server, *wanted: str) -> set[str]:
    return {run for run, state in states(server.runs).items() if state in wanted}


def _name(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return f"process {process.pid}"


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(
        __doc__, kills=(30, "of each kind"), visitors=(6, "who train all the time"), seed=(0, "of the order and the moments")
    )
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), TSK_WORKERS="2") as server:
        toll = asyncio.run(kills(server, asked.kills, visitors=asked.visitors, seed=asked.seed))
        left = [_name(process) for process in server.end()]
        figures = {
            "killed": dict(toll.killed),
            "finished_runs": len(toll.finished),
            "finished_runs_lost": len(lost(server, toll)),
            "orphans": len(toll.orphans) + len(left),
            "stuck_runs": len(toll.stuck),
            "not_working_again": toll.not_again,
            "states": dict(Counter(states(server.runs).values())),
            **{f"works_again_after_{kind}_s": percentiles(times) for kind, times in toll.recovery.items()},
            "wall_s": round(time.monotonic() - began, 1),
        }
    show(f"{asked.kills} kills -9 each of worker, cluster and app under load", figures)


if __name__ == "__main__":
    main()
