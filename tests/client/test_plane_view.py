"""Zooming and panning the plane, what it shows at first, and the colours of its classes."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_samples
from tests.explain.examples import base, number, rule
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser

RULES = base([number("a"), number("b")], [rule([0, 0], [0.5, 0.5], [[1, 0, 0], [0, 0, 0]])] * 2, ("black", "white"))
AXES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const { layout: { images: [image] }, _fullLayout: { xaxis, yaxis } } = document.querySelector(".tsk-view-plane .tsk-chart");
return { x: xaxis.range, y: yaxis.range, image: [image.x, image.x + image.sizex, image.y - image.sizey, image.y] };
"""


def town(villages=8, rows=192):
    """A dense town within 1 of the origin, and a few rows at a distance of 6."""
    angles = np.arange(villages) * 2 * np.pi / villages
    far = 6 * np.stack([np.cos(angles), np.sin(angles)], 1)
    near = np.random.default_rng(0).uniform(-1, 1, (rows, 2))
    x = np.concatenate([near, far]).round(4).tolist()
    return make_rows(x, [k % 2 for k in range(len(x))])


def open_town(client):
    return show_samples(client, [as_snapshot(RULES, 1)], RULES, rows=town())


def press(client, name):
    client.page.get_by_role("group", name="Zoom and move").get_by_role("button", name=name, exact=True).click()
    return client.run(AXES)


def test_the_first_view_shows_a_dense_town_and_a_button_shows_all_rows(client):
    page = open_town(client)
    first = client.run(AXES)
    assert all(-1.6 < first[side][0] < -0.9 and 0.9 < first[side][1] < 1.6 for side in "xy")
    caption = page.locator(".tsk-view-plane .tsk-caption")
    expect(caption).to_contain_text("“All rows” shows them")
    every = press(client, "Show all rows")
    assert all(every[side][0] < -6 and every[side][1] > 6 for side in "xy")
    expect(caption).not_to_contain_text("outside this view")
    expect(page.get_by_role("button", name="Show all rows")).to_be_disabled()
    assert press(client, "Back to the first view") == first


def test_rows_that_fill_the_plane_are_all_seen_at_first(client):
    x = np.random.default_rng(0).uniform(0, 1, (60, 2)).round(4).tolist()
    page = show_samples(client, [as_snapshot(RULES, 1)], RULES, rows=make_rows(x, [0, 1] * 30))
    expect(page.get_by_role("button", name="Show all rows")).to_be_disabled()


def test_buttons_zoom_and_pan_and_the_surface_is_computed_for_what_is_seen(client):
    open_town(client)
    first = client.run(AXES)
    near = press(client, "Zoom in")
    assert first["x"][0] < near["x"][0] < near["x"][1] < first["x"][1]
    assert near["image"] == pytest.approx([*near["x"], *near["y"]])
    left = press(client, "Move left")
    assert left["x"][0] < near["x"][0] and left["y"] == near["y"]
    assert press(client, "Move up")["y"][0] > near["y"][0]
    assert press(client, "Zoom out")["x"][1] - left["x"][0] > near["x"][1] - near["x"][0]
    assert press(client, "Back to the first view") == first


def test_the_wheel_zooms_dragging_pans_and_a_double_click_goes_back(client):
    page = open_town(client)
    first = client.run(AXES)
    box = page.locator(".tsk-view-plane .nsewdrag").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    page.evaluate("""() => { window.plane = () => {
        const [image] = document.querySelector('.tsk-view-plane .tsk-chart').layout.images;
        return { x: image.sizex, left: image.x };
    }; }""")
    page.wait_for_function("(width) => window.plane().x < width", arg=first["x"][1] - first["x"][0] - 1e-9)
    near = client.run(AXES)
    assert near["image"] == pytest.approx([*near["x"], *near["y"]])
    page.mouse.down()
    page.mouse.move(x + box["width"] / 4, y, steps=4)
    page.mouse.up()
    page.wait_for_function("(left) => window.plane().left < left", arg=near["x"][0] - 1e-9)
    moved = client.run(AXES)
    assert moved["x"][1] - moved["x"][0] == pytest.approx(near["x"][1] - near["x"][0])
    page.mouse.dblclick(x, y)
    page.wait_for_function("(width) => window.plane().x > width", arg=near["x"][1] - near["x"][0] + 1e-9)
    assert client.run(AXES) == first


# Colours.
