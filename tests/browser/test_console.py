"""A visit of a page leaves no error in the browser's console, and none of its requests fails; the fixture ``visit`` looks."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATHS = ("/", "/compare?present=1")  # slow tests open all pages with this fixture


def test_each_page_finds_its_server_at_once(visit):
    page = visit(PATHS[0])
    for path in PATHS:
        if path != PATHS[0]:
            page.goto(path)
        expect(page.get_by_test_id("stMarkdown").or_(page.get_by_test_id("stHeading")).filter(visible=True).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        asked = page.evaluate("performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
        assert [one for one in asked if "_stcore/health" in one] == ["/_stcore/health"], path
