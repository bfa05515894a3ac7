"""The plane that rows are seen in, on its canvas: its colours, the pointer, zooming, files, and that of the comparison.

What a picture consists of is tested in plane.test.js.
"""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.messages import made_message
from tests.client.rulebases import make_rows, said, sentences, show_pets
from tests.explain.examples import base, number, rule
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser
slow = pytest.mark.slow

ROWS = make_rows([[0.0, 0.0], [1.0, 1.2], [4.0, 4.2], [5.0, 5.0]], [0, 0, 1, 1], [0, 1, 0, 1])
CHART = ".tsk-view-plane .tsk-chart"
DRAWN = f"""
const {{ drawingIn }} = await import("/client/plane/drawing.js");
const frame = () => new Promise((done) => requestAnimationFrame(done));
const places = () => [...document.querySelectorAll("{CHART}")];
const shown = () => places().map((place) => drawingIn(place).shown);
const seen = () => JSON.stringify(shown().map((one) => [one?.picture.ground, one?.frame.x.range, one?.frame.y.range]));
const settled = ({{ ground, plot }}) => ground && Math.abs(ground.left - plot.left) + Math.abs(ground.width - plot.width) < 0.01;
await frame();
for (let before = ""; before !== seen() || !shown().every((one) => one && settled(one.picture));) {{
  before = seen();
  await frame();
  await frame();
}}
"""
AXES = f"""{DRAWN}
return places().map((place, k) => ({{
  x: shown()[k].frame.x.range, y: shown()[k].frame.y.range, pixels: place.querySelector("canvas").toDataURL(),
}}));
"""
SPOTS = f"{DRAWN} return shown()[0].picture.spots.map(({{ at, row, text }}) => ({{ at, row, text: text() }}));"
PIXELS = f"""{DRAWN}
const canvas = document.querySelector("{CHART} canvas"), {{ plot }} = shown()[0].picture;
const scale = canvas.width / canvas.clientWidth;
return given[0].map(([u, v]) => [...canvas.getContext("2d").getImageData(
  Math.round(scale * (plot.left + u * plot.width)), Math.round(scale * (plot.top + (1 - v) * plot.height)), 1, 1).data]);
"""
BLUE, ORANGE = [0, 114, 178], [213, 94, 0]  # of the first two classes


def at(*places):
    """Rules at these places."""
    rules = [rule([a, b], [0.5, 0.5], [[1, 0, 0], [0, 0, 0]]) for a, b in places]
    return base([number("a"), number("b")], rules, ("cat", "dog"))


def place_of(page, spot):
    """Where a spot of the picture is on the page."""
    box = page.locator(f"{CHART} canvas").first.bounding_box()
    return box["x"] + spot["at"][0], box["y"] + spot["at"][1]


# What is seen: the surface, and rows named and chosen by the pointer.


def test_the_surface_has_the_colour_of_the_predicted_class_paler_where_the_model_is_less_certain(client):
    show_pets(client, two_rules(2), rows=CORNERS)
    below, above, near = client.run(PIXELS, [[0.5, 0.02], [0.5, 0.98], [0.5, 0.42]])
    assert below[:3] == pytest.approx(BLUE, abs=4) and above[:3] == pytest.approx(ORANGE, abs=4)
    assert below[3] > 1.2 * near[3] > 0  # how much of it covers the page


def test_the_picture_has_a_pixel_for_each_of_the_screen_and_the_colours_of_the_page(client):
    page = show_pets(client)
    canvas = page.locator(f"{CHART} canvas")
    light, (width, shown) = client.run(AXES)[0], canvas.evaluate("(node) => [node.width, node.clientWidth]")
    assert width == shown
    client.run('Object.defineProperty(globalThis, "devicePixelRatio", { value: 2, configurable: true });'
               '(await import("/client/core/store.js")).setOptions({ dark: true });')  # fmt: skip
    dark = client.run(AXES)[0]
    assert canvas.evaluate("(node) => [node.width, node.clientWidth]") == [2 * shown, shown]
    assert dark["pixels"] != light["pixels"]


