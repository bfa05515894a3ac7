"""The lessons in a real browser: every screen of each by mouse, one by keyboard alone, one on a phone; axe-core."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button
from tests.browser.test_accessibility import violations_by_scheme
from tsk_core.lessons import lessons

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = list(lessons()[0])
MOST_TABS = 80  # stops of the keyboard on a page
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOCKED = "Locked. Next, see what happens."


def at_step(page, step):
    """Wait until this screen is there, and its scenes are trained."""
    expect(page.get_by_text(f"Step {step} of 7 ·")).to_be_visible()
    at_rest(page)
    expect(page.locator(".st-key-learn_progress")).to_have_count(0)
    at_rest(page)


def next_step(page, step, name="Next"):
    button(page, name).click()
    at_step(page, step)


def lock_button(page):
    return page.locator(".tsk-view-predict").get_by_role("button", name="Lock my prediction")


def predict(page):
    """Choose, drag or paint something with the pointer."""
    expect(lock_button(page)).to_be_disabled()
    view = page.locator(".tsk-view-predict")
    if view.get_by_role("radio").count():
        view.get_by_role("radio").nth(1).check()
        return
    place = (view.get_by_role("slider") if view.get_by_role("slider").count() else view.get_by_role("grid")).first
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y + 20, steps=4)
    page.mouse.up()


def lock(page):
    lock_button(page).click()
    expect(page.get_by_text(LOCKED)).to_be_visible()
    at_rest(page)


def answer(page):
    page.get_by_test_id("stRadio").get_by_test_id("stMarkdownContainer").last.click()
    button(page, "Answer").click()
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    at_rest(page)


def to_the_end(page, look=lambda place: None):
    """From the first screen of a lesson to its last, with the pointer; look: called at each."""
    at_step(page, 1)
    look(1)
    for step in range(2, 8):
        if step == 4:
            expect(button(page, "Run it")).to_be_disabled()
            predict(page)
            lock(page)
            look("locked")
        next_step(page, step, "Run it" if step == 4 else "Next")
        look(step)
        if step == 5:
            answer(page)
            look("answered")
        if step == 6:
            expect(page.locator(".st-key-learn_formula .katex").first).to_be_visible()


def test_the_list_starts_a_lesson_whose_screens_survive_a_reload_and_the_way_back(visit):
    page = visit("/learn", reduced_motion="reduce", **LAPTOP)
    expect(page.get_by_role("button", name=re.compile("^Start: "))).to_be_visible()
    assert violations_by_scheme(page) == []
    page.get_by_role("button", name=re.compile("^Start: ")).click()
    at_step(page, 1)
    next_step(page, 2)
    page.reload()
    at_step(page, 2)
    assert page.url.endswith(f"lesson={NAMES[0]}&step=2")
    page.go_back()
    at_step(page, 1)


def test_a_lesson_on_a_phone_needs_no_wider_screen(visit):
    page = visit("/learn?lesson=ur&step=1", **PHONE)
    to_the_end(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def focused(page):
    """The name of what has the focus."""
    names = "[a.getAttribute('aria-label'), a.textContent, a.type]"
    return page.evaluate(f"(({{ activeElement: a }}) => ({names}.find(Boolean) || '').trim())(document)")


def tab_to(page, wanted):
    """Press Tab until what has this name has the focus; a button that a screen before had pressed is left first."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if re.search(wanted, focused(page)):
            return
    pytest.fail(f"the keyboard does not reach {wanted!r}")


def press(page, wanted):
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def test_a_lesson_by_keyboard_alone(visit):
    page = visit("/learn", **LAPTOP)
    expect(page.get_by_role("button", name=re.compile("^Start: "))).to_be_visible()
    at_rest(page)
    press(page, r"^\d\. UR ")
    at_step(page, 1)
    press(page, "^Next$")
    at_step(page, 2)
    press(page, "^Next$")
    at_step(page, 3)
    tab_to(page, "^1: Average firing level$")
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    press(page, "^Lock my prediction$")
    expect(page.get_by_text(LOCKED)).to_be_visible()
    at_rest(page)
    press(page, "^Run it$")
    at_step(page, 4)
    press(page, "^Next$")
    at_step(page, 5)
    tab_to(page, "^radio$")
    page.keyboard.press("Space")
    expect(button(page, "Answer")).to_be_enabled()
    press(page, "^Answer$")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    for step in (6, 7):
        press(page, "^Next$")
        at_step(page, step)


@pytest.mark.parametrize("name", ["hill", "bn"])  # where a region is painted, and an option chosen
def test_every_screen_fits_a_laptop_and_none_has_a_serious_fault(visit, name):
    page, rooms, found = visit(f"/learn?lesson={name}&step=1", reduced_motion="reduce", **LAPTOP), {}, {}

    def look(place):
        rooms[place] = room(page)
        if name == "bn" or place in (3, 4, "locked"):
            found[place] = violations_by_scheme(page)

    to_the_end(page, look)
    assert not {step: pixels for step, pixels in rooms.items() if pixels < 0}
    assert found == dict.fromkeys(found, [])


def room(page):
    """Pixels between what a screen has and the bar below it."""
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    return page.evaluate("""() => {
      const main = document.querySelector("[data-testid=stMain]");
      return main.clientHeight - main.scrollHeight;
    }""")
