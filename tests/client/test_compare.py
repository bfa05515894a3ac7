"""The views of a comparison: what is missing is reported, and a click on a seed's line opens its training."""

import itertools
import json

import pytest
from playwright.sync_api import expect

from tests.client.messages import list_part, value_part
from tests.pages.comparisons import make_plan, point_line
from tsk_core.data import load_dataset
from ui.compare.charts import about
from ui.experiments import Collected

pytestmark = pytest.mark.browser
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
    said = about(plan, load_dataset("iris"), known, band, ended=False)
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


def test_a_click_on_the_line_of_a_seed_opens_its_training(client):
    plan = make_plan(seeds=2)
    client.open().run(SHOW, json.dumps(message(plan, ended(plan))), ["compareBca"])
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.page.wait_for_function("() => document.querySelector('.tsk-chart')._ev?.listenerCount('plotly_click')")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: [3, 1] }] });")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{}] });")
    assert client.run("return opened;") == [3]