def test_the_pointer_names_rows_and_rules_and_a_click_chooses_a_row(client):
    page = show_pets(client)
    label, spots = page.locator(f"{CHART} .tsk-spot"), client.run(SPOTS)
    expect(label).to_be_hidden()
    rules = [spot for spot in spots if spot["text"].startswith("rule")]
    page.mouse.move(*place_of(page, rules[0]))
    expect(label).to_have_text(re.compile(r"^rule \d: 50.0% of the firing$"))
    row = next(spot for spot in spots if spot["row"] == 0)
    page.mouse.move(*place_of(page, row))
    expect(label).to_have_text("row 1 (training): true class cat, predicted cat")
    page.mouse.move(2, 2)
    expect(label).to_be_hidden()
    page.mouse.click(*place_of(page, row))
    expect(said(page, "head")).to_contain_text("Row 1 (training)")
    page.mouse.click(*place_of(page, rules[0]))  # no row
    expect(said(page, "head")).to_contain_text("Row 1 (training)")
    across, up = (page.get_by_role("combobox", name=name, exact=True) for name in ("Across", "Up"))
    before = across.input_value(), up.input_value()
    across.select_option(before[1])
    expect(across).to_have_value(before[1])
    expect(up).to_have_value(before[0])
    name = "Plane of .*: the predicted class at each place, 4 test rows and 2 training rows, 2 of them misclassified, and 2 rules"
    expect(page.locator(CHART)).to_have_accessible_name(re.compile(name))
    expect(page.locator(".tsk-view-plane .tsk-caption")).to_contain_text("Dots are rows: hollow for training")


def test_a_plane_is_saved_as_it_is_seen_on_white(client):
    page = show_pets(client, two_rules(2), rows=CORNERS)
    page.get_by_role("button", name="Zoom in").click()
    low, _ = client.run(AXES)[0]["x"]
    files = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator(".tsk-view-plane").get_by_role("button", name=f"Save this figure as {kind}").click()
        assert re.fullmatch(rf"run-now-plane\.{kind.lower()}", download.value.suggested_filename)
        files[kind] = Path(download.value.path()).read_bytes()
    svg = ElementTree.fromstring(files["SVG"])
    assert (svg.get("width"), svg.get("height")) == ("1000", "600")
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a", "b", "1", "2", "training row"} <= set(texts)
    ticks = [float(text.replace("−", "-")) for text in texts if re.fullmatch(r"−?\d+\.\d+", text)]
    assert ticks and min(ticks) >= low  # the part that its reader chose
    assert "data:image/png" in files["SVG"].decode()
    assert files["PNG"][:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(files["PNG"][at : at + 4], "big") for at in (16, 20)] == [2000, 1200]
    page.get_by_role("button", name="Back to the first view").click()


# Zooming and panning.


def open_town(client):
    """A dense town within 1 of the origin, and eight rows at a distance of 6; the axes at first."""
    angles = np.arange(8) * 2 * np.pi / 8
    near = np.random.default_rng(0).uniform(-1, 1, (192, 2))
    x = np.concatenate([near, 6 * np.stack([np.cos(angles), np.sin(angles)], 1)]).round(4).tolist()
    page = show_pets(client, at((0, 0), (0, 0)), rows=make_rows(x, [k % 2 for k in range(200)]))
    return page, client.run(AXES)[0]


def press(client, name):
    client.page.get_by_role("group", name="Zoom and move").get_by_role("button", name=name, exact=True).click()
    return client.run(AXES)[0]


