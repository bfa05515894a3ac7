"""The Explore page in a real browser: what only a browser shows."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import (
    button,
    choice,
    choose,
    field,
    open_box,
    open_drawer,
    open_tab,
    rules,
    shown,
    start_a_long_run,
    stop,
    train_to_the_end,
    upload,
)
from tests.tables import pets
from ui.charts import CHART_TABS, CHARTS

pytestmark = pytest.mark.browser

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n"
LONG = "data=breast_cancer&epochs=2000&batch=2&rules=20"  # 400,000 steps: it trains until someone stops it
DRAWN = ".tsk-chart"
STILL = {"added": 0, "removed": 0, "blank": 0, "moved": False, "seen": True}
CHARTS_OF = {tab: [chart for chart in CHARTS.values() if chart.tab == tab] for tab in CHART_TABS}

ALL_DRAWN = """(() => {
  const marks = ".trace, .bars, .heatmaplayer image";
  const drawn = (chart) => chart.querySelector(".main-svg")?.clientWidth && chart.querySelector(marks);
  const visible = [...document.querySelectorAll(".tsk-chart")].filter((chart) => chart.checkVisibility());
  return visible.length > 0 && visible.every(drawn);
})()"""

# Counts what happens to the charts: nodes that come or go; updates, each of which changes the words of the first visible one;
# and frames in which one that is visible has nothing drawn on it.
WATCH = """() => {
  const first = document.querySelector(".tsk-chart");
  const moved = () => document.querySelector(".tsk-chart") !== first;
  const watched = { added: 0, removed: 0, updates: 0, frames: 0, blank: 0 };
  const visible = () => [...document.querySelectorAll(".tsk-chart")].filter((chart) => chart.checkVisibility());
  const charts = (nodes) => [...nodes].filter(
    (n) => n.nodeType === 1 && (n.matches(".tsk-chart") || n.querySelector(".tsk-chart"))).length;
  const look = (changes) => {
    for (const change of changes) {
      if (change.type === "attributes") watched.updates += change.target === visible()[0] ? 1 : 0;
      else { watched.added += charts(change.addedNodes); watched.removed += charts(change.removedNodes); }
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-label"] });
  const painted = () => { // just after the frame, which is when a chart has been drawn at its size
    watched.frames += 1;
    watched.blank += ALL_DRAWN ? 0 : 1;
  };
  const frame = () => {
    setTimeout(painted);
    watched.next = requestAnimationFrame(frame);
  };
  frame();
  watched.stop = () => {
    look(observer.takeRecords());
    observer.disconnect();
    cancelAnimationFrame(watched.next);
    const { added, removed, blank, frames } = watched;
    return { added, removed, blank, moved: moved(), seen: frames > 0 };
  };
  window.watched = watched;
}""".replace("ALL_DRAWN", ALL_DRAWN)


def watch(page):
    """Watch the charts from now on, all of which have been drawn."""
    page.wait_for_function(ALL_DRAWN)
    page.evaluate(WATCH)


def places(page):
    """Where the Train button and the first box of settings begin; the box may still be opening."""
    boxes = [one.bounding_box() for one in (button(page, "Train"), page.locator("[data-testid=stExpander]").first)]
    return [(box["x"], box["y"]) for box in boxes]


@pytest.mark.slow
def test_a_changed_setting_stands_in_the_link_and_opens_again(page, visit):
    choose(page, "Data", "wine")
    expect(page).to_have_url(re.compile("data=wine"))
    field(page, "Rules R").fill("7")
    field(page, "Rules R").press("Enter")
    expect(page).to_have_url(re.compile("rules=7"))
    choose(page, "BN", "per rule")
    expect(page).to_have_url(re.compile("bn=rbn"))
    open_box(page, "More settings")
    page.get_by_text("Early stopping").click()
    expect(page.locator(".st-key-start_changes")).to_contain_text("Early stopping")  # the page is drawn with it
    expect(field(page, "Learning rate η")).to_be_visible()  # and the box stays open
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    before = places(page)
    button(page, "Share").click()
    page.get_by_role("button", name="Copy full link", exact=True).click()
    expect(page.locator(".st-key-copied").get_by_text("Copied", exact=True)).to_be_visible()
    assert places(page) == before
    expect(page.locator(".st-key-copied").get_by_text("Copied", exact=True)).to_have_count(0)  # after a while
    full = page.evaluate("() => navigator.clipboard.readText()")
    assert "seed=0" in full
    for link in (page.url, full):
        other = visit(link)
        expect(choice(other, "Data")).to_have_value("wine")
        expect(field(other, "Rules R")).to_have_value("7")
        expect(choice(other, "BN")).to_have_value("per rule")
        open_box(other, "More settings")
        expect(other.get_by_role("checkbox", name="Early stopping")).to_be_checked()
        expect(other.get_by_test_id("stAlert")).to_have_count(0)


def expect_names(page):
    """Every chart is there, and has a role and a name for screen readers."""
    charts = page.locator(DRAWN)
    expect(charts).to_have_count(len(CHARTS))
    for name, of_tab in CHARTS_OF.items():
        open_tab(page, name)
        visible = charts.filter(visible=True)
        expect(visible).to_have_count(len(of_tab))
        for chart in visible.all():
            expect(chart).to_have_role(re.compile("img|figure").search(chart.get_attribute("role"))[0])
            expect(chart).to_have_accessible_name(re.compile(r"\w+ \w+"))


@pytest.mark.slow
def test_charts_stay_in_place_while_a_run_trains_and_each_has_a_name(visit):
    page = visit(f"/?{LONG}")
    start_a_long_run(page)
    open_tab(page, "Training")
    expect(page.locator(".tsk-chart .main-svg").first).to_be_visible()
    watch(page)
    page.wait_for_function("() => watched.updates >= 3")
    open_tab(page, "Firing")  # neither a look at another tab …
    expect(page.locator(".tsk-view-firing .main-svg").first).to_be_visible()
    field(page, "Rules R").fill("7")  # … nor a setting for the next run touches this one
    field(page, "Rules R").press("Enter")
    expect(page).to_have_url(re.compile("rules=7"))
    page.evaluate("() => { watched.before = watched.updates }")
    page.wait_for_function("() => watched.updates >= watched.before + 2")
    expect(button(page, "Stop")).to_be_enabled()  # it was alive all the while
    assert page.evaluate("() => watched.stop()") == STILL
    expect_names(page)
    watch(page)
    stop(page)  # … nor its end
    expect(button(page, "Train")).to_be_enabled()
    assert page.evaluate("() => watched.stop()") == STILL
    expect_names(page)


@pytest.mark.slow
def test_a_phone_needs_no_scrolling_sideways_and_shows_the_plane_above_the_reasons(visit):
    page = visit("/?epochs=20", viewport={"width": 390, "height": 844})
    fits = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
        .every((box) => box.scrollWidth <= box.clientWidth)"""
    expect(button(page, "Upload your table")).to_be_visible()
    page.wait_for_function(fits)
    open_drawer(page)
    train_to_the_end(page)
    expect(button(page, "Train")).not_to_be_in_viewport()  # the drawer has closed
    for name in CHART_TABS:
        open_tab(page, name)
        expect(page.locator(".tsk-chart .main-svg").filter(visible=True).first).to_be_visible()
        page.wait_for_function(fits)
    open_tab(page, "Mistakes")
    scores = page.locator(".st-key-by_class [data-testid=stTable]")
    assert scores.evaluate("(box) => box.scrollWidth <= box.clientWidth")  # all its columns are seen
    expect(rules(page).first).to_be_visible()
    page.wait_for_function(fits)
    first, top = page.locator(".tsk-sentence").first.bounding_box(), page.get_by_role("tablist").last.bounding_box()["y"]
    assert first["y"] + first["height"] - top < 600  # of 844: on the first screen of its tab
    open_tab(page, "Samples")
    expect(page.locator(".tsk-view-plane canvas").first).to_be_visible()
    plane, reasons = (page.locator(f".tsk-view-{name}").bounding_box() for name in ("plane", "reasons"))
    assert plane["y"] + plane["height"] <= reasons["y"] + 1
    page.wait_for_function(fits)
    expect(button(page, "Comparison")).to_be_visible()


@pytest.mark.slow
def test_hostile_names_addresses_and_icons_are_shown_as_text(visit):
    image, link = "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"
    classes = (
        "**cat** $x$ :red[y] https://evil.example/ www.evil.example me@evil.example",
        "<script>alert(1)</script> :material/home: a -> b",
    )
    page = visit("/?data=upload&rules=3&epochs=40")  # enough that rules have clear classes
    upload(page, f"{image} {link}.csv", pets(f'"{image}",{link},$kind$', ("=cmd()", "<b>blue</b>"), classes))
    expect(page.get_by_text(re.compile(f"Data – {shown(f'{image} {link}')}"))).to_be_visible()
    train_to_the_end(page)
    concluding = rules(page).filter(has_not_text="THEN mostly")
    expect(concluding.first).to_have_text(re.compile(f"THEN ({'|'.join(map(shown, classes))})$"))
    made = "img, script, a, .katex, [role=img]:not(.tsk-share)"
    expect(page.locator("[data-testid=stMarkdownContainer], .tsk-card").locator(made)).to_have_count(0)


@pytest.mark.slow
def test_a_chart_explains_itself_with_the_numbers_of_the_selected_epoch(visit):
    page = visit("/?epochs=20")
    train_to_the_end(page)
    page.get_by_test_id("stMetric").filter(has_text=re.compile("^Accuracy")).get_by_test_id("stTooltipIcon").hover()
    expect(page.get_by_test_id("stTooltipContent")).to_contain_text(re.compile(r"RCA = \(.+\) / 45 = [01]\.\d{3}"))
    expect(page.get_by_test_id("stTooltipContent").locator(".katex").first).to_be_visible()
    open_tab(page, "Firing")
    opener = page.get_by_role("button", name="Explain: Average firing level of each rule")
    opener.click()
    panel = page.get_by_role("region", name="Explanation: Average firing level of each rule")
    expect(panel).to_be_focused()
    expect(panel).to_contain_text("an equal share is 1/R")
    formula = panel.locator("math").first.bounding_box()
    assert formula["height"] > 20 and formula["width"] > 60  # drawn as a formula, not as a line of text
    at_the_end = panel.locator(".tsk-numbers").inner_text()
    assert re.search(r"Most active: f̄\S+ · R = [\d.]+ × 20 = [\d.]+ times an equal share", at_the_end)
    page.get_by_role("slider", name="Selected epoch").fill("1")
    expect(panel.locator(".tsk-numbers")).not_to_have_text(at_the_end)
    expect(panel).to_be_visible()
    panel.press("Escape")
    expect(panel).to_be_hidden()
    expect(opener).to_be_focused()
