"""Deciding about data in a real browser: roles in the table, the data check, the gallery."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import choice, open_tab, upload
from tests.tables import pets

pytestmark = pytest.mark.browser
ROLE, ROW = 240, 35  # pixels from the left edge of the table of columns to its roles, and the height of its rows


def summary(page):
    return page.get_by_test_id("stExpander").filter(has_text=re.compile("Data (of the next run )?–")).locator("summary").first


def give_role(page, row, typed):
    """Change a role as a person does: click, Enter, type, Enter. The table is drawn on a canvas, so by place."""
    grid = page.get_by_test_id("stDataFrame").filter(visible=True).first
    expect(grid).to_be_visible()
    grid.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # until nothing moves any more
    box = grid.bounding_box()
    page.mouse.click(box["x"] + ROLE, box["y"] + ROW * row + ROW / 2)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="ignored", exact=True)).to_be_visible()
    page.keyboard.type(typed)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_the_target_is_changed_in_the_table_too(visit):
    page = visit("/?data=upload&rules=3&epochs=5")
    upload(page, "pets.csv", pets())
    expect(choice(page, "Target column")).to_have_value("species")
    open_tab(page, "Columns")
    give_role(page, 2, "target")
    expect(choice(page, "Target column")).to_have_value("colour")
