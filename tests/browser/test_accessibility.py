"""What axe-core, which knows the rules of accessibility, finds on each page and tab, light and dark: nothing serious."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.helpers import button, explain_all, open_tab, train_to_the_end, upload
from tests.tables import pets

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GRAVE = ("serious", "critical")
# Whether the app's background is light.
IS_LIGHT = """wanted => {
  const colour = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
  return (Number(colour.match(/\\d+/)[0]) > 127) === wanted;
}"""
COMPARED = "data=iris&epochs=8&rules=3&variants=none%2Cur&seeds=3"


def violations(page, *rules):
    """Each grave one as "rule: the element's HTML"; rules: those of axe-core that are asked, all where none is named."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(300)  # what was drawn begins to fade in; half faded its contrast is low
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    found = _grave(page, rules)
    if found:  # a button may have begun to change its colour since
        page.wait_for_timeout(1000)
        found = _grave(page, rules)
    return found


def violations_by_scheme(page):
    """Those of the page as it stands, light and then dark, which differ in colours alone."""
    found = []
    for scheme, is_light, rules in (("light", True, ()), ("dark", False, ("color-contrast",))):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(IS_LIGHT, arg=is_light)
        found += [f"{scheme}: {fault}" for fault in violations(page, *rules)]
    return found


def _grave(page, rules):
    options = {"resultTypes": ["violations"]}  # listing what is right takes as long again
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found if one["impact"] in GRAVE for node in one["nodes"]]


def judge(found):
    """found: what was found by the place where it was."""
    assert not {place: faults for place, faults in found.items() if faults}


def test_neither_the_first_screen_nor_the_panel_of_data_has_a_serious_fault(visit):
    page = visit("/?epochs=30&rules=5")
    expect(button(page, "Train")).to_be_enabled()
    found = {"fresh": violations_by_scheme(page)}
    upload(page, "picture.png", b"\x89PNG\r\n\x1a\n")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    found["unreadable"] = violations_by_scheme(page)
    upload(page, "pets.csv", pets())
    expect(page.locator(".st-key-table_card")).to_be_visible()
    found["card"] = violations_by_scheme(page)
    judge(found)


def test_no_tab_of_a_run_has_a_serious_fault(visit):
    page, found = visit("/?epochs=30&rules=5"), {}
    train_to_the_end(page)
    for name in ("Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules", "Predict", "Export"):
        open_tab(page, name)
        explain_all(page)
        found[name] = violations_by_scheme(page)
    page.goto("/runs")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    found["Runs"] = violations_by_scheme(page)
    judge(found)


def test_neither_a_sweep_nor_a_comparison_has_a_serious_fault(visit):
    page = visit("/sweep")
    expect(button(page, "Sweep")).to_be_enabled()
    found = {"Sweep": violations_by_scheme(page)}
    page.goto(f"/compare?{COMPARED}")
    expect(button(page, "Compare")).to_be_enabled()
    found["Compare"] = violations_by_scheme(page)
    button(page, "Compare").click()
    expect(button(page, "Every training (CSV)")).to_be_visible()
    for name in ("Training", "Mistakes"):
        open_tab(page, name)
        found[f"Compare, {name}"] = violations_by_scheme(page)
    page.goto(f"/compare?{COMPARED}&present=1")
    expect(page.get_by_text(re.compile(r"95% interval −?\d")).first).to_be_visible()
    found["Compare, presented"] = violations_by_scheme(page)
    page.goto("/?present=1")
    expect(button(page, "Train")).to_be_enabled()
    found["Present"] = violations_by_scheme(page)
    judge(found)
