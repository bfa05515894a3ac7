"""The plane that rows are seen in, as Plotly draws it: what can be told apart, zooming, its axes, and that of the comparison."""

import re
from itertools import combinations

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
NUMBERS = f"""
const {{ data, _fullLayout: {{ xaxis, yaxis }} }} = document.querySelector("{CHART}");
const {{ x, y, text, marker, cliponaxis }} = data.find((trace) => trace.mode === "markers+text");
const places = x.map((at, k) => [xaxis.l2p(at), yaxis.l2p(y[k])]);
return {{ text, places, sizes: marker.size, opacity: marker.opacity, cliponaxis }};
"""
HEIGHTS = f"""
const {{ _fullLayout: {{ _size: {{ h }}, height }} }} = document.querySelector("{CHART}");
const names = [...document.querySelectorAll(".tsk-view-plane .legendtext")].map((one) => one.textContent);
return {{ plane: h, height, names }};
"""
AXES = f"""
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
return [...document.querySelectorAll("{CHART}")].map(({{ layout: {{ images: [image] }}, _fullLayout: {{ xaxis, yaxis }} }}) => ({{
  x: xaxis.range, y: yaxis.range, surface: image.source, image: [image.x, image.x + image.sizex, image.y - image.sizey, image.y],
}}));
"""


def at(*places):
    """Rules at these places."""
    rules = [rule([a, b], [0.5, 0.5], [[1, 0, 0], [0, 0, 0]]) for a, b in places]
    return base([number("a"), number("b")], rules, ("cat", "dog"))


def test_of_numbers_on_each_other_only_the_boldest_stands(client):
    rules = at(*((1 + 0.01 * k, 1 + 0.01 * k) for k in range(6)), (4.0, 4.0))
    show_pets(client, rules, rows=ROWS, firing=[0.02, 0.03, 0.04, 0.05, 0.06, 0.5, 0.3])
    drawn = client.run(NUMBERS)
    assert {text for text in drawn["text"] if text} == {"6", "7"}
    assert len(drawn["text"]) == 7 and min(drawn["sizes"]) > 0  # the others keep their rings
    assert drawn["opacity"] == sorted(drawn["opacity"])  # the bolder above
    assert drawn["cliponaxis"] is False  # and whole at the plane's edge
    show_pets(client, at(*((0.15 * k, 0.15 * k) for k in range(12))), rows=ROWS)
    drawn = client.run(NUMBERS)
    stand = [(np.array(drawn["places"][k]), drawn["sizes"][k]) for k, text in enumerate(drawn["text"]) if text]
    assert len(stand) >= 2
    assert all(np.hypot(*(one - other)) > 0.8 * size for (one, size), (other, _) in combinations(stand, 2))


# What is seen: rows chosen by a click, axes, components.


def test_a_point_is_chosen_by_a_click_and_the_axes_change_places(client):
    page = show_pets(client)
    page.locator(".tsk-view-plane .scatterlayer .trace").nth(3).locator(".point").first.click(force=True)  # behind the legend's 3
    expect(said(page, "head")).to_contain_text(re.compile(r"^Row \d \(training\)"))
    across, up = (page.get_by_role("combobox", name=name, exact=True) for name in ("Across", "Up"))
    before = across.input_value(), up.input_value()
    across.select_option(before[1])
    expect(across).to_have_value(before[1])
    expect(up).to_have_value(before[0])
    name = "Plane of .*: the predicted class at each place, 4 test rows and 2 training rows, 2 of them misclassified, and 2 rules"
    expect(page.locator(CHART)).to_have_accessible_name(re.compile(name))
    expect(page.locator(".tsk-view-plane .tsk-caption")).to_contain_text("Dots are rows: hollow for training")


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
    assert near["image"] == pytest.approx([*near["x"], *near["y"]])  # the surface is computed for what is seen
    left = press(client, "Move left")
    assert left["x"][0] < near["x"][0] and left["y"] == near["y"]
    assert press(client, "Move up")["y"][0] > near["y"][0]
    assert press(client, "Zoom out")["x"][1] - left["x"][0] > near["x"][1] - near["x"][0]


@slow
def test_the_wheel_zooms_dragging_pans_and_a_double_click_goes_back(client):
    page, first = open_town(client)
    box = page.locator(".tsk-view-plane .nsewdrag").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    image = f"document.querySelector('{CHART}').layout.images[0]"
    page.wait_for_function(f"(width) => {image}.sizex < width", arg=first["x"][1] - first["x"][0] - 1e-9)
    near = client.run(AXES)[0]
    assert near["image"] == pytest.approx([*near["x"], *near["y"]])
    page.mouse.down()
    page.mouse.move(x + box["width"] / 4, y, steps=4)
    page.mouse.up()
    page.wait_for_function(f"(left) => {image}.x < left", arg=near["x"][0] - 1e-9)
    moved = client.run(AXES)[0]
    assert moved["x"][1] - moved["x"][0] == pytest.approx(near["x"][1] - near["x"][0])
    page.mouse.dblclick(x, y)
    page.wait_for_function(f"(width) => {image}.sizex > width", arg=near["x"][1] - near["x"][0] + 1e-9)
    assert client.run(AXES)[0] == first


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
        "run": name, "fields": ["stage", "epoch", "firing"],
        "epochs": [["training", epoch, [0.5, 0.5]] for epoch in (1, 2, 3)],
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
    other.locator(".main-svg").first.wait_for()
    left, right = client.run(AXES)
    assert (left["x"], left["y"]) == (right["x"], right["y"]) and left["surface"] != right["surface"]
    expect(other).to_contain_text("Comparison: height 1, after epoch 3")
    client.select(0)  # both follow the slider
    expect(other).to_contain_text("Comparison: height 1, after epoch 1")
    expect(own).to_contain_text("This run, after epoch 1")
    before, _ = client.run(AXES)
    assert before["surface"] != left["surface"] and before["x"] == left["x"]
    client.select(None)
    assert client.run(AXES)[0]["surface"] == left["surface"]
    page.get_by_role("button", name="Zoom in").click()
    near, far = client.run(AXES)
    assert near["x"] == far["x"] != left["x"]
    button.click()
    expect(page.locator(CHART)).to_have_count(1)
