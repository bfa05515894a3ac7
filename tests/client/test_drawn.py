"""Figures as Plotly really draws them, one after the other in the same place."""

import json
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
RECEIVE = '(await import("/client/client.js")).receive(JSON.parse(given[0]))'
# What Plotly made of the axes, once it has drawn all that was asked for.
AXES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const look = ({ range, autorange, type }) => ({ range, autorange, type });
const axes = ({ _fullLayout: { xaxis, yaxis } }) => ({ x: look(xaxis), y: look(yaxis) });
return Object.fromEntries(given[0].map((name) => [name, axes(document.querySelector(`.tsk-view-${name} .tsk-chart`))]));
"""


def show(client, *messages, names=DRAWN):
    """Draw these messages one after the other on a blank page; what the axes are in the end."""
    show_views(client.open(), messages[0], *names)
    client.page.locator(f".tsk-view-{names[-1]} .main-svg").first.wait_for()
    for message in messages[1:]:
        client.run(AXES, names)
        client.run(RECEIVE, json.dumps(message))
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


@pytest.mark.parametrize("first", [0, 4])
def test_the_accuracy_axis_covers_each_run(client, first):
    axes = show(client, run_of(first, "first"), run_of(6, "second", rca_test=0.2, bca_test=0.1), names=["accuracy"])
    low, high = axes["accuracy"]["y"]["range"]
    assert 0 <= low < 0.1 and 0.9 < high <= 1.1


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
    client.run(RECEIVE, json.dumps(message_of(make_shown(history, metrics={}))))
    assert client.run(AXES, ["accuracy"])["accuracy"]["y"] == zoomed


TWENTY = {"firing": np.linspace(0.02, 0.08, 20)}


def test_numbers_of_rules_lie_side_by_side_on_a_phone(phone):
    show(phone, run_of(3, **TWENTY), names=["firing", "heat"])
    for chart, axis in (("firing", "x"), ("heat", "y")):
        boxes = texts(phone.page, f".tsk-view-{chart} .{axis}tick text")
        assert len(boxes) >= 8
        assert not any(meet(a, b) for a, b in combinations(boxes, 2))
        assert all(box["height"] < 22 for box in boxes)  # none is turned


def test_each_bar_is_named_where_there_is_room(client):
    show(client, run_of(3, **TWENTY), names=["firing"])
    assert len(texts(client.page, ".tsk-view-firing .xtick text")) == 20


def test_the_title_of_the_heat_map_s_colours_lies_beside_their_ticks(phone):
    show(phone, run_of(3, **TWENTY), names=["heat"])
    [title] = texts(phone.page, ".tsk-view-heat .infolayer .colorbar text[class$=title]")
    ticks = texts(phone.page, ".tsk-view-heat .infolayer .colorbar .cbaxis text:not([class$=title])")
    assert len(ticks) >= 3 and not any(meet(title, tick) for tick in ticks)


def test_words_on_entropy_meet_neither_its_legend_nor_each_other(phone):
    comparison = make_shown(make_history(3), "before", metrics={})
    show(phone, message_of(make_shown(make_history(9), metrics={}), comparison), names=["entropy"])
    chart = ".tsk-view-entropy"
    [plot] = texts(phone.page, f"{chart} .nsewdrag")
    words = texts(phone.page, f"{chart} .annotation text")
    legend = texts(phone.page, f"{chart} .legendtext")
    assert len(words) == 2 and len(legend) == 3
    assert not any(meet(a, b) for a, b in combinations([*words, *legend, plot], 2))


LETTERS = """
const of = (node) => parseFloat(getComputedStyle(node).fontSize);
return [...document.querySelectorAll(".tsk-chart svg :is(text, tspan)")].filter((node) => node.textContent).map(of);
"""


def test_all_words_of_a_figure_grow_with_the_page(client):
    names = ["loss", "accuracy", "firing", "heat", "entropy", "confusion", "reliability"]

    def letters(root):
        message = message_of(make_shown(make_history(9), metrics=METRICS), make_shown(make_history(9), "before", metrics=METRICS))
        show_views(client, message, *names, letters=root)
        client.page.locator(f".tsk-view-{names[-1]} .main-svg").first.wait_for()
        return min(client.run(LETTERS)), max(client.run(LETTERS))

    least, most = letters("16px")
    assert least >= 10
    assert letters("32px") == pytest.approx((2 * least, 2 * most), rel=0.05)


def test_the_caption_names_the_baseline_of_each_run(client):
    names, runs = "return document.querySelector('.tsk-view-accuracy .tsk-caption').textContent", []
    for run, ended in (("first", True), ("second", False), ("second", True)):
        runs.append(message_of(make_shown(make_history(6), run, metrics=METRICS if ended else None)))
    show(client, *runs[:2], names=["accuracy"])
    assert "logistic regression has test RCA" not in client.run(names)
    show(client, *runs, names=["accuracy"])
    assert "logistic regression has test RCA" in client.run(names)
    assert client.page.locator(".tsk-view-accuracy .shapelayer path, .tsk-view-accuracy .layer-below path").count() == 1
