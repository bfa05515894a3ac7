"""A day of short visits in fast motion, and what it leaves: ``python -m tests.load.soak --visits 10000``.

Each visitor opens a page, the pages taking turns, changes a setting where it has one, and closes the tab; each twentieth trains.
Printed are, after each tenth of the visits, memory, files and threads of the app's processes and the files in its folder of runs.
Streamlit keeps the session of a closed tab for two minutes, so all of it grows until as many sessions end as begin; ``grown`` and
``more`` compare the last tenth with the third.
"""

import asyncio
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.load.browser import Browser, Trouble
from tests.load.crowd import RULES, ended
from tests.load.figures import Usage, options, show
from tests.load.growth import PARTS, QUERY
from tests.load.server import Server

PAGES = ("", "learn", "", "compare", "", "sweep", "", "paper", "", "runs")
TRAINS = 20  # one visitor in so many
TENTHS = 10
UNLIMITED = {"TSK_MAX_PAGES_PER_ADDRESS": "100000", "TSK_MAX_CONNECTIONS_PER_ADDRESS": "100000"}  # all come from this machine


def soak(server: Server, visits: int, tabs: int) -> Iterator[dict]:
    """What is there after each tenth of the visits, ``tabs`` at a time."""
    usage, numbers = Usage(server.process), itertools.count()
    for tenth in range(TENTHS):
        began = time.monotonic()
        troubles = asyncio.run(_tenth(server.address, numbers, visits // TENTHS, tabs))
        seconds = round(time.monotonic() - began, 1)
        found = usage.read()
        yield {
            "visits": (tenth + 1) * (visits // TENTHS), "seconds": seconds, "troubles": troubles,
            "runs_files": sum(path.is_file() for path in server.runs.rglob("*")), **{part: found[part] for part in PARTS},
        }  # fmt: skip


async def _tenth(address: str, numbers: Iterator[int], visits: int, tabs: int) -> list[str]:
    """So many visits; returns what visitors could not do."""
    mine, troubles = itertools.islice(numbers, visits), list[str]()

    async def visit_on() -> None:
        for number in mine:
            try:
                await _visit(address, number)
            except Trouble as error:
                troubles.append(str(error))

    await asyncio.gather(*(visit_on() for _ in range(tabs)))
    return troubles


async def _visit(address: str, number: int) -> None:
    path = PAGES[number % len(PAGES)]
    async with Browser(address, "" if path else QUERY, path=path) as tab:
        await tab.open()
        if path:
            return
        await tab.change(RULES, 5 + number % 20)
        if number % TRAINS == 0:
            await tab.press("Train")
            await tab.until(ended, 120)


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(__doc__, visits=(10_000, "in all"), tabs=(4, "open at a time"))
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), TSK_WORKERS="1", **UNLIMITED) as server:
        looks = []
        for look in soak(server, asked.visits, asked.tabs):
            looks.append(look)
            print(look, flush=True)
        left = len(server.end())
    third, last = looks[2], looks[-1]
    grown = {part: round(last[part]["memory_mb"] / third[part]["memory_mb"] - 1, 4) for part in PARTS}
    more = {what: sum(last[part][what] - third[part][what] for part in PARTS) for what in ("files", "threads")}
    troubles = sum(len(look["troubles"]) for look in looks)
    show(f"{asked.visits} short visits", {"grown": grown, "more": more, "troubles": troubles, "left_behind": left})


if __name__ == "__main__":
    main()
