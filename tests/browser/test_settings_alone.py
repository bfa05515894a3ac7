"""A setting in sight that changes is drawn alone, and whatever else on the page depends on it is drawn too.

The visitor has no screen (tests/load): what the server sends says what it drew.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlencode

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.load.browser import Browser
from tests.load.crowd import ended
from tsk_core.config import SETTINGS, STARTING_POINTS
from ui.presets import PRESETS

pytestmark = pytest.mark.browser

RULES, WEIGHT, RATE = "Rules R", "Uniform regularisation λ", "Learning rate η"
PAPERS = STARTING_POINTS["paper"].n_rules


def run(visit):
    """Run a visit, in a thread of its own since Playwright's event loop has this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, visit).result()


class Visitor:
    """A visitor of Explore who knows what each answer of the server drew."""

    def __init__(self, tab):
        self.tab, self.raw = tab, []
        tab.on_raw = self.raw.append

    async def change(self, label, value):
        return await self.answer(self.tab.change(label, value))

    async def press(self, label):
        return await self.answer(self.tab.press(label))

    async def answer(self, request):
        """Whether the whole page was drawn, and the texts that were."""
        self.raw.clear()
        await request
        texts = " | ".join(one.delta.new_element.markdown.body for one in self.messages("delta"))
        return self.page_was_drawn(), texts.replace("\\", "")  # as people read them

    def messages(self, kind):
        """The messages of one kind that came since the last ``raw.clear()``."""
        return [one for one in map(ForwardMsg.FromString, self.raw) if one.WhichOneof("type") == kind]

    def page_was_drawn(self):
        return any(not one.metadata.run.fragment_ids for one in self.messages("new_session"))

    def intervals(self):
        """The intervals of ticks that the browser was told, one after the other."""
        return [one.auto_rerun.interval for one in self.messages("auto_rerun")]


@asynccontextmanager
async def visitor(server, query):
    async with Browser(server, query) as tab:
        await tab.open()
        yield Visitor(tab)
        assert tab.page.errors == []


def test_before_training_a_setting_in_sight_is_drawn_with_what_changed(server):
    async def visit():
        async with visitor(server, "data=iris") as someone:
            whole, texts = await someone.change(RULES, 7)
            assert (whole, f"R {PAPERS} → 7" in texts) == (False, True)
            assert len(someone.raw) < 30
            whole, texts = await someone.change(RATE, 0.02)  # in a box
            assert whole and f"R {PAPERS} → 7" in texts
            whole, texts = await someone.press("Undo")  # of what is in a box
            assert whole and f"Changed: R {PAPERS} → 7" in texts
            whole, texts = await someone.press("Undo")
            assert (whole, "All settings as in the starting point Paper" in texts) == (False, True)
            assert "rules" not in someone.tab.page.query

    run(visit())


def test_a_remark_and_a_preset_are_drawn_as_soon_as_they_apply(server):
    async def of_remark():
        async with visitor(server, f"data=iris&{SETTINGS['sharpness'].key}=0.3") as someone:
            assert not (await someone.change(WEIGHT, 2.0))[0]
            whole, texts = await someone.change(WEIGHT, 0.0)
            assert whole and "Sharpness without UR" in texts

    async def of_preset():
        preset = next(one for one in PRESETS if one.data == "spirals")
        rules, link = preset.config.n_rules, {"data": preset.data, **preset.config.to_url()}
        async with visitor(server, urlencode(link | {"rules": rules + 2})) as someone:
            assert not (await someone.change(RULES, rules + 1))[0]
            whole, texts = await someone.change(RULES, rules)
            assert whole and "material/visibility" in texts
            assert (await someone.change(RULES, rules + 1))[0]

    run(of_remark())
    run(of_preset())


def test_beside_a_run_that_goes_on_a_setting_is_drawn_with_what_differs_from_the_run(server):
    async def visit():
        async with visitor(server, "data=iris&epochs=10000") as someone:
            await someone.press("Train")
            await someone.tab.until(lambda page: page.progress.startswith("Training"))  # a worker may just be starting
            whole, texts = await someone.change(RULES, 7)
            assert not whole and f"Showing iris, R {PAPERS}." in texts
            whole, texts = await someone.change(WEIGHT, 2.0)
            assert not whole and f"Showing iris, R {PAPERS}, λ 1." in texts
            whole, texts = await someone.change(WEIGHT, 1.0)
            assert not whole and f"Showing iris, R {PAPERS}." in texts
            whole, texts = await someone.change(RULES, PAPERS)
            assert not whole and "Showing" not in texts
            await someone.press("Stop")

    run(visit())


def test_after_a_run_the_buttons_are_drawn_where_anything_begins_to_differ_from_it(server):
    async def visit():
        async with visitor(server, "data=iris&epochs=3") as someone:
            await someone.press("Train")
            await someone.tab.until(ended)
            await asyncio.sleep(1)  # the page is drawn once more
            assert someone.tab.page.widgets["Step"].disabled
            whole, texts = await someone.change(RULES, 7)
            assert whole and f"Showing iris, R {PAPERS}" in texts and not someone.tab.page.widgets["Step"].disabled
            assert not (await someone.change(RULES, 8))[0]
            whole, texts = await someone.change(WEIGHT, 2.0)
            assert not whole and f"Showing iris, R {PAPERS}, λ 1" in texts
            await someone.change(WEIGHT, 1.0)
            whole, texts = await someone.change(RULES, PAPERS)
            assert whole and "Showing" not in texts and someone.tab.page.widgets["Step"].disabled

    run(visit())


def test_a_run_that_comes_nearer_in_the_queue_is_looked_at_more_often_and_the_page_is_not_drawn(server):
    async def visit():
        async with AsyncExitStack() as stack:
            first, second, third, last = [
                await stack.enter_async_context(visitor(server, f"data=iris&epochs={epochs}")) for epochs in (10000, 10000, 3, 3)
            ]
            for someone in (first, second, third, last):
                await someone.press("Train")
            await last.tab.until(lambda page: "Number 3" in page.progress)
            (before,) = last.intervals()
            last.raw.clear()
            await first.press("Stop")  # its worker takes the second
            await last.tab.until(lambda page: "Number 2" in page.progress)
            await asyncio.sleep(0.2)  # the new interval follows what is drawn
            (after,) = last.intervals()
            assert after < before and not last.page_was_drawn()
            await second.press("Stop")

    run(visit())


def test_a_press_that_comes_with_a_changed_setting_is_carried_out_with_it(server):
    async def visit():
        async with visitor(server, "data=iris&epochs=3") as someone:
            tab = someone.tab
            fragment = tab.page.change(RULES, 9).fragment
            train = tab.page.change("Train", True)
            whole, texts = await someone.answer(tab._rerun(fragment, tab.page.states.pop(train.id)))
            assert fragment and whole and f"R {PAPERS} → 9" in texts
            await tab.until(ended)
            await asyncio.sleep(1)
            whole, texts = await someone.change(RULES, PAPERS)  # the run has nine
            assert whole and "Showing iris, R 9" in texts

    run(visit())
