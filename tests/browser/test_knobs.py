"""The settings in sight as sliders, by keyboard: a change trains by itself, unless nobody wants it to."""

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, field, progress, run_of, train_by_hand, train_to_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REST = 2000  # milliseconds in which a run would have begun


def slider(page, name):
    return page.get_by_role("slider", name=f"{name}, slider", exact=True)


def other_run(page, run):
    page.wait_for_function("run => location.search.includes('run=') && !location.search.includes(run)", arg=run)
    return run_of(page)


def test_a_turned_knob_trains_again_by_itself_and_says_what_it_did(visit):
    page = visit("/?data=iris&epochs=10&rules=3", viewport={"width": 1280, "height": 720})
    slider(page, "UR weight λ").press("ArrowRight")
    expect(field(page, "UR weight λ")).to_have_value("1.2")
    page.wait_for_timeout(REST)
    assert run_of(page) == ""  # before the first run there is nothing to answer with
    train_to_the_end(page)
    first = run_of(page)
    for _ in range(3):  # within a moment: one training
        slider(page, "UR weight λ").press("ArrowRight")
    second = other_run(page, first)
    expect(field(page, "UR weight λ")).to_have_value("2.5")
    expect(progress(page)).to_contain_text("Finished")
    expect(page.get_by_text("Compared with the previous run (dashed or outlined): λ 1.2 → 2.5.")).to_be_visible()
    said = page.locator(".st-key-ur .tsk-knob-effect")
    expect(said).to_contain_text("largest share")
    expect(said).to_contain_text("entropy")
    expect(page.locator(".st-key-batch .tsk-knob-effect")).to_be_empty()
    page.wait_for_timeout(REST)
    assert run_of(page) == second  # that was all
    field(page, "Rules R").fill("4")  # a value that is typed is trained as well
    field(page, "Rules R").press("Enter")
    third = other_run(page, second)
    expect(page.locator(".st-key-rules .tsk-knob-effect")).to_contain_text("largest share")
    slider(page, "BN").press("Home")
    other_run(page, third)
    expect(page.get_by_role("combobox", name="BN", exact=True)).to_have_value("Off")


def test_without_train_on_change_the_button_is_pressed_by_hand(visit):
    page = visit("/?data=iris&epochs=10&rules=3", viewport={"width": 1280, "height": 720})
    train_to_the_end(page)
    run = run_of(page)
    train_by_hand(page)
    slider(page, "UR weight λ").press("ArrowRight")
    expect(page.get_by_text("Showing iris, λ 1.")).to_be_visible()
    page.wait_for_timeout(REST)
    assert run_of(page) == run
    glow = "() => getComputedStyle(document.querySelector('.st-key-train button')).animationName"
    assert page.evaluate(glow) == "tsk-glow"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(glow) == "none"
    button(page, "Train").click()
    other_run(page, run)
