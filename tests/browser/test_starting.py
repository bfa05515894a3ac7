"""The starting point in a real browser: what the address says, and that nothing moves."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import field, open_box
from tsk_core.config import STARTING_POINTS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RULES = "Rules R"


def expect_address(page, **values):
    """The address has these values, and no other settings."""
    page.wait_for_function(
        "wanted => location.search === wanted", arg="?" + "&".join(f"{k}={v}" for k, v in values.items()) if values else ""
    )


def expect_rules(page, number):
    expect(field(page, RULES)).to_have_value(str(number))


def test_the_address_names_the_starting_point_and_carries_what_differs(page):
    own, papers = STARTING_POINTS["recommended"].n_rules, STARTING_POINTS["paper"].n_rules
    other = own + papers  # the default of neither
    expect_rules(page, papers)
    open_box(page, "Starting point")
    page.get_by_role("radio", name="recommended").click()
    expect_rules(page, own)
    expect_address(page, **{"from": "recommended"})
    field(page, RULES).fill(str(other))
    field(page, RULES).press("Enter")
    expect_address(page, **{"from": "recommended", "rules": other})
    page.reload()
    expect_rules(page, other)
    open_box(page, "Starting point")
    expect(page.get_by_role("radio", name="recommended")).to_be_checked()
    page.get_by_role("button", name="Reset to Recommended").click()
    expect_rules(page, own)
    expect_address(page, **{"from": "recommended"})
    page.go_back()
    expect_rules(page, other)


def test_the_way_back_keeps_settings(visit):
    page = visit("/?ur=0&rules=7")
    expect_rules(page, 7)
    for opened in (("Runs",), ("Compare", "Sweep")):
        for name in opened:
            page.get_by_role("link", name=name, exact=True).first.click()
            expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        while urlsplit(page.url).path != "/":
            page.go_back()
        expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()
        expect_rules(page, 7)
