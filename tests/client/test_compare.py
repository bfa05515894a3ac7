"""The views of a comparison: what is missing is reported, and a click on a seed's line opens its training."""

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


def message(since=0):
    """What a page sends of a comparison of two seeds: a point for each training, with another score for each seed."""
    plan, known = make_plan(seeds=2), Collected()
    for number in range(plan.size):
        known.add(point_line(plan, number, 0.5 + number / 50))
    said = about(plan, load_dataset("iris"), known, "sd", ended=False)
    entries = [known.entry(record) for record in known.log[since:]]
    return json.dumps([value_part("comparison", {"experiment": "a", **said}), list_part("records", "a", entries, since, "")])


def test_what_is_missing_is_reported_and_the_views_are_drawn_in_place(client, phone):
    client.open()
    views = ["compareBar", "compareBca", "compareFiring"]
    assert client.run(SHOW, message(since=1), views) == ["records"]
    assert client.run(SHOW, message(), None) == []
    page, chart = client.page, client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    expect(chart).to_have_attribute(
        "aria-label", "Balanced accuracy (BCA) by epoch; at epoch 3: MBGD 0.510 (mean of 2), UR 0.550 (mean of 2)."
    )
    page.get_by_role("slider", name="Selected epoch").fill("1")
    expect(page.get_by_text("epoch 1 of 3")).to_be_visible()
    expect(page.locator(".tsk-view-compareFiring .tsk-caption")).to_contain_text("After epoch 0, 2 seeds each")
    assert client.run("return document.documentElement.scrollWidth <= 390;")


def test_a_click_on_the_line_of_a_seed_opens_its_training(client):
    client.open().run(SHOW, message(), ["compareBca"])
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.page.wait_for_function("() => document.querySelector('.tsk-chart')._ev?.listenerCount('plotly_click')")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: [3, 1] }] });")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{}] });")
    assert client.run("return opened;") == [3]
