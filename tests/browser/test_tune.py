"""Tuning in a real browser: drawn in place as it goes, on another page and back, and taken over."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, field

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHART = ".tsk-view-search .tsk-chart"


def updated_in_place(page, chart):
    """Whether the chart is the same element once more settings have a score."""
    page.evaluate(f"() => {{ globalThis.node = document.querySelector('{CHART} .main-svg'); }}")
    expect(chart).not_to_have_accessible_name(chart.get_attribute("aria-label"))
    return page.evaluate(f"() => node === document.querySelector('{CHART} .main-svg')")


def test_a_tuning_is_drawn_in_place_survives_a_change_of_page_and_its_settings_are_taken_over(visit):
    page = visit("/?data=iris&rules=7")
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("Find good settings").first.click()
    sidebar.get_by_role("radio", name="30 s").check(force=True)
    sidebar.get_by_role("button", name="Find good settings", exact=True).click()
    expect(page.get_by_text("Best so far: BCA")).to_be_visible()
    chart = page.locator(CHART)
    expect(chart).to_have_accessible_name(re.compile("the best so far is number"))
    assert any(
        updated_in_place(page, chart) for _ in range(3)
    )  # the page may be drawn anew once, when the tuning leaves the queue
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.get_by_role("link", name="Explore").click()
    use = button(page, "Use these settings")
    expect(use).to_be_visible(timeout=180_000)  # 30 s of search, then as long for the baselines
    expect(chart).to_have_accessible_name(re.compile("the best is number"))
    found = re.search(r"Found: .*?R (\d+)", page.get_by_text("Found: ").inner_text())[1]
    use.click()
    expect(use).to_have_count(0)
    expect(field(page, "Rules R")).to_have_value(found)
    expect(button(page, "Train")).to_be_enabled()


def test_a_rule_base_of_the_curve_is_chosen_with_the_keyboard_and_with_the_mouse(visit, command_line):
    run = json.loads(command_line("tune", "wine", "--readable", "--json").splitlines()[-1])["run"]
    page = visit(f"/?data=wine&run={run}")
    expect(page.locator(CHART)).to_have_accessible_name(re.compile("rule bases, from .* conditions with"))
    points = page.get_by_role("button", name="Choose the rule base with")
    points.first.focus()
    page.keyboard.press("Enter")
    expect(points.first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Chosen: 3 rules with")).to_be_visible()
    at_rest(page)
    place = page.locator(f"{CHART} .scatterlayer .trace:nth-child(2) .points path").last
    page.locator(CHART).evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = place.bounding_box()
    centre = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*centre)
    expect(page.locator(f"{CHART} .hovertext")).to_be_visible()
    page.mouse.click(*centre)
    expect(points.last).to_have_attribute("aria-pressed", "true")
    expect(points.first).to_have_attribute("aria-pressed", "false")
