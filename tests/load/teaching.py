"""A class on the page Learn: ``python -m tests.load.teaching --learners 30``.

Starts the app, sends a teacher and simulated learners in, and prints what they saw:

arrive   from the teacher's press on "Move everybody" to the learner's page with the prediction
lock     from the learner's press to the page that says that the prediction is locked
reveal   from the teacher's press on "Reveal" to the learner's page with the outcome
waiting  processor time of the app a second while everybody waits for the reveal
"""

import asyncio
import contextlib
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from tests.load.browser import Browser
from tests.load.figures import options, percentiles, show
from tests.load.page import Page
from tests.load.server import Server
from tsk_core.classroom import Classroom

QUIET = 5.0  # seconds of waiting that are measured
LESSON = """
format: 1
name: quick
title: Quick
sentence: What do ten epochs do?
minutes: 1
scenes:
  plain: {data: iris, settings: {n_rules: 3, max_epochs: 10, ur_weight: 0}}
question: {text: Three rules., charts: [firing], scene: plain, epoch: 0}
play: {text: Look., charts: [firing], scene: plain, control: epoch, values: [0, 5, 10]}
predict:
  text: How much does each rule fire at the end?
  scene: plain
  kind: bars
  labels: [first, second, third]
  outcome: {measure: firing, scene: plain}
run: {text: This is what happens., charts: [firing], scene: plain}
see: {text: "What did you see?", scene: plain, options: [{text: More, right: true}, {text: Less}]}
formula: {text: The bound., latex: '1/R'}
break: {text: Try more.}
"""


@dataclass
class Lecture:
    """What was seen. kept: the learners' predictions in the store. shown: how many learners saw the outcome. Times in seconds."""

    kept: list[list[float]] = field(default_factory=list)
    shown: int = 0
    errors: list[str] = field(default_factory=list)
    arrive: list[float | None] = field(default_factory=list)
    lock: list[float | None] = field(default_factory=list)
    reveal: list[float | None] = field(default_factory=list)
    waiting: float = 0.0


def teach(server: Server, learners: int, seconds: float = 60) -> Lecture:
    """One lecture with so many learners. Each learner waits up to ``seconds`` for each thing."""
    return asyncio.run(_teach(server, learners, seconds))


async def _teach(server: Server, learners: int, seconds: float) -> Lecture:
    seen = Lecture()
    async with contextlib.AsyncExitStack() as stack:
        teacher = await stack.enter_async_context(Browser(server.address, path="learn"))
        await teacher.open()
        await teacher.press("Start a class")
        code = parse_qs(teacher.page.query)["class"][0]
        await teacher.press(next(label for label in teacher.page.widgets if label.endswith(" Quick")))  # as "9. Quick"
        for _ in range(2):
            await teacher.press("Next")
        tabs = [await stack.enter_async_context(Browser(server.address, f"class={code}", path="learn")) for _ in range(learners)]
        await asyncio.gather(*(tab.open() for tab in tabs))
        seen.arrive = await _after(teacher, "Move everybody to step 3", tabs, _predicts, seconds)
        values = [[random.random() for _ in range(3)] for _ in tabs]
        seen.lock = list(
            await asyncio.gather(
                *(tab.report("predict:quick", "lock", {"value": value}) for tab, value in zip(tabs, values, strict=True))
            )
        )
        await asyncio.gather(*(_go_on(tab, seconds) for tab in tabs))
        classroom = Classroom(server.runs)
        seen.kept = classroom.of_class(code, "quick", "predict", classroom.state(code).teacher)
        assert sorted(seen.kept) == sorted(values)
        assert not any(_sees(tab.page) for tab in tabs)
        before = sum(server.process.cpu_times()[:2])
        await asyncio.sleep(QUIET)
        seen.waiting = (sum(server.process.cpu_times()[:2]) - before) / QUIET
        seen.reveal = await _after(teacher, "Reveal", tabs, _sees, seconds)
        seen.shown = sum(_sees(tab.page) for tab in tabs)
        seen.errors = [error for tab in (teacher, *tabs) for error in tab.page.errors]
    return seen


async def _after(
    teacher: Browser, label: str, tabs: list[Browser], true: Callable[[Page], bool], seconds: float
) -> list[float | None]:
    """Press the teacher's button; for each tab the seconds until ``true`` holds for its page."""
    began = time.monotonic()

    async def reached(tab: Browser) -> float:
        await tab.until(true, seconds)
        return time.monotonic() - began

    times = [asyncio.create_task(reached(tab)) for tab in tabs]
    await teacher.press(label)
    return list(await asyncio.gather(*times))


async def _go_on(tab: Browser, seconds: float) -> None:
    """Go to the screen that shows what happens, as soon as the button is there: a training that ends draws the page again."""
    await tab.until(lambda page: "Run it" in page.widgets and not page.widgets["Run it"].disabled, seconds)
    await tab.press("Run it")


def _predicts(page: Page) -> bool:
    return "predict:quick" in page.components


def _sees(page: Page) -> bool:
    return "Run it again" in page.widgets


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(__doc__, learners=(30, "simulated learners"), processes=(1, "processes that draw pages"))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "quick.yaml").write_text(LESSON)
        with Server(Path(folder), asked.processes, TSK_LESSONS_DIR=folder, TSK_WORKERS="1") as server:
            seen = teach(server, asked.learners)
    times = {name: percentiles(getattr(seen, name)) for name in ("arrive", "lock", "reveal")}
    said = {"predictions": len(seen.kept), "shown": seen.shown, "errors": seen.errors, "waiting_cpu": round(seen.waiting, 3)}
    show(f"{asked.learners} learners in a class", said | times)


if __name__ == "__main__":
    main()
