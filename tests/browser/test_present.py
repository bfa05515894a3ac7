"""Presenter mode, and the page inside another page, as in a course."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, field, metric, progress, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PROJECTOR = {"width": 1280, "height": 720}


def at_epoch(page, words):
    expect(page.locator(".tsk-epoch")).to_have_text(re.compile(words))


def test_a_lecture_is_given_by_keys_alone(visit):
    page = visit("/?present=1", viewport=PROJECTOR)
    expect(button(page, "Train")).to_be_enabled()
    expect(page.get_by_role("heading", name="TSK Explorer")).to_have_count(0)
    expect(field(page, "Rules R")).not_to_be_in_viewport()  # folded away
    page.wait_for_selector("html[data-tsk-keys]", state="attached")
    page.keyboard.press("n")  # the first preset
    expect(progress(page)).to_contain_text("Finished")
    expect(page.get_by_text("rich_get_richer · R 10 · λ 0")).to_be_visible()
    first = metric(page, "Test RCA").inner_text()
    page.keyboard.press("n")  # its counterpart
    expect(page.get_by_text("rich_get_richer · R 10 · λ 10")).to_be_visible()
    expect(progress(page)).to_contain_text("Finished")
    assert float(metric(page, "Test RCA").inner_text()) > float(first)
    page.keyboard.press("1")
    expect(tab(page, "Training")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    at_epoch(page, "epoch 149 of 150")
    page.keyboard.press("ArrowRight")
    at_epoch(page, "epoch 150 of 150")
    page.keyboard.press("t")
    expect(button(page, "Stop")).to_be_enabled()
    page.keyboard.press("x")
    expect(progress(page)).to_contain_text(re.compile("Stopped|Finished"))
    button(page, "Leave").click()
    expect(page).to_have_url(re.compile(r"^((?!present).)*$"))
    expect(field(page, "Rules R")).to_be_in_viewport()


def test_a_projector_shows_a_whole_chart_in_large_type(visit):
    page = visit("/?present=1&epochs=10", viewport=PROJECTOR)
    button(page, "Train").click()
    expect(progress(page)).to_contain_text("Finished")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("2")
    chart = page.locator(".tsk-view-firing .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    box = chart.bounding_box()
    assert box["y"] + box["height"] <= PROJECTOR["height"]
    assert page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") > 16


def test_keys_that_are_typed_into_a_field_stay_there(visit):
    page = visit("/?present=1&epochs=10", viewport=PROJECTOR)
    button(page, "Train").click()
    expect(progress(page)).to_contain_text("Finished")
    page.keyboard.press("5")
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
    frame.get_by_test_id("stMain").get_by_role("button", name="Train", exact=True).click()
    expect(frame.get_by_test_id("stProgress")).to_contain_text("Finished")
    expect(frame.locator(".tsk-chart .main-svg").first).to_be_visible()
