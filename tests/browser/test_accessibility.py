"""What axe-core, which knows the rules of accessibility, finds on each page and tab, light and dark: nothing serious."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.helpers import button, explain_all, open_tab, pets, train_to_the_end, upload

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GRAVE = ("serious", "critical")
OF_COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of axe-core that look at colours
# Whether the ground of the page is dark, and whether it is light.
IS_DARK = """() => {
  const [red, green, blue] = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor.match(/\\d+/g);
  return Math.max(red, green, blue) < 64;
}"""
IS_LIGHT = IS_DARK.replace("Math.max", "Math.min").replace("< 64", "> 192")


def violations(page, rules=None):
    """Each grave one as "rule: the element's HTML". rules: the only ones that are looked at, if not all."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(300)  # what was drawn begins to fade in; half faded its contrast is low
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    found = _grave(page, rules)
    if found:  # a button may have begun to change its colour since
        page.wait_for_timeout(1000)
        found = _grave(page, rules)
    return found


def _grave(page, rules):
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found if one["impact"] in GRAVE for node in one["nodes"]]


def violations_light_and_dark(page):
    """Those of the page as it is, then those of colours in the other scheme, in which the page stays.

    Nothing but its colours depends on the scheme. Places looked at one after the other begin in turns light and dark.
    """
    found = violations(page)
    dark = page.evaluate(IS_DARK)
    other = "light" if dark else "dark"
    page.emulate_media(color_scheme=other)
    page.wait_for_function(IS_LIGHT if dark else IS_DARK)
    return found + [f"{other}: {one}" for one in violations(page, OF_COLOURS)]


def test_no_page_and_no_tab_has_a_serious_fault_light_or_dark(visit):
    page = visit("/?epochs=30&rules=5")
    expect(button(page, "Train")).to_be_enabled()
    found = {"fresh": violations_light_and_dark(page)}
    upload(page, "picture.png", b"\x89PNG\r\n\x1a\n")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    found["unreadable"] = violations_light_and_dark(page)
    upload(page, "pets.csv", pets())
    expect(page.locator(".st-key-table_card")).to_be_visible()
    found["card"] = violations_light_and_dark(page)
    train_to_the_end(page)
    for name in ("Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules", "Predict", "Export"):
        open_tab(page, name)
        explain_all(page)
        found[name] = violations_light_and_dark(page)
    page.goto("/runs")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    found["Runs"] = violations_light_and_dark(page)
    for name in ("compare", "sweep"):
        page.goto(f"/{name}")
        expect(button(page, name.capitalize())).to_be_enabled()
        found[name] = violations_light_and_dark(page)
    page.goto("/?present=1")
    expect(button(page, "Train")).to_be_enabled()
    found["Present"] = violations_light_and_dark(page)
    assert not {place: faults for place, faults in found.items() if faults}
