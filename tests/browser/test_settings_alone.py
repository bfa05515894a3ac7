"""A setting in sight that changes is drawn alone, and whatever else on the page depends on it is drawn too.

The visitor has no screen (tests/load): what the server sends says what it drew.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.load.browser import Browser
from tests.load.crowd import ended
from tsk_core.config import STARTING_POINTS

pytestmark = pytest.mark.browser

RULES, WEIGHT, RATE, ANSWERS = "Rules R", "UR weight λ", "Learning rate η", "Train on change"
PAPERS = STARTING_POINTS["paper"].n_rules


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


def run(server, query, visit):
    """Run a visit, in a thread of its own since Playwright's event loop has this one."""

    async def whole():
        async with Browser(server, query) as tab:
            await tab.open()
            await visit(Visitor(tab))
            assert tab.page.errors == []

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, whole()).result()


def test_before_training_a_setting_in_sight_is_drawn_with_what_changed(server):
    async def visit(someone):
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

    run(server, "data=iris", visit)


def test_after_a_run_the_buttons_are_drawn_where_anything_begins_to_differ_from_it(server):
    async def visit(someone):
        await someone.change(ANSWERS, False)  # else the page is drawn with the next run
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

    run(server, "data=iris&epochs=3", visit)


def test_a_press_that_comes_with_a_changed_setting_is_carried_out_with_it(server):
    async def visit(someone):
        tab = someone.tab
        await someone.change(ANSWERS, False)
        fragment = tab.page.change(RULES, 9).fragment
        train = tab.page.change("Train", True)
        whole, texts = await someone.answer(tab._rerun(fragment, tab.page.states.pop(train.id)))
        assert fragment and whole and f"R {PAPERS} → 9" in texts
        await tab.until(ended)
        await asyncio.sleep(1)
        whole, texts = await someone.change(RULES, PAPERS)  # the run has nine
        assert whole and "Showing iris, R 9" in texts

    run(server, "data=iris&epochs=3", visit)
