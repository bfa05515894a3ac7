"""The page Sweep in a real browser: from a link to the cells, their runs and Explore; on a phone, dark."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, field
from tests.browser.test_accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = "data=iris&epochs=8&rules=3&axis1=batch%3D16%2C32&seeds=2"
CHART = ".tsk-view-sweep .tsk-chart"


def swept(page):
    """Press Sweep and wait for the end."""
    expect(button(page, "Sweep")).to_be_enabled()
    at_rest(page)
    button(page, "Sweep").click()
    expect(button(page, "Every run as CSV")).to_be_visible()
    expect(page.locator(CHART)).to_have_accessible_name(re.compile("BCA on the test rows, by batch size.* Highest: "))
    at_rest(page)


def test_a_sweep_draws_its_cells_and_a_run_of_one_opens_in_explore_and_back(visit):
    page = visit(f"/sweep?{SMALL}")
    swept(page)
    found = violations(page)
    node = f"document.querySelector('{CHART} .main-svg')"
    page.evaluate(f"() => {{ globalThis.node = {node}; }}")
    page.get_by_test_id("stMain").get_by_role("radio", name="95% interval").check(force=True)
    expect(page.locator(f"{CHART} .legend")).to_contain_text("95% interval of the mean")
    assert page.evaluate(f"() => globalThis.node === {node}")
    page.get_by_text("All cells as a table (2)").click()
    page.get_by_role("button", name="Show the runs of batch size 32", exact=True).click()
    expect(page.get_by_text("Runs of batch size 32: 2 of 2")).to_be_visible()
    assert not (found or violations(page))
    line = page.get_by_text(re.compile("^Seed 1: BCA")).inner_text()
    page.get_by_role("button", name="Open in Explore").nth(1).click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("Finished")
    expect(field(page, "Batch size B")).to_have_value("32")
    bca = re.search(r"BCA (0\.\d+|1\.000) \(last\)", line)[1]
    expect(page.get_by_test_id("stMetric").filter(has_text="Balanced accuracy").get_by_test_id("stMetricValue")).to_have_text(bca)
    page.get_by_role("link", name="Sweep").click()
    expect(page.locator(CHART)).to_have_accessible_name(re.compile("Highest: "))  # nothing is computed again
    expect(field(page, "Batch size B")).to_have_value("64")
