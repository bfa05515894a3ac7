"""The views of a comparison: what is missing is reported, and a click on a seed's line opens its training."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from playwright.sync_api import expect

from tests.client.messages import list_part, value_part
from tests.pages.comparisons import epoch_line, make_plan, point_line
from tsk_core.data import load_dataset
from ui.compare.charts import about, comparison_parts
from ui.experiments import Collected
from ui.live import Feed

pytestmark = pytest.mark.browser
IRIS = load_dataset("iris")
SHOW = """
const { mount, receive } = await import("/client/client.js");
globalThis.opened = [];
const { missing } = receive(JSON.parse(given[0]));
if (given[1]) mount(document.getElementById("place"), { views: given[1] }, (name, number) => globalThis[name].push(number));
return missing;
"""


names = itertools.count()


def message(plan, records, band="sd", experiment=None, since=0):
    """What a page sends of a comparison; by default another one at each call."""
    known = Collected()
    for record in records:
        known.add(record)
    name = f"experiment {next(names)}" if experiment is None else experiment
    said = about(plan, IRIS, known, band, ended=False)
    entries = [known.entry(record) for record in known.log[since:]]
    return [value_part("comparison", {"experiment": name, **said}), list_part("records", name, entries, since, "")]


def ended(plan):
    """Points with another score for each seed."""
    return [point_line(plan, number, 0.5 + number / 50) for number in range(plan.size)]


def test_what_is_missing_is_reported_and_the_views_are_drawn_in_place(client, phone):
    plan = make_plan(seeds=2)
    lines = ended(plan)
    client.open()
    views = ["compareBar", "compareBca", "compareFiring"]
    assert client.run(SHOW, json.dumps(message(plan, lines, experiment="a", since=1)), views) == ["records"]
    assert client.run(SHOW, json.dumps(message(plan, lines, experiment="a")), None) == []
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    expect(chart).to_have_attribute(
        "aria-label", "Balanced accuracy (BCA) by epoch; at epoch 3: MBGD 0.510 (mean of 2), UR 0.550 (mean of 2)."
    )
    slider = client.page.get_by_role("slider", name="Selected epoch")
    slider.fill("1")
    expect(client.page.get_by_text("epoch 1 of 3")).to_be_visible()
    expect(client.page.locator(".tsk-view-compareFiring .tsk-caption")).to_contain_text("After epoch 0, 2 seeds each")
    assert client.run("return document.documentElement.scrollWidth <= 390;")


RECEIVE = """
const { receive } = await import("/client/core/feed.js"), { comparison } = await import("/client/compare/store.js");
const missing = given[0].flatMap((message) => receive(message).missing);
return [missing, comparison().trainings];
"""


@given(times=some.lists(some.integers(0, 2), min_size=12, max_size=12), late=some.integers(0, 11))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_lost_repeated_or_late_the_browser_ends_with_all_trainings(client, times, late):
    plan, feed, known = make_plan(seeds=2), Feed(), Collected()
    first = [epoch_line([0, 1, 2, 3], t, t / 10) for t in range(4)]
    again = [epoch_line([2, 3], t, t / 10) for t in range(4)]  # continued after the points of the others
    records = [*first[:3], point_line(plan, 1), point_line(plan, 0), *again, point_line(plan, 3)]
    sent = []

    def tick(times):
        parts = comparison_parts(feed, plan, IRIS, known, "sd", ended=False)
        sent.append(json.loads(json.dumps(parts)))
        return client.run(RECEIVE, [sent[-1]] * times)

    for record, count in zip([*records, None, None], times, strict=True):
        if record:
            known.add(record)
        if tick(count)[0]:
            feed.forget()
    if tick(1)[0]:
        feed.forget()
        assert tick(1)[0] == []
    _, trainings = client.run(RECEIVE, [sent[late]])
    ended, live = {0, 1, 3}, {2: [0, 1, 2, 3]}
    assert [one["number"] for variant in trainings for one in variant] == [0, 1, 2, 3]
    for one in (one for variant in trainings for one in variant):
        assert one["done"] == (one["number"] in ended)
        assert one["curves"]["epoch"] == live.get(one["number"], [0, 1, 2, 3]) and len(one["curves"]["bca"]) == 4


def test_a_click_on_the_line_of_a_seed_opens_its_training(client):
    plan = make_plan(seeds=2)
    client.open().run(SHOW, json.dumps(message(plan, ended(plan))), ["compareBca"])
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.page.wait_for_function("() => document.querySelector('.tsk-chart')._ev?.listenerCount('plotly_click')")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: [3, 1] }] });")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{}] });")
    assert client.run("return opened;") == [3]
