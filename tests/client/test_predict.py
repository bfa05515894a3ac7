"""Predictions that are drawn before a lesson's training runs."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
MOUNT = """
const { mount } = await import("/client/client.js"), place = document.getElementById("place");
globalThis.locked ??= [];
globalThis.end?.();
place.replaceChildren();
const send = (name, value) => globalThis.locked.push([name, value]);
globalThis.end = mount(place, { views: ["predict"], prediction: given[0] }, send);
"""


def question(kind, **changes):
    """Four bars, a curve of four points, or a raster of 4 by 4 cells."""
    given = {
        "id": kind, "kind": kind, "options": ["up", "<b>down</b>"], "labels": ["1", "2", "3", "4"],
        "x": "Rule", "y": "Level", "low": 0, "high": 1,
        "start": None, "line": None, "grid": 4, "features": ["a", "b"], "ranges": [[0, 1], [0, 1]],
        "points": [], "classes": [], "value": None,
        "locked": False,
    }  # fmt: skip
    return given | changes


def opened(client, given):
    client.open().run(MOUNT, given)
    return client.page.get_by_role("button", name="Lock my prediction")


def stroke(client, svg, places, steps=12):
    """Drag over these places, shares of the drawing's width and height."""
    box = client.page.locator(svg).bounding_box()
    for k, (x, y) in enumerate(places):
        client.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=steps if k else 1)
        if not k:
            client.page.mouse.down()
    client.page.mouse.up()


def values(client):
    return [float(node.get_attribute("aria-valuenow")) for node in client.page.get_by_role("slider").all()]


@pytest.mark.parametrize("kind", ["bars", "curve"])
def test_one_stroke_changes_all_it_crosses_and_the_lock_sends_them(client, kind):
    lock = opened(client, question(kind))
    expect(lock).to_be_disabled()
    stroke(client, "svg.tsk-heights", [(0.15, 0.3), (0.9, 0.3)])
    drawn = values(client)
    assert min(drawn) > 0.6
    assert max(drawn) - min(drawn) < 0.05
    lock.click()
    [[name, sent]] = client.run("return globalThis.locked;")
    assert name == "lock"
    assert sent["value"] == pytest.approx(drawn, abs=1e-3)


def test_a_drawing_outlives_a_page_that_is_drawn_again_and_stands_still_once_locked(client):
    opened(client, question("bars"))
    client.page.get_by_role("slider").first.press("End")
    client.run(MOUNT, question("bars"))
    assert values(client) == [1, 0.5, 0.5, 0.5]
    client.run(MOUNT, question("bars", value=[1, 0.5, 0.5, 0.5], locked=True))
    stroke(client, "svg.tsk-heights", [(0.15, 0.9), (0.9, 0.9)])
    assert values(client) == [1, 0.5, 0.5, 0.5]
    expect(client.page.get_by_role("button", name="Lock my prediction")).to_be_hidden()


def test_cells_are_painted_by_one_drag_and_erased_by_another(client):
    lock = opened(client, question("region"))
    painted = client.page.locator(".tsk-painted")
    row = [(0.2, 0.15), (0.9, 0.15)]
    stroke(client, "svg.tsk-region", row)
    expect(painted).to_have_count(4)
    expect(lock).to_be_enabled()
    stroke(client, "svg.tsk-region", row)
    expect(painted).to_have_count(0)


def test_an_option_is_text_and_its_number_is_sent(client):
    lock = opened(client, question("choice"))
    client.page.get_by_role("radio", name="<b>down</b>").check()
    lock.click()
    assert client.run("return globalThis.locked;") == [["lock", {"value": [1]}]]