def test_a_dense_town_is_seen_first_and_buttons_show_all_rows_zoom_and_pan(client):
    page, first = open_town(client)
    assert all(-1.6 < first[side][0] < -0.9 and 0.9 < first[side][1] < 1.6 for side in "xy")
    caption = page.locator(".tsk-view-plane .tsk-caption")
    expect(caption).to_contain_text("“All rows” shows them")
    every = press(client, "Show all rows")
    assert all(every[side][0] < -6 and every[side][1] > 6 for side in "xy")
    expect(caption).not_to_contain_text("outside this view")
    expect(page.get_by_role("button", name="Show all rows")).to_be_disabled()
    assert press(client, "Back to the first view") == first
    near = press(client, "Zoom in")
    assert first["x"][0] < near["x"][0] < near["x"][1] < first["x"][1]
    left = press(client, "Move left")
    assert left["x"][0] < near["x"][0] and left["y"] == near["y"]
    assert press(client, "Move up")["y"][0] > near["y"][0]
    assert press(client, "Zoom out")["x"][1] - left["x"][0] > near["x"][1] - near["x"][0]


def test_the_wheel_zooms_dragging_pans_and_a_double_click_goes_back(client):
    page, first = open_town(client)
    box = page.locator(f"{CHART} canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    expect(page.get_by_role("button", name="Back to the first view")).to_be_enabled()
    near = client.run(AXES)[0]
    assert near["x"][1] - near["x"][0] < first["x"][1] - first["x"][0]
    page.mouse.down()
    page.mouse.move(x + box["width"] / 4, y, steps=4)
    page.mouse.up()
    moved = client.run(AXES)[0]
    assert moved["x"][0] < near["x"][0] and moved["y"] == near["y"]
    assert moved["x"][1] - moved["x"][0] == pytest.approx(near["x"][1] - near["x"][0])
    page.mouse.dblclick(x, y)
    expect(page.get_by_role("button", name="Back to the first view")).to_be_disabled()
    back = client.run(AXES)[0]
    assert (back["x"], back["y"]) == (first["x"], first["y"])


# The comparison beside the run.

CORNERS = make_rows([[0.0, 0.0], [1.0, 4.0], [4.0, 1.0], [4.0, 4.0]], [0, 1, 0, 1], [0, 1, 1, 1])


def two_rules(height):
    """A model of two rules: cat below ``height`` in b, dog above it."""
    slopes = [[height, 0, -1], [0, 0, 0]]
    return base([number("a"), number("b")], [rule([1, 1], [2, 2], slopes), rule([3, 3], [2, 2], slopes)], ("cat", "dog"))


def run_of(name, height):
    rules = two_rules(height)
    snapshots = [as_snapshot(two_rules(height + 1), 1), as_snapshot(rules, 3)]
    return {
        "run": name, "epochs": [{"epoch": epoch, "firing": [0.5, 0.5]} for epoch in (1, 2, 3)],
        "about": {"ended": True, "label": f"height {height}"},
        "snapshots": {"base": {k: v for k, v in rules.items() if k != "rules"}, "list": snapshots},
        "ruleBases": {"list": [sentences(snapshots[1], rules, CORNERS["x"])]},
    }  # fmt: skip


@slow
def test_the_plane_of_the_comparison_stands_beside_that_of_the_run_on_the_same_axes(client):
    page = show_pets(client, two_rules(2), rows=CORNERS)
    button = page.get_by_role("button", name="Draw the comparison beside the run")
    expect(button).to_be_hidden()
    client.receive(made_message(run_of("now", 2), run_of("before", 1)))
    button.click()
    own, other = (page.locator(f".tsk-view-plane .tsk-{side}") for side in ("own", "other"))
    other.locator("canvas").wait_for()
    left, right = client.run(AXES)
    assert (left["x"], left["y"]) == (right["x"], right["y"]) and left["pixels"] != right["pixels"]
    expect(other).to_contain_text("Comparison: height 1, after epoch 3")
    client.select(0)  # both follow the slider
    expect(other).to_contain_text("Comparison: height 1, after epoch 1")
    expect(own).to_contain_text("This run, after epoch 1")
    before, _ = client.run(AXES)
    assert before["pixels"] != left["pixels"] and before["x"] == left["x"]
    client.select(None)
    assert client.run(AXES)[0]["pixels"] == left["pixels"]
    page.get_by_role("button", name="Zoom in").click()
    near, far = client.run(AXES)
    assert near["x"] == far["x"] != left["x"]
    button.click()
    expect(page.locator(CHART)).to_have_count(1)
