"""Runs in a real browser: the address, the cookie, a closed tab."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, choice, field, metric, open_tab, progress, train_by_hand, train_to_the_end

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_reload_finds_the_run_and_the_list_opens_it_with_its_settings(visit):
    page = visit("/?data=wine&rules=4&epochs=15")
    train_to_the_end(page)
    expect(page).to_have_url(re.compile("run=[0-9a-f]{32}"))
    page.reload()
    train_by_hand(page)
    expect(metric(page, "Epoch")).to_have_text("15 / 15")
    expect(progress(page)).to_contain_text("Finished")
    field(page, "Rules R").fill("7")
    field(page, "Rules R").press("Enter")
    expect(page).to_have_url(re.compile("rules=7"))
    page.get_by_role("link", name="Runs").click()
    grid = page.get_by_test_id("stDataFrame").first
    expect(page.get_by_text("Select a run to open")).to_be_visible()
    again = page.context.new_page()  # a second tab of the same browser
    again.goto("/runs")
    expect(again.get_by_text("Select a run to open")).to_be_visible()
    stranger = visit("/runs")
    expect(stranger.get_by_text("This browser has no runs yet")).to_be_visible()
    page.bring_to_front()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 14, box["y"] + 52)  # the box before its row
    button(page, "Open").click()
    expect(metric(page, "Epoch")).to_have_text("15 / 15")
    expect(choice(page, "Data")).to_have_value("wine")
    expect(field(page, "Rules R")).to_have_value("4")
    open_tab(page, "Export")
    expect(page.get_by_test_id("stCode").last).to_contain_text("load_dataset('wine')")
