"""The page Compare in a real browser: a lecturer's path from the page to the verdict, and a phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, open_box, open_tab

pytestmark = pytest.mark.browser
SMALL = "data=iris&epochs=8&rules=3&variants=none%2Cur&seeds=3"
VERDICT = re.compile(r"95% interval −?\d")
CHART = ".tsk-view-compareBca .tsk-chart"


def compared(page):
    """Press Compare and wait for the end."""
    button(page, "Compare").click()
    expect(button(page, "Every training (CSV)")).to_be_visible()


@pytest.mark.slow
def test_a_lecturer_gets_the_verdict_on_ur_in_two_clicks_and_opens_a_training(visit):
    page = visit("/compare")
    expect(button(page, "What does UR do?")).to_be_enabled()
    at_rest(page)
    button(page, "What does UR do?").click()
    expect(page.get_by_text(re.compile("of 10 seeds")).first).to_be_visible()
    expect(button(page, "Every training (CSV)")).to_be_visible()
    page.locator(".st-key-verdict").get_by_role("button", name="Explain").click()
    expect(page.get_by_test_id("stPopoverBody").get_by_text(re.compile("points over 10 pairs"))).to_be_visible()
    page.keyboard.press("Escape")
    node = f"document.querySelector('{CHART} .main-svg')"
    page.evaluate(f"() => {{ globalThis.node = {node}; }}")
    page.get_by_test_id("stMain").get_by_role("radio", name="95% interval").check(force=True)
    expect(page.locator(".tsk-view-compareBca .tsk-caption")).to_contain_text("95% interval of the mean")
    assert page.evaluate(f"() => globalThis.node === {node}")
    for name in ("Gradients", "Firing", "Entropy", "Mistakes"):
        open_tab(page, name)
        expect(page.get_by_role("tabpanel", name=name).locator(".main-svg").first).to_be_visible()
    button(page, "Open in Explore").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("Finished")
    open_box(page, "More settings")
    expect(page.get_by_role("spinbutton", name="Epochs T", exact=True)).to_have_value("200")
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text(re.compile("of 10 seeds")).first).to_be_visible()  # nothing is computed again
