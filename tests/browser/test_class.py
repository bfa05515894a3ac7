"""A class in real browsers: a teacher starts it, a learner joins by its code on a phone, and goes where the class goes."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button
from tests.browser.test_accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_learner_follows_the_class_and_no_part_of_it_has_a_serious_fault(visit):
    teacher = visit("/learn")
    button(teacher, "For the teacher").click()
    teacher.get_by_role("button", name="Start a class").click()
    heading = teacher.locator(".st-key-class_strip h1")
    expect(heading).to_have_text(re.compile(r"^[A-Z2-9]{5}$"))
    at_rest(teacher)
    code = heading.inner_text()
    learner = visit("/learn", viewport={"width": 390, "height": 844})
    button(learner, "Join a class").click()
    learner.get_by_role("textbox", name="Class code").fill(code.lower())
    learner.keyboard.press("Enter")
    expect(learner.locator(".st-key-class_strip")).to_contain_text(f"Class {code}")
    learner.keyboard.press("Escape")
    expect(teacher.locator(".st-key-class_strip")).to_contain_text("1 here")
    button(teacher, "Code on the wall").click()
    expect(teacher.get_by_alt_text("QR code of the address below")).to_be_visible()
    found = {"wall": violations(teacher)}
    teacher.keyboard.press("Escape")
    teacher.locator(".st-key-learn_cards").get_by_role("button").first.click()
    teacher.get_by_role("button", name="Move everybody to step 1").click()
    expect(learner).to_have_url(re.compile(r"lesson=\w+&step=1"))
    expect(learner.get_by_text("Step 1 of 7")).to_be_visible()
    found |= {"teacher": violations(teacher), "learner": violations(learner)}
    assert found == dict.fromkeys(found, [])
    assert learner.evaluate("document.documentElement.scrollWidth") <= 390
