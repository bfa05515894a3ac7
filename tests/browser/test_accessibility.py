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
    if grave(page, *rules):  # a button may have begun to change its colour since
        page.wait_for_timeout(1000)
        return grave(page, *rules)
    return []


def violations_by_scheme(page):
    """Those of the page as it stands, light and then dark, which differ in colours alone."""
    found = []
    for scheme, is_light, rules in (("light", True, ()), ("dark", False, ("color-contrast",))):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(IS_LIGHT, arg=is_light)
        found += [f"{scheme}: {fault}" for fault in violations(page, *rules)]
    return found


def grave(page, *rules):
    """Those of a page as it is now."""
    options = {"resultTypes": ["violations"]}  # listing what is right takes as long again
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found if one["impact"] in GRAVE for node in one["nodes"]]


def test_neither_the_first_screen_nor_the_card_of_a_table_nor_its_run_has_a_serious_fault(visit):
    page = visit("/?epochs=30&rules=5")
    expect(button(page, "Train")).to_be_enabled()
    found = {"fresh": violations_by_scheme(page)}
    upload(page, "pets.csv", pets())
    expect(page.locator(".st-key-table_card")).to_be_visible()
    found["card"] = violations_by_scheme(page)
    train_to_the_end(page)
    for name in ("Training", "Samples", "Rules"):
        open_tab(page, name)
        explain_all(page)
        found[name] = violations_by_scheme(page)
    assert found == dict.fromkeys(found, [])


def test_a_presented_comparison_has_no_serious_fault(visit):
    page = visit(f"/compare?{COMPARED}")
    expect(button(page, "Compare")).to_be_enabled()
    button(page, "Compare").click()
    expect(button(page, "Every training (CSV)")).to_be_visible()
    page.goto(f"/compare?{COMPARED}&present=1")
    expect(page.get_by_text(re.compile(r"95% interval −?\d")).first).to_be_visible()
    assert violations_by_scheme(page) == []
