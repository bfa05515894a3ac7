"""Figures as Plotly really draws them, one after the other in the same place."""

from itertools import combinations

import numpy as np
import pytest

from tests.client.messages import make_epoch, make_history, make_shown, message_of, show_views
from ui.charts import CHARTS

pytestmark = pytest.mark.browser

DRAWN = [chart.name for chart in CHARTS.values() if chart.fields]  # by epoch
METRICS = {
    "classes": ["cat", "dog"], "confusion": [[3, 1], [1, 4]], "ece": 0.1, "baselines": {"logistic_regression": {"rca": 0.8}},
    "reliability": {"count": [4, 5], "confidence": [0.6, 0.9], "accuracy": [0.5, 1.0]},
}  # fmt: skip
# What Plotly made of the axes, once it has drawn all that was asked for.
AXES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const look = ({ range, autorange, type }) => ({ range, autorange, type });
const axes = ({ _fullLayout: { xaxis, yaxis } }) => ({ x: look(xaxis), y: look(yaxis) });
return Object.fromEntries(given[0].map((name) => [name, axes(document.querySelector(`.tsk-view-${name} .tsk-chart`))]));
"""


def show(client, *messages, names=DRAWN):
    """Draw these messages one after the other on a blank page; what the axes are in the end."""
    show_views(client, messages[0], *names)
    for message in messages[1:]:
        client.run(AXES, names)
        client.receive(message)
    return client.run(AXES, names)


def texts(page, selector):
    """Where the words lie, by their left and right ends and their tops and bottoms."""
    return page.locator(selector).evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")


def meet(a, b):
    return a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]


def run_of(epochs, run="now", **changes):
    return message_of(make_shown(make_history(epochs, **changes), run, metrics={} if epochs else None))


def test_axes_after_a_reset_are_those_of_a_first_drawing(client):
    fresh = show(client, run_of(9, "second"))
    assert show(client, run_of(5, "first"), run_of(0, "second"), run_of(9, "second")) == fresh
    low, high = fresh["accuracy"]["y"]["range"]
    assert 0 <= low < 0.6 and 0.9 < high <= 1.1


def test_a_part_that_was_zoomed_into_stays_through_an_update(client):
    show(client, run_of(9), names=["accuracy"])
    box = client.page.locator(".tsk-view-accuracy .nsewdrag").first.bounding_box()
    corner = (box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
    client.page.mouse.move(*corner)
    client.page.mouse.down()
    client.page.mouse.move(corner[0] + box["width"] / 2, corner[1] + box["height"] / 2, steps=4)
    client.page.mouse.up()
    zoomed = client.run(AXES, ["accuracy"])["accuracy"]["y"]
    assert zoomed["autorange"] is False
    history = [*make_history(9), make_epoch(10, rca_test=0.1)]
    client.receive(message_of(make_shown(history, metrics={})))
    assert client.run(AXES, ["accuracy"])["accuracy"]["y"] == zoomed


def test_numbers_of_rules_and_the_title_of_colours_lie_side_by_side_on_a_phone(phone):
    show(phone, run_of(3, firing=np.linspace(0.02, 0.08, 20)), names=["firing", "heat"])
    for chart, axis in (("firing", "x"), ("heat", "y")):
        boxes = texts(phone.page, f".tsk-view-{chart} .{axis}tick text")
        assert len(boxes) >= 8
        assert not any(meet(a, b) for a, b in combinations(boxes, 2))
        assert all(box["height"] < 22 for box in boxes)  # none is turned
    [title] = texts(phone.page, ".tsk-view-heat .infolayer .colorbar text[class$=title]")
    ticks = texts(phone.page, ".tsk-view-heat .infolayer .colorbar .cbaxis text:not([class$=title])")
    assert len(ticks) >= 3 and not any(meet(title, tick) for tick in ticks)


LETTERS = """
const of = (node) => parseFloat(getComputedStyle(node).fontSize);
const all = [...document.querySelectorAll(".tsk-chart svg :is(text, tspan)")].filter((node) => node.textContent).map(of);
return [Math.min(...all), Math.max(...all)];
"""
