"""Rules and mistakes through time, in a real browser: they follow the time bar, and can be read while the model learns."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import (
    at_rest,
    button,
    metric,
    open_tab,
    progress,
    rules,
    train_to_the_end,
)

pytestmark = pytest.mark.browser


def look_at_first(page):
    slider = page.get_by_role("slider", name="Selected epoch")
    slider.focus()
    slider.press("Home")


@pytest.mark.slow
def test_rules_and_mistakes_follow_the_time_bar(visit):
    page = visit("/?rules=5&epochs=40")
    train_to_the_end(page)
    expect(rules(page)).to_have_count(5)
    end = rules(page).first.inner_text()
    when = page.locator(".tsk-when")
    expect(when).to_have_text("After epoch 40: the kept model.")
    look_at_first(page)
    expect(page.locator(".tsk-tile-label").first).to_have_text("Test accuracy (RCA), epoch 1")  # so do the scores
    expect(metric(page, "Test accuracy (RCA)")).to_be_hidden()
    expect(when).to_have_text("After epoch 1.")
    expect(page.locator(".tsk-summary-of-rules")).to_have_text(re.compile("5 rules, at most 4 conditions each"))
    open_tab(page, "Mistakes")
    matrix = page.get_by_role("img", name=re.compile("^Confusion matrix after epoch 1: "))
    expect(matrix).to_be_visible()
    page.get_by_role("button", name="Newest epoch").click()
    expect(page.get_by_role("img", name=re.compile("^Confusion matrix: "))).to_be_visible()
    expect(rules(page).first).to_have_text(end)
    expect(metric(page, "Test accuracy (RCA)")).to_be_visible()


@pytest.mark.slow
def test_conditions_disappear_from_the_grid_while_rules_are_trained(visit):
    page = visit("/?data=wine&from=readable&rules=6&epochs=24&seed=0")
    at_rest(page)
    button(page, "Train").click()
    open_tab(page, "Rules")
    grid = page.get_by_role("region", name=re.compile("^Grid of rules and features"))
    expect(progress(page)).to_contain_text("Finished")
    expect(page.get_by_role("region", name=re.compile("^The rules as a grid"))).to_be_visible()  # of the model kept
    expect(grid).to_be_hidden()
    page.get_by_role("slider", name="Selected epoch").fill("20")
    expect(grid).to_have_accessible_name(re.compile("6 rules with 1[0-8] conditions"))  # at most three each
    left = int(re.search(r"with (\d+) conditions", grid.get_attribute("aria-label"))[1])
    expect(grid.get_by_role("cell", name=re.compile("no condition$"))).to_have_count(6 * 13 - left)
    look_at_first(page)
    expect(grid).to_have_accessible_name(re.compile("6 rules with 78 conditions on 13 of 13 features"))
    expect(grid.get_by_role("cell", name=re.compile("no condition$"))).to_have_count(0)
    expect(page.get_by_role("img", name=re.compile("^Conditions by epoch: 78 at first, 78 at the selected"))).to_be_visible()


@pytest.mark.slow
def test_a_rule_is_taken_out_and_the_rows_that_change_open_in_samples(visit):
    page = visit("/?rules=4&epochs=30")
    train_to_the_end(page)
    expect(rules(page)).to_have_count(4)
    for number in (1, 2):
        page.get_by_role("button", name=f"Take rule {number} out", exact=True).click()
    panel = page.get_by_role("region", name="Taken out")
    expect(panel).to_contain_text("Measured on all 45 test rows.")
    panel.locator("summary").click()
    row = panel.get_by_role("button", name=re.compile(r"^Open row \d+ in the tab Samples$")).first
    number = row.inner_text()
    row.click()
    expect(page.get_by_role("spinbutton", name="Row", exact=True)).to_have_value(number)
    expect(page.get_by_text("Without rules 1 and 2, which the tab Rules took out.")).to_be_visible()
