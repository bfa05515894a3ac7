"""The views of a comparison: what is missing is reported, and a click on a seed's line opens its training."""

import json

import pytest
from playwright.sync_api import expect

from tests.pages.comparisons import make_plan, point_line
from tsk_core.data import load_dataset
from ui.compare.charts import about
from ui.experiments import Collected

pytestmark = pytest.mark.browser
SHOW = """
const { mount, receiveComparison } = await import("/client/client.js");
globalThis.opened = [];
const missing = receiveComparison(JSON.parse(given[0]), (number) => opened.push(number));
if (given[1]) mount(document.getElementById("place"), { views: given[1] });
return missing;
"""


def message(plan, lines, band="sd", dark=False, since=0, **changes):
    dataset = load_dataset("iris")
    known = {"experiment": "a", "since": since, "upto": since + len(lines), "lines": lines, "dark": dark}
    return known | {"about": about(plan, dataset, Collected(), band, ended=False)} | changes


def ended(plan):
    """Points with another score for each seed."""
    return [point_line(plan, number, 0.5 + number / 50) for number in range(plan.size)]


def test_what_is_missing_is_reported_and_the_views_are_drawn_in_place(client, phone):
    plan = make_plan(seeds=2)
    lines = ended(plan)
    client.open()
    views = ["compareBar", "compareBca", "compareFiring"]
    assert client.run(SHOW, json.dumps(message(plan, lines[1:], since=1)), views)
    assert not client.run(SHOW, json.dumps(message(plan, lines)), None)
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
