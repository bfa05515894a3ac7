"""The plane as Plotly draws it: rules' numbers and rows' dots can be told apart."""

from itertools import combinations

import numpy as np
import pytest

from tests.client.rulebases import make_rows, show_samples
from tests.explain.examples import base, number, rule
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser

ROWS = make_rows([[0.0, 0.0], [1.0, 1.2], [4.0, 4.2], [5.0, 5.0]], [0, 0, 1, 1], [0, 1, 0, 1])
NUMBERS = """
const { data, _fullLayout: { xaxis, yaxis } } = document.querySelector(".tsk-view-plane .tsk-chart");
const { x, y, text, marker, cliponaxis } = data.find((trace) => trace.mode === "markers+text");
const places = x.map((at, k) => [xaxis.l2p(at), yaxis.l2p(y[k])]);
return { text, places, sizes: marker.size, opacity: marker.opacity, cliponaxis };
"""
DOTS = """
const { data } = document.querySelector(".tsk-view-plane .tsk-chart");
return data.filter((trace) => trace.rows?.length).map(({ marker, rows }) =>
  ({ color: marker.color, size: marker.size, symbol: marker.symbol ?? "circle", edge: marker.line.color ?? null, rows }));
"""

HEIGHTS = """
const { _fullLayout: { _size: { h }, height } } = document.querySelector(".tsk-view-plane .tsk-chart");
const names = [...document.querySelectorAll(".tsk-view-plane .legendtext")].map((one) => one.textContent);
return { plane: h, height, names };
"""


def at(*places):
    """Rules at these places."""
    rules = [rule([a, b], [0.5, 0.5], [[1, 0, 0], [0, 0, 0]]) for a, b in places]
    return base([number("a"), number("b")], rules, ("cat", "dog"))


def test_of_numbers_on_each_other_only_the_boldest_stands(client):
    rules = at(*((1 + 0.01 * k, 1 + 0.01 * k) for k in range(6)), (4.0, 4.0))
    firing = [0.02, 0.03, 0.04, 0.05, 0.06, 0.5, 0.3]
    show_samples(client, [as_snapshot(rules, 1)], rules, rows=ROWS, firing=firing)
    drawn = client.run(NUMBERS)
    assert {text for text in drawn["text"] if text} == {"6", "7"}
    assert len(drawn["text"]) == 7 and min(drawn["sizes"]) > 0  # the others keep their rings
    assert drawn["opacity"] == sorted(drawn["opacity"])  # the bolder above
    assert drawn["cliponaxis"] is False  # and whole at the plane's edge


@pytest.mark.parametrize("step", [0.05, 0.15, 0.3])
def test_numbers_that_stand_are_a_ring_apart(client, step):
    rules = at(*((step * k, step * k) for k in range(12)))
    show_samples(client, [as_snapshot(rules, 1)], rules, rows=ROWS)
    drawn = client.run(NUMBERS)
    stand = [(np.array(drawn["places"][k]), drawn["sizes"][k]) for k, text in enumerate(drawn["text"]) if text]
    assert len(stand) >= 2
    assert all(np.hypot(*(one - other)) > 0.8 * size for (one, size), (other, _) in combinations(stand, 2))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_dot_has_a_rim_of_another_colour_than_its_ground(client, dark):
    rules = at((1.0, 1.0), (4.0, 4.0))
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=ROWS, dark=dark)
    rim, hollow, filled, *_ = client.run(DOTS)
    ink = "#E6E6E6" if dark else "#262730"
    assert (rim["symbol"], rim["color"], rim["rows"]) == ("circle-open", ink, hollow["rows"])
    assert rim["size"] > hollow["size"] and ink not in hollow["color"]
    assert (filled["symbol"], filled["edge"]) == ("circle", ink)
    assert "paler where the model is less certain" in page.locator(".tsk-view-plane .tsk-caption").inner_text()


@pytest.mark.parametrize("width", [1300, 300])
def test_long_names_of_many_classes_stand_below_and_leave_the_plane_its_height(client, width):
    names = [f"the class number {k} with a long name, of which a legend has no room for all" for k in range(12)]
    rules = base([number("a"), number("b")], [rule([1.0, 1.0], [0.5, 0.5], [[k, 0, 0] for k in range(12)])], names)
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=ROWS)
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_function("width => document.querySelector('.tsk-view-plane .tsk-chart')._fullLayout.width <= width", arg=width)
    drawn = client.run(HEIGHTS)
    assert drawn["plane"] > 0.6 * drawn["height"]
    assert drawn["names"] == ["training row", "test row", "misclassified", "typical row"]
    named = page.locator(".tsk-view-plane .tsk-key .tsk-named")
    assert [text[:18] for text in named.all_inner_texts()] == [name[:18] for name in names]
    colours = named.locator("i").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) > 6
    right = named.evaluate_all("all => Math.max(...all.map((one) => one.getBoundingClientRect().right))")
    box = page.locator(".tsk-view-plane").bounding_box()
    assert right <= box["x"] + box["width"]
