"""Rules and mistakes through time, in a real browser: they follow the time bar, and can be read while the model learns."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import (
    metric,
    open_tab,
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
    expect(page.locator(".tsk-tile-label").first).to_have_text("Accuracy, epoch 1")  # so do the scores
    expect(metric(page, "Accuracy")).to_be_hidden()
    expect(when).to_have_text("After epoch 1.")
    expect(page.locator(".tsk-summary-of-rules")).to_have_text(re.compile("5 rules, at most 4 conditions each"))
    open_tab(page, "Mistakes")
    matrix = page.get_by_role("img", name=re.compile("^Confusion matrix after epoch 1: "))
    expect(matrix).to_be_visible()
    page.get_by_role("button", name="Newest epoch").click()
    expect(page.get_by_role("img", name=re.compile("^Confusion matrix: "))).to_be_visible()
    expect(rules(page).first).to_have_text(end)
    expect(metric(page, "Accuracy")).to_be_visible()
