"""Nothing grows: two equal batches of 100 short runs, and what is left after each: ``python -m tests.load.growth``.

Through simulated browsers that come and go, or (``--engine``) through an Engine alone. After the second batch the memory of
app, cluster and workers has to be within 5% of what it was after the first, and files and threads no more.
"""

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from tests.load.browser import Browser, Trouble
from tests.load.crowd import ended
from tests.load.figures import Usage, options, show
from tests.load.server import Server

QUERY = "data=iris&epochs=5&rules=3"
SHARE = 0.05
KEPT = 125  # seconds: Streamlit keeps a closed tab's session for 120, for a browser that connects again
SETTLE = 3  # seconds from the end of a batch to the look at what it left
PARTS = ("app", "cluster", "workers")


class Visitors:
    """``tabs`` open tabs, in which one Train after the other is pressed; closed at the end of the ``with`` block."""

    def __init__(self, server: Server, tabs: int) -> None:
        self._runner = asyncio.Runner()
        self._tabs = [Browser(server.address, QUERY) for _ in range(tabs)]

    def __enter__(self) -> "Visitors":
        self._runner.run(self._all(Browser.open))
        return self

    def __exit__(self, *error: object) -> None:
        self._runner.run(self._all(Browser.close))
        self._runner.close()

    def train(self, runs: int) -> None:
        """``runs`` trainings, shared out equally; Trouble when one does not finish."""
        times = runs // len(self._tabs)
        self._runner.run(self._all(lambda tab: _train(tab, times)))

    async def _all(self, action: Callable[[Browser], Awaitable]) -> None:
        await asyncio.gather(*(action(tab) for tab in self._tabs))


async def _train(tab: Browser, times: int) -> None:
    for _ in range(times):
        await tab.press("Train")
        await tab.until(ended, 120)
        if not tab.page.progress.startswith("Finished in"):
            raise Trouble(f"A run did not finish: {tab.page.progress} {tab.page.errors}.")


def come_and_go(server: Server, runs: int, tabs: int, linger: float) -> None:
    """``runs`` trainings by ``tabs`` visitors who then close their tabs; ``linger`` seconds later someone looks in."""
    with Visitors(server, tabs) as visitors:
        visitors.train(runs)
    time.sleep(linger)
    with Visitors(server, 1):  # Streamlit forgets sessions that are too old when it keeps another one
        pass


def through_engine(engine, dataset, runs: int) -> None:
    """``runs`` trainings, one after the other for each of ten owners, and their results read."""
    from tsk_core import TrainConfig

    config = TrainConfig(n_rules=3, max_epochs=5, random_state=0)
    for _ in range(runs // 10):
        batch = [engine.submit(config, dataset, owner=f"owner {number}") for number in range(10)]
        for run in batch:
            engine.result(run, timeout=120)
    gc.collect()


def growth(process: psutil.Process, batch: Callable[[], None], settle: float = SETTLE) -> dict:
    """Run ``batch`` twice; ``settle`` seconds after each, look at ``process`` and those below it.

    ``grown``: by part, memory after the second over memory after the first, less one; ``left``: files and threads more.
    """
    usage, looks = Usage(process), []
    for _ in range(2):
        batch()
        time.sleep(settle)
        looks.append(usage.read())
    first, second = looks
    return {
        "after_first": {part: first[part] for part in PARTS},
        "after_second": {part: second[part] for part in PARTS},
        "grown": {part: round(second[part]["memory_mb"] / first[part]["memory_mb"] - 1, 4) for part in PARTS},
        "left": {part: {what: second[part][what] - first[part][what] for what in ("files", "threads")} for part in PARTS},
    }


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(
        __doc__, runs=(100, "in each batch"), tabs=(5, "open at a time"), engine=(False, "through an Engine alone, without pages")
    )
    with tempfile.TemporaryDirectory() as folder:
        if asked.engine:
            figures = _with_engine(Path(folder), asked.runs)
        else:
            with Server(Path(folder), TSK_WORKERS="2") as server:
                figures = growth(server.process, lambda: come_and_go(server, asked.runs, asked.tabs, KEPT))
    show(f"two batches of {asked.runs} runs, {'through an engine' if asked.engine else 'through browsers'}", figures)


def _with_engine(folder: Path, runs: int) -> dict:
    from tsk_core import load_dataset
    from tsk_core.jobs import Engine

    os.environ["TSK_WORKERS"] = "2"
    iris = load_dataset("iris")
    with Engine(folder) as engine:
        return growth(psutil.Process(), lambda: through_engine(engine, iris, runs))


if __name__ == "__main__":
    main()
