"""Predictions that are drawn, painted or chosen, by mouse, finger and keyboard, until they are locked."""

import json

import pytest
from playwright.sync_api import expect

from tests.client.messages import message_of

pytestmark = pytest.mark.browser

SHOW = """
const { mount, receive } = await import("/client/client.js");
const [message, prediction] = JSON.parse(given[0]);
receive(message);
window.sent ??= [];
window.ended?.();
document.querySelector("#place").replaceChildren();
const send = (name, value) => window.sent.push([name, value]);
window.ended = mount(document.querySelector("#place"), { views: ["predict"], prediction }, send);
"""
BASE = {
    "options": [], "labels": [], "x": "Rule", "y": "Firing level", "low": 0, "high": 1, "start": None, "line": None, "grid": 0,
    "features": [], "value": None, "locked": False,
}  # fmt: skip
EQUAL = {"at": 0.25, "text": "1/R"}
BARS = BASE | {"id": "bars", "kind": "bars", "labels": ["1", "2", "3", "4"], "start": [0.25] * 4, "line": EQUAL}
CURVE = BASE | {"id": "curve", "kind": "curve", "labels": [str(k) for k in range(11)], "start": [0.5] * 11, "x": "Epoch"}
REGION = BASE | {
    "id": "region", "kind": "region", "grid": 8, "features": ["<b>a</b>", "b"], "ranges": [[0, 4], [-1, 1]],
    "points": [{"x": 1, "y": 0, "c": 0}, {"x": 3, "y": 0.5, "c": 1}], "classes": ["no", "yes"],
}  # fmt: skip
CHOICE = BASE | {"id": "choice", "kind": "choice", "options": ["It falls", "<i>It rises</i>"]}


def show(client, prediction, *, again=False):
    """Show a prediction on a blank page; again: draw it anew on the same page, as Streamlit does at any moment."""
    if not again:
        client.open()
    client.run(SHOW, json.dumps([message_of(), prediction]))
    return client.page


def locked(page):
    """What was sent when the button was pressed."""
    page.get_by_role("button", name="Lock my prediction").click()
    return page.evaluate("window.sent.at(-1)")


def stroke(page, svg, *places):
    """One drag of the mouse through these shares of the drawing's width and height."""
    box = page.locator(svg).bounding_box()
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    page.mouse.move(*points[0])
    page.mouse.down()
    for x, y in points[1:]:
        page.mouse.move(x, y)
    page.mouse.up()


def values(page):
    return [float(one.get_attribute("aria-valuenow")) for one in page.get_by_role("slider").all()]


def test_a_bar_follows_the_mouse_to_its_end(client):
    page = show(client, BARS)
    lock = page.get_by_role("button", name="Lock my prediction")
    expect(lock).to_be_disabled()
    bar = page.get_by_role("slider").nth(1).bounding_box()
    x, foot = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"]
    page.mouse.move(x, foot - 20)
    page.mouse.down()
    heights = []
    for up in (40, 80, 120):
        page.mouse.move(x, foot - up)
        heights.append(values(page)[1])
    page.mouse.up()
    assert 0 < heights[0] < heights[1] < heights[2] < 1
    page.mouse.move(x, foot - 10)  # released: nothing moves
    assert values(page) == [0.25, heights[2], 0.25, 0.25]
    name, sent = locked(page)
    assert name == "lock" and sent["value"] == pytest.approx([0.25, heights[2], 0.25, 0.25], abs=1e-3)


