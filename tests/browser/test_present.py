"""Presenter mode, and the page inside another page, as in a course."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, field, progress, tab
from tests.demo import LEAST_LETTER, PROJECTOR, SMALL_LETTERS, lowest_chrome, train_by

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHROME = 200  # pixels above the first chart, at most
# Remembers which elements of the page were faint, looked at in each frame.
WATCH = """() => {
  window.faint = {};
  const look = () => {
    for (const node of document.querySelectorAll("[data-testid=stElementContainer], [data-stale]")) {
      const { opacity } = getComputedStyle(node);
      if (Number(opacity) < 1) window.faint[node.className] = opacity + " " + node.textContent.slice(0, 60);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def at_epoch(page, words):
    expect(page.locator(".tsk-epoch")).to_have_text(re.compile(words))


def score(page):
    return page.get_by_test_id("stMetric").filter(has_text=re.compile("^Accuracy")).get_by_test_id("stMetricValue")


def start(visit, link=""):
    page = visit(f"/?present=1&{link}", viewport=PROJECTOR)
    page.wait_for_selector("html[data-tsk-keys]", state="attached")
    expect(button(page, "Train")).to_be_enabled()
    return page


def test_a_lecture_is_given_by_keys_alone(visit):
    page = start(visit)
    page.evaluate(WATCH)
    expect(page.get_by_role("heading", name="TSK Explorer")).to_have_count(0)
    expect(field(page, "Rules R")).not_to_be_in_viewport()  # folded away
    train_by(page, "n")
    expect(page.get_by_text("Rich get richer · rich_get_richer · R 20 · λ 0")).to_be_visible()
    train_by(page, "PageDown")
    expect(page.get_by_text("UR evens out the firing · rich_get_richer · R 20 · λ 0 → 10")).to_be_visible()
    expect(score(page)).to_have_text(re.compile(r"^0\.9\d\d → 0\.9\d\d$"))
    chart, end = lowest_chrome(page)
    assert chart <= CHROME and end <= PROJECTOR["height"]
    page.keyboard.press("w")
    expect(page.get_by_text("Why did this happen?")).to_be_visible()
    page.keyboard.press("w")
    expect(page.get_by_text("Why did this happen?")).to_have_count(0)
    page.keyboard.press("2")
    expect(tab(page, "Training")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("e")
    explained = page.get_by_role("region", name="Explanation: Training loss")
    expect(explained).to_be_visible()
    page.keyboard.press("e")
    expect(explained).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    at_epoch(page, "epoch 99 of 100")
    page.keyboard.press("ArrowRight")
    at_epoch(page, "epoch 100 of 100")
    page.keyboard.press("l")
    page.keyboard.press("t")  # at once: the run has the new λ
    expect(page.get_by_text("rich_get_richer · R 20 · λ 10 → 20")).to_be_visible()
    page.keyboard.press("x")
    expect(progress(page)).to_contain_text(re.compile("Stopped|Finished"))
    assert page.evaluate("faint") == {}
    button(page, "Leave").click()
    expect(page).to_have_url(re.compile(r"^((?!present).)*$"))
    expect(field(page, "Rules R")).to_be_in_viewport()


def test_a_projector_shows_a_whole_chart_in_large_letters_and_keys_typed_into_a_field_stay_there(visit):
    page = start(visit, "epochs=10")
    train_by(page, "t")
    for number, name in enumerate(("Stage", "Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules"), 1):
        page.keyboard.press(str(number))
        expect(tab(page, name)).to_have_attribute("aria-selected", "true")
        expect(page.locator(".tsk-card, .tsk-chart .main-svg, .tsk-stage canvas").filter(visible=True).first).to_be_visible()
        assert page.evaluate(SMALL_LETTERS, LEAST_LETTER) == [], name
        if 1 < number <= 5:
            chart, end = lowest_chrome(page)
            assert chart <= CHROME and end <= PROJECTOR["height"], name
    page.keyboard.press("?")
    expect(page.get_by_text("this list")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("v")
    expect(button(page, "Train")).to_have_count(0)
    page.keyboard.press("2")
    expect(page.locator(".tsk-chart .main-svg").filter(visible=True).first).to_be_visible()
    assert lowest_chrome(page)[0] <= CHROME
    page.keyboard.press("v")
    expect(button(page, "Train")).to_be_visible()
    page.keyboard.press("6")
    row = page.get_by_label("Row", exact=True)
    row.fill("12")
    row.press("n")
    row.press("1")
    expect(tab(page, "Samples")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("iris · R 20")).to_be_visible()


def test_the_page_trains_inside_the_page_of_a_course(visit, server):
    page = visit("/")  # any page; its content is replaced by that of a course
    page.set_content(f'<h1>Week 7</h1><iframe src="{server}/?embed=true&epochs=10" width="1000" height="700"></iframe>')
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Train", exact=True).click()
    expect(frame.get_by_test_id("stProgress")).to_contain_text("Finished")
    expect(frame.locator(".tsk-stage canvas").first).to_be_visible()
