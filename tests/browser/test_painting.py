"""Painting points in the whole app: the model follows the pen, and the points go into a link and a file."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, open_drawer, progress, run_of, train_to_the_end
from tsk_core.data import read_csv
from tsk_core.data.painted import from_frame, from_text

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def spray(page, name, x1, x2):
    """A stroke of this class that begins at a place of the plane, once the page has drawn what the stroke before it changed."""
    at_rest(page)
    page.get_by_role("button", name=f"Class {name}", exact=True).click()
    page.get_by_role("button", name="Spray points", exact=True).click()
    plane = page.locator(".tsk-paint-plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    page.mouse.move(box["x"] + x1 * box["width"], box["y"] + (1 - x2) * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + (x1 + 0.3) * box["width"], box["y"] + (1 - x2) * box["height"], steps=30)
    page.mouse.up()


def counts(page):
    return page.locator(".tsk-view-paint .tsk-caption")


def test_the_model_follows_the_pen_and_the_points_come_back_through_their_link_and_their_file(visit):
    page = visit("/", viewport={"width": 1280, "height": 720})
    button(page, "Paint points").click()
    for name, place in (("blue", (0.2, 0.75)), ("orange", (0.5, 0.3))):
        spray(page, name, *place)
        expect(page.get_by_test_id("stSidebar")).to_contain_text(re.compile(rf"Points: .*{name}"))
    train_to_the_end(page)
    first = run_of(page)
    expect(page.get_by_role("tab", name="Samples", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".tsk-view-plane .tsk-chart")).to_have_attribute("aria-label", re.compile("^Plane of x1 and x2"))
    spray(page, "green", 0.6, 0.8)
    page.wait_for_function("(first) => /run=/.test(location.href) && !location.href.includes(first)", arg=first)
    expect(progress(page)).to_contain_text("Finished")
    expect(page.locator(".tsk-view-plane .tsk-key")).to_contain_text("green")
    at_rest(page)
    said = counts(page).text_content()
    assert re.fullmatch(r"Points: \d+ blue, \d+ orange, \d+ green\.", said)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV", exact=False).click()
    saved = read_csv(Path(download.value.path()).read_bytes(), target="class")
    points = from_frame(saved.frame)
    assert said == f"Points: {', '.join(f'{number} {name}' for name, number in points.counts().items())}."
    text = re.search(r"points=([\w.-]+)", page.url)[1]
    assert (from_text(text).places == points.places).all()
    other = visit(f"/?data=painted&points={text}", viewport={"width": 390, "height": 844}, color_scheme="dark")
    expect(counts(other)).to_have_text(said)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    open_drawer(other)
    train_to_the_end(other)
