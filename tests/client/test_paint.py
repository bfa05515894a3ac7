"""The painter on a blank page: mouse, touch and keyboard, sizes and colours; what it tells the server."""

import pytest
from playwright.sync_api import expect

from tsk_core.data.painted import CLASSES, IN_LINK, MOST, from_text

pytestmark = pytest.mark.browser

GIVEN = {"text": "1.", "version": 0, "classes": list(CLASSES), "most": MOST, "inLink": IN_LINK}
MOUNT = """
const { load, mount } = await import("/client/client.js");
await load([]);
globalThis.told ??= [];
const send = (name, value) => globalThis.told.push([name, value]);
globalThis.leave = mount(document.getElementById("place"), { views: ["paint"], calls: ["points"], paint: given[0] }, send);
"""


class Painter:
    """The painter, mounted; what it told."""

    def __init__(self, client):
        self.client, self.page = client, client.open().page
        self.mount()
        self.plane, self.counts = self.page.locator(".tsk-paint-plane"), self.page.locator(".tsk-view-paint .tsk-caption")

    def mount(self):
        self.client.run(MOUNT, GIVEN)

    def told(self, least=1):
        """The points of the last message, once there are so many messages."""
        self.page.wait_for_function("(least) => told.length >= least", arg=least)
        name, value = self.page.evaluate("told.at(-1)")
        assert name == "points" and value["version"] == 0
        points = from_text(value["text"], 10_000)
        return [(*map(int, place), CLASSES[c]) for place, c in zip(points.places, points.classes, strict=True)]

    def at(self, x1, x2):
        """A place of the plane on the page."""
        box = self.plane.bounding_box()
        return box["x"] + 30 + x1 * (box["width"] - 40), box["y"] + 10 + (1 - x2) * (box["height"] - 40)

    def tool(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def painter(client):
    return Painter(client)


def near(point, x1, x2):
    return abs(point[0] - 1000 * x1) <= 5 and abs(point[1] - 1000 * x2) <= 5


def test_a_class_whose_mark_is_pressed_while_the_points_change_is_chosen(painter):
    box = painter.page.get_by_role("button", name="Class orange", exact=True).bounding_box()
    painter.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    painter.page.mouse.down()
    painter.plane.focus()
    painter.page.keyboard.press("Space")  # a point at the crosshair
    painter.page.mouse.up()
    expect(painter.page.get_by_role("button", name="Class orange", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_click_is_a_point_a_drag_several_and_the_eraser_takes_them(painter):
    painter.page.mouse.click(*painter.at(0.25, 0.75))
    (point,) = painter.told()
    assert near(point, 0.25, 0.75) and point[2] == "blue"
    painter.tool("Class green")
    painter.page.mouse.move(*painter.at(0.5, 0.5))
    painter.page.mouse.down()
    painter.page.mouse.move(*painter.at(0.8, 0.5), steps=30)
    painter.page.mouse.up()
    points = painter.told(2)
    assert 8 <= len(points) <= 12 and {name for *_, name in points[1:]} == {"green"}
    expect(painter.counts).to_have_text(f"Points: 1 blue, {len(points) - 1} green.")
    painter.tool("Erase points")
    painter.page.mouse.click(*painter.at(0.25, 0.75))
    expect(painter.counts).to_have_text(f"Points: {len(points) - 1} green. A classifier needs two classes.")
    painter.tool("Undo the last stroke")
    assert painter.told(3) == points


def test_a_fast_stroke_has_no_gaps(painter):
    """Of a fast pointer the browser reports several places at once."""
    x, y = painter.at(0.2, 0.5)
    painter.page.mouse.move(x, y)
    painter.page.mouse.down()
    painter.page.evaluate(
        """([left, right, clientY]) => {
          const shared = { clientY, pointerId: 1, buttons: 1, bubbles: true }, places = [1, 2, 3, 4, 5, 6];
          const at = (k) => new PointerEvent("pointermove", { clientX: left + (k / 6) * (right - left), ...shared });
          const events = places.map(at), last = events.at(-1);
          last.getCoalescedEvents = () => events;
          document.querySelector(".tsk-paint-plane").dispatchEvent(last);
        }""",
        [x, painter.at(0.8, 0.5)[0], y],
    )
    painter.page.mouse.up()
    assert len(painter.told()) == 7


@pytest.mark.parametrize("replaced", [False, True])
def test_the_spray_ends_with_the_press_also_where_the_plane_was_replaced_meanwhile(painter, replaced):
    painter.tool("Spray points")
    painter.page.mouse.move(*painter.at(0.5, 0.5))
    painter.page.mouse.down()
    if replaced:  # as when the page is drawn again
        painter.page.evaluate(
            "() => { const plane = document.querySelector('.tsk-paint-plane'); plane.replaceWith(plane.cloneNode()); }"
        )
        painter.page.evaluate("leave()")
        painter.mount()
    painter.page.mouse.up()
    painter.told()
    before = painter.counts.inner_text()
    painter.page.mouse.move(*painter.at(0.2, 0.2))
    painter.page.wait_for_timeout(300)  # five sprays, where one goes on
    assert painter.counts.inner_text() == before


def test_a_finger_sprays(touch):
    painter = Painter(touch)
    painter.tool("Spray points")
    painter.page.touchscreen.tap(*painter.at(0.5, 0.5))
    points = painter.told()
    assert len(points) >= 2 and all(abs(x - 500) < 250 and abs(y - 500) < 250 for x, y, _ in points)
    assert painter.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = painter.plane.bounding_box()
    assert abs(box["width"] - box["height"]) < 2 and box["width"] > 300
    assert all(node.bounding_box()["height"] >= 32 for node in painter.page.get_by_role("button").all())


def test_the_keyboard_paints_and_nobody_else_hears_it(painter):
    painter.page.evaluate("globalThis.heard = []; window.addEventListener('keydown', ({ key }) => heard.push(key));")
    painter.plane.focus()
    for key in ("ArrowRight", "Shift+ArrowUp", "3", " "):
        painter.page.keyboard.press(key)
    assert painter.told() == [(520, 600, "green")]
    expect(painter.page.get_by_role("button", name="Class green")).to_have_attribute("aria-pressed", "true")
    painter.page.keyboard.press("ArrowLeft")
    expect(painter.page.locator(".tsk-paint-place")).to_have_text("x1 0.50, x2 0.60")
    painter.page.keyboard.press("s")
    painter.page.keyboard.press("Space")
    assert len(painter.told(2)) == 3
    painter.page.keyboard.press("u")
    painter.page.keyboard.press("Control+z")
    assert painter.told(3) == []
    assert painter.page.evaluate("heard").count(" ") == 0 and "3" not in painter.page.evaluate("heard")
    painter.page.keyboard.press("Tab")
    assert not painter.plane.evaluate("node => node === document.activeElement")
