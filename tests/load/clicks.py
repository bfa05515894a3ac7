"""What a click costs the server: ``python -m tests.load.clicks``.

One visitor clicks on Explore, again and again, and nobody else is there. Printed is, for each kind of click, the processor time
of the app's process in milliseconds, the messages to the browser and their bytes. Processor time depends far less than seconds
on what else the machine does; least_ms is that of the cheapest block of ten clicks, which depends on it least of all.
``python -m tests.load.fifty`` measures what a class waits.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import psutil
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.load.browser import Browser
from tests.load.crowd import RULES, ended
from tests.load.figures import options, show
from tests.load.server import Server

WEIGHT, SIZE, RATE = "UR weight λ", "Batch size B", "Learning rate η"
BLOCK = 10  # clicks
QUERY = "data=iris&epochs=30"
Click = Callable[[int], Awaitable[object]]


class _Costs:
    """Processor time of a process and messages to a tab, between two looks."""

    def __init__(self, process: psutil.Process, tab: Browser) -> None:
        self._process, self._messages, self._references, self._bytes = process, 0, 0, 0
        tab.on_raw = self._count

    def _count(self, raw: bytes) -> None:
        self._messages += 1
        self._references += ForwardMsg.FromString(raw).WhichOneof("type") == "ref_hash"
        self._bytes += len(raw)

    def now(self) -> tuple[float, int, int, int]:
        """Seconds, messages, those of them that only name one that the browser has, bytes."""
        times = self._process.cpu_times()
        return times.user + times.system, self._messages, self._references, self._bytes


async def _measured(costs: _Costs, click: Click, blocks: int) -> dict[str, float]:
    """The costs of one click, on average over so many blocks after a few clicks that are not counted."""
    for k in range(3):
        await click(k)
    looks = [costs.now()]
    for block in range(blocks):
        for k in range(BLOCK):
            await click(block * BLOCK + k + 1)
        looks.append(costs.now())
    seconds, messages, references, size = (now - then for now, then in zip(looks[-1], looks[0], strict=True))
    clicks = blocks * BLOCK
    return {
        "cpu_ms": round(1000 * seconds / clicks, 1),
        "least_ms": round(1000 * min(after[0] - before[0] for before, after in pairwise(looks)) / BLOCK, 1),
        "messages": round(messages / clicks, 1),
        "references": round(references / clicks, 1),
        "bytes": round(size / clicks),
    }


async def clicks(server: Server, blocks: int) -> dict[str, dict[str, float]]:
    """Kind of click -> its costs. blocks: of ten clicks each, of each kind."""
    async with Browser(server.address, QUERY) as tab:
        await tab.open()
        costs, found = _Costs(server.process, tab), {}
        changes = {
            "R": lambda k: tab.change(RULES, 5 + k % 50),
            "λ": lambda k: tab.change(WEIGHT, float(k % 7)),
            "batch size": lambda k: tab.change(SIZE, 16 + k % 100),
            "learning rate": lambda k: tab.change(RATE, 0.01 + 0.001 * (k % 9)),
        }
        for name, click in changes.items():
            found[f"{name}, before training"] = await _measured(costs, click, blocks)
        await tab.press("Train")
        await tab.until(ended, 60)
        await asyncio.sleep(1)  # the page that says so is drawn once more
        for name, click in changes.items():
            found[f"{name}, beside a run"] = await _measured(costs, click, blocks)
    return found


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(__doc__, blocks=(4, "of ten clicks each, of each kind"))
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), TSK_WORKERS="1") as server:
        found = asyncio.run(clicks(server, asked.blocks))
    show(f"The cost of a click, {asked.blocks * BLOCK} clicks of each kind", found)


if __name__ == "__main__":
    main()
