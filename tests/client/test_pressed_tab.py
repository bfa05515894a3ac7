"""Streamlit's tabs: one that is pressed while the script runs opens, whatever arrives from before the press."""

import pytest

pytestmark = pytest.mark.browser

# Tabs as Streamlit draws them: a press opens one unless it is disabled, and so does what comes from the server.
PAGE = """
await import("/client/client.js");
globalThis.sent = [];
const place = document.getElementById("place"), list = place.appendChild(document.createElement("div"));
list.dataset.testid = "stTabs";
globalThis.open = (name) => {
  for (const tab of list.children) tab.setAttribute("aria-selected", String(tab.textContent === name));
};
for (const name of ["Training", "Firing", "Rules"]) {
  const tab = list.appendChild(document.createElement("div"));
  Object.assign(tab, { textContent: name, tabIndex: 0, onclick: () => {
    if (tab.getAttribute("aria-disabled") === "true" || tab.getAttribute("aria-selected") === "true") return;
    open(name);
    sent.push(name);
  } });
  tab.onpointerdown = ({ pointerType }) => { if (pointerType === "mouse") tab.onclick(); };
  tab.onkeydown = () => { tab.nextSibling.focus(); open(tab.nextSibling.textContent); };
  tab.setAttribute("role", "tab");
}
open("Training");
place.appendChild(document.createElement("button")).textContent = "Other";
"""


@pytest.fixture
def page(client):
    client.open().run(PAGE)
    return client.page


def opened(page):
    return page.evaluate("document.querySelector('[aria-selected=true]').textContent")


def arrives(page, name):
    """What a run of the script sends that began while this tab was open."""
    page.evaluate("async (name) => { open(name); await new Promise(requestAnimationFrame); }", name)


def test_tabs_open_one_after_the_other(page):
    """A mouse opens them when it is pressed, before there is a click."""
    for name in ("Firing", "Rules", "Training"):
        page.get_by_text(name).click()
        assert opened(page) == name
    page.wait_for_timeout(200)
    assert opened(page) == "Training" and page.evaluate("sent") == ["Firing", "Rules", "Training"]


def test_a_run_that_began_before_the_press_does_not_undo_it(page):
    page.get_by_text("Firing").click()
    arrives(page, "Training")
    assert opened(page) == "Firing" and page.evaluate("sent") == ["Firing", "Firing"]
    page.get_by_text("Training").focus()
    page.keyboard.press("ArrowRight")
    arrives(page, "Rules")
    assert opened(page) == "Firing"


def test_a_tab_pressed_while_it_is_disabled_opens_when_it_is_enabled(page):
    disable = "disabled => document.querySelectorAll('[role=tab]').forEach((tab) => tab.setAttribute('aria-disabled', disabled))"
    page.evaluate(disable, "true")
    page.get_by_text("Rules").click(force=True)
    assert opened(page) == "Training"
    page.evaluate(disable, "false")
    assert opened(page) == "Rules" and page.evaluate("sent") == ["Rules"]


@pytest.mark.parametrize(
    "press", [lambda page: page.get_by_text("Other").click(), lambda page: page.keyboard.press("n")], ids=["click", "key"]
)
def test_whatever_is_pressed_next_may_open_another_tab(page, press):
    """As a preset does, which opens the tab to watch."""
    page.get_by_text("Firing").click()
    press(page)
    arrives(page, "Rules")
    assert opened(page) == "Rules"


def test_a_tab_that_does_not_stay_open_is_not_pressed_for_ever(page):
    page.get_by_text("Firing").click()
    for _ in range(6):
        arrives(page, "Training")
    assert opened(page) == "Training"
    assert page.evaluate("sent.length") == 4
