"""A class of visitors: all open the page at once, all press Train at once, all click about until the last run has ended."""

import asyncio
import random
from dataclasses import dataclass, field

from tests.load.browser import Browser, Trouble
from tests.load.page import Page

ENDINGS = ("Finished in", "Stopped", "Ended without")  # what the text beside the progress bar begins with, once a run ended
RULES = "Rules R"  # the setting that visitors change while they wait
PAUSE = (1.0, 4.0)  # seconds between two clicks of one visitor


@dataclass
class Visit:
    """What one visitor saw, in seconds. trouble: why it did not get to the end, or what the page complained about."""

    opened: float | None = None
    pressed: float | None = None
    clicks: list[float] = field(default_factory=list)
    finished: float | None = None
    trouble: str = ""


class _Class:
    """What the visitors of one class share: the moment when all pages are open, and the one when all runs have ended."""

    def __init__(self, size: int) -> None:
        self.everyone_here = asyncio.Barrier(size)
        self.training = size
        self.all_done = asyncio.Event()

    def leave(self) -> None:
        """One more run has ended, or will never begin."""
        self.training -= 1
        if not self.training:
            self.all_done.set()


def ended(page: Page) -> bool:
    """Whether the run on the page has come to its end, in whatever way."""
    return page.progress.startswith(ENDINGS) or bool(page.errors)


async def rehearse(address: str, query: str, seconds: float = 120) -> None:
    """One visitor trains once, so that everything the app loads when first used is there."""
    async with Browser(address, query) as tab:
        await tab.open()
        await tab.press("Train")
        await tab.until(ended, seconds)


async def visit_all(
    address: str, query: str, visitors: int, *, first_visit: bool = False, seconds: float = 300, seed: int = 0
) -> list[Visit]:
    """Send a class in; returns one Visit each, and ends after ``seconds`` at the latest. first_visit: with empty caches."""
    group = _Class(visitors)
    visits = [Visit() for _ in range(visitors)]
    tasks = [
        asyncio.create_task(_visit(visit, Browser(address, query, first_visit), group, random.Random(seed + number)))
        for number, visit in enumerate(visits)
    ]
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()
    for visit, outcome in zip(visits, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
        if isinstance(outcome, asyncio.CancelledError):
            visit.trouble = visit.trouble or f"Not done after {seconds:g} s."
        elif outcome is not None:
            raise outcome
    return visits


async def _visit(visit: Visit, tab: Browser, group: _Class, chance: random.Random) -> None:
    async with tab:
        try:
            try:
                visit.opened = await tab.open()
            finally:
                await group.everyone_here.wait()
            await _train(visit, tab, group, chance)
        except Trouble as error:
            visit.trouble = str(error)
            group.leave()
        await group.all_done.wait()


async def _train(visit: Visit, tab: Browser, group: _Class, chance: random.Random) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    visit.pressed = await tab.press("Train")
    clicking = asyncio.create_task(_click_about(visit, tab, group, chance))
    try:
        await tab.until(ended, 600)
        visit.finished = loop.time() - began
        visit.trouble = "" if tab.page.progress.startswith("Finished in") else f"{tab.page.progress} {tab.page.errors}"
        group.leave()
        await clicking
    finally:
        clicking.cancel()


async def _click_about(visit: Visit, tab: Browser, group: _Class, chance: random.Random) -> None:
    """Change a setting now and then, as long as anyone trains."""
    while not group.all_done.is_set():
        await asyncio.sleep(chance.uniform(*PAUSE))
        if not group.all_done.is_set():
            visit.clicks.append(await tab.change(RULES, chance.randint(5, 60)))
