"""A place with charts: drawn in place, at the right size, in the right colours, and gone without a trace."""

import re

import pytest
from playwright.sync_api import expect

from tests.client.conftest import Client
from tests.client.messages import DECLARED, make_history, make_shown, message_of

pytestmark = pytest.mark.browser

MOUNT = """
const { load, mount } = await import("/client/client.js");
const parent = document.getElementById(given[1]);
await load(given[2]);
globalThis.leave = mount(parent, { views: given[0] });
"""


class Place:
    """A page with a place on it."""

    def __init__(self, client):
        self.client, self.page = client, client.open().page
        self.page.set_viewport_size({"width": 1000, "height": 800})

    def mount(self, *views, on="place"):
        self.client.run(MOUNT, list(views), on, DECLARED)

    def receive(self, *runs, **options):
        self.client.run("(await import('/client/core/store.js')).receive(given[0]);", message_of(*runs, **options))

    def chart(self, view="loss"):
        return self.page.locator(f".tsk-view-{view} .tsk-chart")

    def drawn(self, view="loss"):
        expect(self.chart(view).locator(".main-svg").first).to_be_visible()
        return self.chart(view)

    def until(self, condition, *given):
        self.page.wait_for_function(f"(given) => {{ {condition} }}", arg=list(given))


@pytest.fixture
def place(client):
    return Place(client)


def run(epochs=5, name="now", **options):
    return make_shown(make_history(epochs), name, **options)


def test_charts_are_updated_in_place_and_can_be_saved_as_soon_as_there_is_one(place):
    place.mount("loss", "firing", "confusion")
    buttons = place.page.get_by_role("group", name="Save this figure").filter(visible=True)
    expect(place.page.locator(".tsk-view-confusion .tsk-caption")).to_contain_text("appears after the first epochs")
    expect(buttons).to_have_count(0)
    place.receive(run(2))
    place.drawn(), place.drawn("firing")
    expect(buttons).to_have_count(2)  # there is no evaluation yet
    place.client.run("globalThis.nodes = [...document.querySelectorAll('.tsk-chart, .main-svg')];")
    place.receive(run(9))
    for view in ("loss", "firing"):
        expect(place.chart(view)).to_have_attribute("aria-label", re.compile("epoch 9", re.IGNORECASE))
    assert place.client.run(
        "const now = [...document.querySelectorAll('.tsk-chart, .main-svg')]; return now.every((node, k) => node === nodes[k]);"
    )


def test_a_hidden_chart_is_drawn_as_soon_as_it_is_opened(place):
    place.page.evaluate("document.getElementById('place').style.display = 'none'")
    place.mount("loss", "heat")
    place.receive(run())
    place.client.frames()
    expect(place.page.locator(".main-svg")).to_have_count(0)
    place.page.evaluate("document.getElementById('place').style.display = ''")
    place.drawn(), place.drawn("heat")


def test_charts_follow_the_colours_that_the_server_sends_and_those_that_the_page_takes_by_itself(place):
    place.receive(run())
    place.mount("loss")
    place.drawn()
    title = "return getComputedStyle(document.querySelector('.tsk-chart .xtitle')).fill === given[0];"
    place.until(title, "rgb(38, 39, 48)")
    place.receive(run(), dark=True)
    place.until(title, "rgb(230, 230, 230)")
    for scheme, ink, seen in (("light", "#222", "rgb(38, 39, 48)"), ("dark", "#eee", "rgb(230, 230, 230)")):
        place.client.run("Object.assign(document.body.style, { colorScheme: given[0], color: given[1] });", scheme, ink)
        place.until(title, seen)


def test_a_place_that_is_left_draws_no_more_and_keeps_no_listeners(place):
    place.receive(run())
    place.mount("epochs", "order", "loss", "firing")
    place.drawn()
    session = place.page.context.new_cdp_session(place.page)

    def listeners():
        session.send("HeapProfiler.collectGarbage")
        return {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}["JSEventListeners"]

    session.send("Performance.enable")
    before = listeners()
    for _ in range(20):
        place.client.run("leave();")
        place.mount("epochs", "order", "loss", "firing")
    assert listeners() <= before
    expect(place.page.locator(".tsk-chart")).to_have_count(2)  # the same nodes
    place.client.run("leave();")
    said = place.chart().get_attribute("aria-label")
    place.receive(run(9))
    place.client.frames()
    assert place.chart().get_attribute("aria-label") == said
    place.page.set_viewport_size({"width": 500, "height": 800})
    place.client.frames()
    assert place.chart().get_attribute("aria-label") == said


def test_a_line_hidden_in_the_legend_stays_hidden(place):
    place.receive(run(9), run(3, "other", metrics={}))
    place.mount("accuracy")
    place.drawn("accuracy")
    place.page.locator(".tsk-view-accuracy .legendtoggle").first.click()  # RCA test
    hidden = """const traces = document.querySelector(".tsk-chart")._fullData.filter((t) => t.visible === "legendonly");
        return [...new Set(traces.map((t) => t.name))];"""
    place.until(f"const names = (() => {{ {hidden} }})(); return names.length === 1 && names[0] === 'RCA test';")
    for index, epoch in ((3, "epoch 4"), (None, "epoch 9")):
        place.client.select(index)
        expect(place.chart("accuracy")).to_have_attribute("aria-label", re.compile(epoch))
        place.receive(run(9, metrics={}), run(3, "other", metrics={}))
        assert place.client.run(hidden) == ["RCA test"]


def test_without_the_library_the_page_says_so(browser, address):
    context = browser.new_context()
    context.route("**/plotly*.min.js?*", lambda route: route.abort())
    place = Place(Client(context.new_page(), address))
    place.receive(run())
    place.mount("loss")
    expect(place.page.locator(".tsk-caption")).to_have_text("The charting library could not be loaded. Reload this page.")
    context.close()
