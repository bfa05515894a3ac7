"""Before and after in a real browser: room on a projector, one step back, a fresh start."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, choice, field, open_tab, progress, run_of, train_by_hand, train_to_the_end

pytestmark = pytest.mark.browser
PROJECTOR = {"width": 1280, "height": 720}
ABOVE = 200  # pixels above the content of a tab, at most


def set_rules(page, number):
    field(page, "Rules R").fill(str(number))
    field(page, "Rules R").press("Enter")
    expect(page).to_have_url(re.compile(f"rules={number}(&|$)"))


def choose_preset(page, title):
    button(page, "Presets").click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=title).click()


def expect_room(page):
    """The tab begins high on the page, and its first chart is in sight with the caption below it."""
    page.wait_for_function(
        """([above, height]) => {
          const bottom = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
          return bottom(".st-key-view [role=tablist]") <= above
            && Math.max(...["loss", "accuracy"].map((name) => bottom(`.tsk-view-${name}`))) <= height; }""",
        arg=[ABOVE, PROJECTOR["height"]],
    )


@pytest.mark.slow
def test_a_whole_chart_fits_on_a_projector_with_all_that_is_above_it(visit):
    page = visit("/?data=wine&epochs=20", viewport=PROJECTOR)
    train_by_hand(page)
    train_to_the_end(page)
    open_tab(page, "Training")
    set_rules(page, 4)
    button(page, "Train").click()
    expect(page.get_by_text("Compared with the previous run (dashed or outlined): R 20 → 4.")).to_be_visible()
    expect(progress(page)).to_contain_text("Finished")
    expect(page.locator(".tsk-chart .main-svg").first).to_be_visible()
    expect_room(page)
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop") == 0
    page.get_by_role("button", name="Previous epoch", exact=True).click()
    expect(page.locator(".tsk-tile-label").first).to_have_text("Accuracy, epoch 19")
    expect(page.locator(".st-key-how_sure")).to_be_hidden()  # whose intervals are those of the last epoch
    set_rules(page, 7)
    beside = page.get_by_text("Showing wine, R 4. The settings in the sidebar differ and apply to the next run.")
    expect(beside).to_be_visible()
    train, words = button(page, "Train").bounding_box(), beside.bounding_box()
    assert 0 < words["y"] - train["y"] - train["height"] < 120  # below the buttons
    for name in ("Train", "Stop", "Pause", "Step", "Presets", "More"):
        expect(button(page, name)).to_be_in_viewport(ratio=1)
    expect_room(page)
    for setting in (field(page, "Rules R"), field(page, "UR weight λ"), field(page, "Batch size B")):
        expect(setting).to_be_in_viewport()  # the sidebar is open, and has what a lecture changes on its first screen
    expect(choice(page, "BN")).to_be_in_viewport()
    choose_preset(page, "BN speeds up")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)  # the box does not hide what it starts
    expect(button(page, "Then: with BN")).to_be_enabled()  # once it has ended
    expect_room(page)
    run = run_of(page)
    set_rules(page, 5)
    page.wait_for_timeout(1000)  # in which a run would begin, were the preset chosen again with the next change
    assert run_of(page) == run