def test_a_bar_is_a_slider_for_the_keyboard(client):
    page = show(client, BARS)
    bar = page.get_by_role("slider", name="2: Firing level")
    bar.focus()
    for key, expected in (("ArrowUp", 0.26), ("ArrowDown", 0.25), ("PageUp", 0.35), ("PageDown", 0.25), ("End", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(bar).to_have_attribute("aria-valuetext", f"{expected:.2f}")
        expect(bar).to_be_focused()
    page.keyboard.press("ArrowDown")
    assert values(page) == [0.25, 0, 0.25, 0.25]


@pytest.mark.parametrize("prediction", [BARS, CURVE, REGION, CHOICE], ids=lambda one: one["kind"])
def test_what_is_drawn_survives_that_the_page_is_drawn_anew(client, prediction):
    page = show(client, prediction)
    if prediction["kind"] == "choice":
        page.get_by_text("<i>It rises</i>").click()
    else:
        stroke(page, ".tsk-region, .tsk-heights", (0.4, 0.6), (0.5, 0.5))
    before = page.locator(".tsk-predict-place").inner_html()
    show(client, prediction, again=True)
    assert page.locator(".tsk-predict-place").inner_html() == before
    _, sent = locked(page)
    show(client, prediction | {"value": sent["value"], "locked": True}, again=True)
    expect(page.get_by_role("button", name="Lock my prediction")).to_be_hidden()
    html = page.locator(".tsk-predict-place").inner_html()
    if prediction["kind"] != "choice":
        stroke(page, ".tsk-region, .tsk-heights", (0.4, 0.3), (0.6, 0.5))
    else:
        assert page.get_by_role("radio").nth(1).is_checked() and page.get_by_role("radio").first.is_disabled()
    assert page.locator(".tsk-predict-place").inner_html() == html


def test_cells_are_painted_without_gaps_and_erased_by_a_stroke_from_a_painted_one(client):
    page = show(client, REGION)
    box = page.locator(".tsk-region").bounding_box()
    left, side = 40, (box["height"] - 44) / 8  # pixels of the margin, and of a cell

    def middle(column, row):
        return (left + (column + 0.5) * side) / box["width"], (8 + (7.5 - row) * side) / box["height"]

    stroke(page, ".tsk-region", middle(0, 0), middle(7, 7))  # one move across the diagonal
    _, sent = locked(page)
    assert all(sent["value"][9 * k] == 1 for k in range(8)) and sum(sent["value"]) <= 15
    stroke(page, ".tsk-region", middle(0, 0), middle(3, 3))
    _, sent = locked(page)
    assert [sent["value"][9 * k] for k in range(8)] == [0] * 4 + [1] * 4
    page.get_by_role("button", name="Clear all cells").click()
    assert sum(locked(page)[1]["value"]) == 0
    assert page.locator(".tsk-region b").count() == 0  # names are text


def test_cells_are_painted_by_keyboard_one_stop_of_tab(client):
    page = show(client, REGION)
    assert page.locator(".tsk-region [tabindex='0']").count() == 1
    page.locator(".tsk-region [tabindex='0']").focus()
    page.keyboard.press("Home")
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    cell = page.locator(":focus")
    expect(cell).to_have_role("gridcell")
    expect(cell).to_have_attribute("aria-selected", "true")
    assert [k for k, value in enumerate(locked(page)[1]["value"]) if value] == [0, 9]


def test_an_option_is_chosen_by_keyboard(client):
    page = show(client, CHOICE)
    page.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio").nth(1)).to_be_focused()
    assert locked(page) == ["lock", {"value": [1]}]


@pytest.mark.parametrize("prediction", [BARS, CURVE, REGION, CHOICE], ids=lambda one: one["kind"])
def test_a_prediction_fits_a_phone(phone, prediction):
    page = show(phone, prediction)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if prediction["kind"] != "choice":  # where the finger is, though the drawing may be scaled
        stroke(page, ".tsk-region, .tsk-heights", (0.3, 0.5), (0.9, 0.5))
        expect(page.get_by_role("button", name="Lock my prediction")).to_be_enabled()


def test_a_finger_draws(touch):
    page = show(touch, BARS)
    box = page.locator(".tsk-heights").bounding_box()
    page.touchscreen.tap(box["x"] + 0.9 * box["width"], box["y"] + 0.3 * box["height"])
    assert values(page)[:3] == [0.25] * 3 and values(page)[3] > 0.5
    assert page.locator(".tsk-heights").evaluate("node => getComputedStyle(node).touchAction") == "none"
