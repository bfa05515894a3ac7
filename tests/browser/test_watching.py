"""Watching together in real browsers: a lecturer leads, a phone follows, looks elsewhere and comes back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, tab, train_to_the_end
from tests.browser.test_accessibility import grave, violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"width": 320, "height": 640}


def at_epoch(page, number):
    expect(page.locator(".tsk-epoch")).to_have_text(f"epoch {number} of 20")


def select(page, number):
    page.get_by_role("slider", name="Selected epoch").fill(str(number - 1))


def test_a_phone_follows_the_lecturers_slider_until_it_looks_elsewhere(visit):
    lecturer = visit("/?data=iris&epochs=20&rules=4")
    train_to_the_end(lecturer)
    at_rest(lecturer)
    button(lecturer, "Watch").click()
    expect(lecturer.get_by_alt_text("QR code of the address below")).to_be_visible()
    expect(lecturer.get_by_text("Nobody is watching yet.")).to_be_visible()
    found = {"box": violations(lecturer)}
    link = lecturer.get_by_test_id("stCode").locator("code", has_text="watch?").inner_text()
    phone = visit(link, viewport=PHONE)
    at_epoch(phone, 20)
    expect(lecturer.get_by_text("1 browser watching now.")).to_be_visible()
    lecturer.keyboard.press("Escape")
    select(lecturer, 3)
    at_epoch(phone, 3)
    back = phone.get_by_role("button", name="Follow the lecturer")
    expect(back).to_be_hidden()
    phone.get_by_role("button", name="Next epoch").click()
    at_epoch(phone, 4)
    select(lecturer, 9)
    expect(back).to_be_visible()
    at_epoch(phone, 4)
    back.click()
    at_epoch(phone, 9)
    expect(phone.get_by_role("status").filter(has_text="In step with the lecturer.")).to_be_visible()
    tabs = {"Stage": ".tsk-drawn canvas", "Training": ".main-svg", "Firing": ".main-svg", "Rules": ".tsk-card"}
    for name, drawn in tabs.items():
        tab(phone, name).click()
        expect(phone.locator(f".tsk-grid {drawn}").filter(visible=True).first).to_be_visible()
        for scheme in ("light", "dark"):
            phone.emulate_media(color_scheme=scheme)
            found[f"{name}, {scheme}"] = grave(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    select(lecturer, 20)
    at_epoch(phone, 20)
    assert found == dict.fromkeys(found, [])
    assert phone.context.cookies() == []


def test_a_link_that_was_changed_shows_no_run(visit, trouble):
    page = visit("/watch?run=" + "0" * 32 + "&key=" + "0" * 32)
    expect(page.get_by_role("heading", name="No run to watch")).to_be_visible()
    assert all(re.match("status 404|console: .*404", one) for one in trouble)
    trouble.clear()
