"""Tuning in a real browser: drawn in place as it goes, on another page and back, and taken over."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, field

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
    sidebar.get_by_role("radio", name="10 s").check(force=True)
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
    expect(use).to_be_visible(timeout=180_000)  # 10 s of search, then as long for the baselines
    expect(chart).to_have_accessible_name(re.compile("the best is number"))
    found = re.search(r"Found: .*?R (\d+)", page.get_by_text("Found: ").inner_text())[1]
    use.click()
    expect(use).to_have_count(0)
    expect(field(page, "Rules R")).to_have_value(found)
    expect(button(page, "Train")).to_be_enabled()
