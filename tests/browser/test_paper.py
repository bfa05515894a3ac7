"""The page Paper in a real browser: a click on a number, the arrow keys, the way to Explore; on a phone, dark."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, choice, open_tab
from tests.browser.test_accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def grid(page):
    """The canvas of the table, in view."""
    canvas = page.get_by_test_id("data-grid-canvas").first
    expect(canvas).to_be_visible()
    at_rest(page)
    canvas.scroll_into_view_if_needed()
    return canvas.bounding_box()


def test_a_click_and_the_arrow_keys_select_a_cell_which_is_in_the_link(visit):
    page = visit("/paper?values=Paper", viewport={"width": 1600, "height": 1000})
    expect(page.get_by_text("Table II of the paper")).to_be_visible()
    box = grid(page)
    page.mouse.click(box["x"] + 300, box["y"] + 35 * 3 + 17)  # the third dataset
    expect(choice(page, "Dataset")).to_have_value("DRD")
    first = choice(page, "Algorithm").input_value()
    page.keyboard.press("ArrowDown")
    expect(choice(page, "Dataset")).to_have_value("Yeast")
    page.keyboard.press("ArrowRight")
    expect(choice(page, "Algorithm")).not_to_have_value(first)
    expect(page).to_have_url(re.compile("dataset=Yeast"))
    at_rest(page)
    assert not violations(page)


def test_every_tab_opens_on_a_dark_phone_without_a_sideways_scroll(visit):
    page = visit("/paper", viewport={"width": 390, "height": 844}, color_scheme="dark")
    for name in ("Results", "Statistics", "Pairs", "Equations", "Differences", "Figures"):
        open_tab(page, name)
        at_rest(page)
        assert page.evaluate("() => document.documentElement.scrollWidth <= 390"), name
        assert not violations(page), name


def test_the_runs_of_a_pair_open_as_a_comparison(visit):
    page = visit("/paper?part=Pairs")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="as a comparison").click()
    compare = opened.value
    expect(compare.get_by_role("heading", name="Compare")).to_be_visible()
    expect(compare).to_have_url(re.compile(r"/compare\?.*variants=none%2Cur-bn-val"))
