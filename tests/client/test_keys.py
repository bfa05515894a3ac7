"""Keys for a lecturer: what is reported to the server, what the browser does by itself, and what is left to widgets."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import make_history, make_shown, message_of

pytestmark = pytest.mark.browser

PAGE = """
const { onKeys } = await import("/client/keys.js");
globalThis.clicked = [];
globalThis.reported = [];
const place = document.getElementById("place");
const add = (tag, className, text, attributes = {}) => {
  const node = document.createElement(tag);
  Object.assign(node, { className, textContent: text });
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.onclick = () => clicked.push(text);
  return place.appendChild(node);
};
const tabs = add("div", "", "", { role: "tablist" });
for (const name of ["Training", "Firing"]) tabs.appendChild(add("button", "", name, { role: "tab" }));
add("div", "st-key-why", "").appendChild(add("button", "", "Why?"));
add("div", "st-key-key_list", "").appendChild(add("button", "", "Keys"));
add("input", "", "");
globalThis.leave = onKeys(["l", "PageDown"], (presses) => reported.push(presses));
"""


@pytest.fixture
def page(client):
    client.open().run(PAGE)
    return client.page


def test_each_press_is_reported_once_with_those_before_it(page):
    """Streamlit passes only the last of several messages on, so each has the presses that may be missing."""
    for key in ("l", "L", "q", "PageDown"):
        page.keyboard.press(key)
    numbered = [[1, "l"], [2, "l"], [3, "PageDown"]]
    assert page.evaluate("reported") == [numbered[:1], numbered[:2], numbered]
    for _ in range(30):
        page.keyboard.press("l")
    last = page.evaluate("reported.at(-1)")
    assert len(last) == 20 and last[-1] == [33, "l"]


def test_presses_wait_until_the_page_is_at_rest(page):
    """A press that overtook the one before it would bring the old values of the widgets back."""
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<i data-testid=stApp data-test-script-state=running></i>')")
    state = "(state) => document.querySelector('[data-testid=stApp]').setAttribute('data-test-script-state', state)"
    page.keyboard.press("l")
    page.keyboard.press("PageDown")
    page.wait_for_timeout(100)
    assert page.evaluate("reported") == []
    page.evaluate(state, "notRunning")
    page.wait_for_function("reported.length")
    page.keyboard.press("l")  # before the server began to work on the two
    page.evaluate(state, "running")
    page.wait_for_timeout(100)
    assert [[key for _, key in presses] for presses in page.evaluate("reported")] == [["l", "PageDown"]]
    page.evaluate(state, "notRunning")
    page.wait_for_function("reported.length === 2")


def test_boxes_and_tabs_are_opened_in_the_browser(page):
    for key in ("2", "1", "9", "w", "?"):
        page.keyboard.press(key)
    assert [name for name in page.evaluate("clicked") if name] == ["Firing", "Training", "Why?", "Keys"]
    assert page.evaluate("reported") == []


REPLAY = """
const { mount, receive } = await import("/client/client.js");
receive(given[0]);
const charts = document.getElementById("place").appendChild(document.createElement("div"));
mount(charts, { views: ["epochs", "order"] });
"""


def test_the_space_bar_replays_whatever_was_pressed_with_the_pointer_last(client, page):
    runs = [make_shown(make_history(400), name, metrics={}) for name in ("now", "before")]
    client.run(REPLAY, message_of(*runs))
    playing, paused = page.get_by_role("button", name="Pause replay"), page.get_by_role("button", name="Replay training")
    beside = page.get_by_role("button", name="Draw the comparison beside the run, on equal scales")
    pressed = False
    page.locator(".tsk-slider").focus()
    page.keyboard.press("Space")
    expect(playing).to_be_visible()
    for press in (beside, page.get_by_role("tab", name="Firing"), page.locator(".tsk-order select")):
        press.click()
        page.keyboard.press("Escape")
        pressed ^= press is beside
        expect(beside).to_have_attribute("aria-pressed", str(pressed).lower())
        page.keyboard.press("Space")
        expect(paused).to_be_visible()
        page.keyboard.press("Space")
        expect(playing).to_be_visible()
        expect(beside).to_have_attribute("aria-pressed", str(pressed).lower())  # it is not pressed as well
    page.locator(".tsk-order select").focus()
    page.keyboard.press("Tab")
    expect(beside).to_be_focused()
    page.keyboard.press("Space")  # whoever moves the focus with the keyboard presses with it
    expect(playing).to_be_visible()
    expect(beside).to_have_attribute("aria-pressed", str(not pressed).lower())


def test_after_the_epoch_slider_was_moved_with_the_pointer_keys_and_remotes_work_and_arrows_stay_its_own(client, page):
    client.run(REPLAY, message_of(make_shown(make_history(50), "now", metrics={})))
    slider = page.locator(".tsk-slider")
    slider.click(position={"x": 5, "y": 5})
    before = int(slider.input_value())
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(before + 1))
    for key in ("PageDown", "l"):
        slider.click(position={"x": 5, "y": 5})
        page.keyboard.press(key)
    page.wait_for_function("reported.length === 2")
    assert [press[1] for press in page.evaluate("reported.at(-1)")] == ["PageDown", "l"]
    page.locator(".tsk-order select").focus()
    page.keyboard.press("Shift+Tab")
    slider.focus()
    page.keyboard.press("PageDown")  # whoever came with the keyboard moves it
    assert page.evaluate("reported.length") == 2


def test_the_arrows_scroll_a_wide_grid_that_has_the_focus(client, page):
    client.run(REPLAY, message_of(make_shown(make_history(5), "now", metrics={})))
    wide = "<div id=wide role=region tabindex=0 style='width:9em; overflow:auto'><p style='width:99em'>a grid</p></div>"
    page.evaluate("(wide) => document.getElementById('place').insertAdjacentHTML('beforeend', wide)", wide)
    page.locator("#wide").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getElementById('wide').scrollLeft > 0")
    expect(page.locator(".tsk-slider")).to_have_value("4")


def test_a_key_hides_the_buttons_and_what_is_typed_or_meant_for_the_browser_is_no_key(page):
    hidden = "document.documentElement.classList.contains('tsk-no-buttons')"
    for expected in (True, False, True):
        page.keyboard.press("v")
        assert page.evaluate(hidden) is expected
    page.locator("input").focus()
    page.keyboard.press("l")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+l")
    page.evaluate("leave()")
    assert page.evaluate(hidden) is False
    page.keyboard.press("l")
    assert page.evaluate("reported") == []
