"""What a visitor does and looks for, and files to upload."""

import re

from playwright.sync_api import expect


def button(page, name):
    return page.locator("[data-testid=stMain], [data-testid=stSidebar]").get_by_role("button", name=name, exact=True)


def tab(page, name):
    return page.get_by_role("tab", name=name, exact=True)


def open_tab(page, name):
    """Open a tab once the page is at rest: of two that are pressed within one run of the script, Streamlit may keep the first."""
    at_rest(page)
    tab(page, name).click()
    expect(tab(page, name)).to_have_attribute("aria-selected", "true")


def explain_all(page):
    """Open the explanations of all charts in sight."""
    closed = page.locator(".tsk-explain[aria-expanded=false]:visible")
    while closed.count():
        closed.first.click()


def field(page, name):
    return page.get_by_role("spinbutton", name=name, exact=True)


def choice(page, name):
    return page.get_by_role("combobox", name=name, exact=True)


def metric(page, label):
    """The value of a tile; its label may go on, as "Accuracy, by validation" does."""
    return page.get_by_test_id("stMetric").filter(has_text=re.compile(f"^{re.escape(label)}")).get_by_test_id("stMetricValue")


def live_metric(page, label):
    """The same while a run trains, when the browser draws it."""
    return page.locator(".tsk-view-tiles > div").filter(has_text=re.compile(f"^{re.escape(label)}")).locator(".tsk-tile-value")


def progress(page):
    return page.get_by_test_id("stProgress")


def open_box(page, title):
    """Open the box of the sidebar with this title, and the one around it, unless they are open."""
    for name in dict.fromkeys(("All settings", title)):
        at_rest(page)
        summary = page.get_by_test_id("stSidebar").locator("summary", has_text=name)
        box = summary.locator("xpath=..")
        if box.get_attribute("open") is None:
            summary.click()
        expect(box).to_have_attribute("open", "")
    at_rest(page)


def at_rest(page):
    """Wait until the script of the page has ended."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def choose(page, name, option):
    at_rest(page)
    choice(page, name).evaluate("(node) => node.scrollIntoView({ block: 'center' })")  # a click at an edge scrolls the page
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    choice(page, name).click()  # its list closes where the page scrolls, so nothing may scroll any more
    page.get_by_role("option", name=option, exact=True).click()
    expect(choice(page, name)).to_have_value(option)


def upload(page, name, content):
    page.locator(".st-key-file input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def train_by_hand(page):
    """A change of a knob trains no longer by itself."""
    open_box(page, "All settings")
    page.get_by_text("Train on change").click()
    at_rest(page)


def open_drawer(page):
    """Show the sidebar on a phone."""
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(button(page, "Train")).to_be_in_viewport()


def train_to_the_end(page):
    at_rest(page)
    button(page, "Train").click()
    expect(progress(page)).to_contain_text("Finished")


def run_of(page):
    """The id of the run that the page's address names."""
    return page.url.partition("run=")[2][:32]


def start_a_long_run(page):
    """Press Train and wait until epochs come in."""
    button(page, "Train").click()
    expect(live_metric(page, "Epoch")).to_have_text(re.compile(r"^[1-9]\d* / 2000$"))


def stop(page):
    button(page, "Stop").click()
    expect(progress(page)).to_contain_text("Stopped")


def rules(page):
    """The sentences of the rules, in an open tab."""
    open_tab(page, "Rules")
    return page.locator(".tsk-sentence", has_text=re.compile(r"IF .* THEN ")).filter(visible=True)


def shown(text):
    """A pattern for text whose signs may be kept apart by U+2060, which has no width, so that nothing is made of them."""
    return "\u2060?".join(map(re.escape, text))
