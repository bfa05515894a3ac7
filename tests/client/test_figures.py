"""Every figure of a run, at any time of it."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.client.told import FILES, figure, figures, make_history, make_shown
from tsk_core.epoch import ENTROPY_BINS
from ui.charts import HEIGHT

pytestmark = pytest.mark.browser

GHOST_GREY = {False: "#757575", True: "#9A9A9A"}
NOTHING = np.zeros(ENTROPY_BINS, int)
NO_TEST = {"rca_test": None, "bca_test": None}
SEARCH = {"stage": "hold-out", "rca_validation": 0.5, "bca_validation": 0.4} | NO_TEST
NAMES = ["<b>bold</b> & Co", "x" * 60, "plain", "cat\ndog"]
METRICS = {
    "classes": NAMES, "confusion": [[3, 1, 0, 0], [0, 4, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]],
    "reliability": {"count": [0, 4, 7], "confidence": [None, 0.5, 0.9], "accuracy": [None, 0.25, 1.0]}, "ece": 0.12,
    "baselines": {"logistic_regression": {"rca": 0.83}},
}  # fmt: skip
NO_ROWS = {
    "classes": ["a", "b"], "confusion": [[0, 0], [0, 0]],
    "reliability": {"count": [0] * 10, "confidence": [None] * 10, "accuracy": [None] * 10}, "ece": None,
    "baselines": {"logistic_regression": {"rca": None}},
}  # fmt: skip
MANY = {"classes": [f"class {k}" for k in range(40)], "confusion": np.eye(40, dtype=int).tolist()}
RUNS = {
    "none": None,
    "waiting": make_shown([]),
    "one": make_shown(make_history(1)),
    "many": make_shown(make_history(50)),
    "ended": make_shown(make_history(5), metrics=METRICS),
    "one-rule": make_shown(make_history(5, firing=[1.0], entropy=[9] + [0] * (ENTROPY_BINS - 1))),
    "no-rows": make_shown(make_history(3, entropy=NOTHING, **NO_TEST), metrics=NO_ROWS),
    "search": make_shown(make_history(3, **SEARCH)),
    "40-classes": make_shown(make_history(2), metrics=MANY),
    "no-gradient": make_shown(make_history(2, grad_antecedents=0.0, grad_consequents=0.0)),
}
GHOSTS = {
    "no-ghost": None,
    "short": make_shown(make_history(1), "before"),
    "long-other-rules": make_shown(make_history(9, firing=np.full(7, 1 / 7)), "before", metrics=METRICS),
    "empty": make_shown([], "before"),
}


def traces(drawn, name):
    return [trace for trace in drawn["data"] if trace.get("name") == name]


@pytest.mark.parametrize("ghost", GHOSTS.values(), ids=GHOSTS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_every_figure_is_drawn_at_any_time(client, run, ghost):
    last = len(run.history) - 1 if run else -1
    for index, future, dark in [(None, True, False), (0, False, True), (last // 2, True, True)][: 3 if last > 0 else 1]:
        judge(figures(client, run, ghost, index=index, dark=dark, future=future))


def test_500_rules_over_many_epochs_are_drawn(client):
    judge(figures(client, make_shown(make_history(301, firing=np.full(500, 1 / 500)), epochs=400), GHOSTS["short"]))


def judge(drawn):
    for name, one in drawn.items():
        layout = one["layout"]
        assert HEIGHT <= layout["height"] <= 900, name
        assert layout["xaxis"]["title"]["text"] and layout["yaxis"]["title"]["text"]
        assert len(one["name"].split()) >= 3
        said = json.dumps([one["name"], one.get("caption"), one["data"], layout])
        assert not any(word in said for word in ("NaN", "undefined", "Infinity", "null%", "[object")), name


@pytest.mark.parametrize("run", ["many", "ended", "one-rule", "no-rows", "search", "40-classes"])
def test_plotly_knows_every_property_of_a_figure(client, run):
    for one in figures(client, RUNS[run], GHOSTS["long-other-rules"], index=0).values():
        go.Figure(one["data"], one["layout"])  # refuses names and values that Plotly does not have


def test_the_ink_differs_between_light_and_dark(client):
    light, dark = (figures(client, RUNS["ended"], dark=is_dark) for is_dark in (False, True))
    for name in FILES:
        assert light[name]["layout"]["font"]["color"] != dark[name]["layout"]["font"]["color"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "firing", "entropy", "reliability"])
def test_a_ghost_is_grey_dashed_and_named_once(client, name, dark):
    drawn = figure(client, name, RUNS["ended"], GHOSTS["long-other-rules"], dark=dark)
    before = traces(drawn, "before")
    others = [trace for trace in drawn["data"] if trace not in before and "line" in trace]
    assert before
    assert {trace["line"]["color"] for trace in before} == {GHOST_GREY[dark]}
    assert {trace["line"]["dash"] for trace in before} == {"dash"}
    assert sum(trace.get("showlegend", True) for trace in before) == 1
    assert GHOST_GREY[dark] not in {trace["line"]["color"] for trace in others}


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "firing", "heat", "entropy"])
def test_until_the_first_epoch_the_run_before_is_seen(client, name):
    drawn = figure(client, name, RUNS["waiting"], GHOSTS["long-other-rules"])
    assert drawn["data"]
    assert all(trace.get("name") == "before" or trace["opacity"] < 0.5 for trace in drawn["data"])
    assert "no epoch yet" in drawn["name"] or "run before" in drawn["name"]


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_a_ghost_lies_behind_the_lines(client, name):
    names = [trace["name"] for trace in figure(client, name, RUNS["many"], GHOSTS["short"])["data"]]
    count = names.count("before")
    assert count and names[:count] == ["before"] * count


@pytest.mark.parametrize("name", FILES)
def test_without_a_run_before_nothing_is_said_of_it(client, name):
    drawn = figures(client, RUNS["ended"])[name]
    assert not [trace for trace in traces(drawn, "before") if trace.get("visible", True) and trace.get("showlegend", True)]
    assert "before" not in drawn["name"]


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_the_epoch_axis_stands_still_while_a_run_trains(client, name):
    def reach(epochs, ghost=None, **options):
        return figure(client, name, make_shown(make_history(epochs), **options), ghost)["layout"]["xaxis"]["range"]

    ranges = {tuple(reach(n)) for n in (0, 1, 50, 200)}
    assert len(ranges) == 1
    assert next(iter(ranges))[1] >= 200
    assert 5 <= reach(5, metrics={})[1] < 6  # it stopped early
    assert reach(5, make_shown(make_history(30), "before", metrics={}), metrics={})[1] >= 30


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_what_comes_after_the_epoch_looked_at_is_faint(client, name):
    lines = [t for t in figure(client, name, RUNS["many"], index=19)["data"] if t["name"] != "before" and t["mode"] == "lines"]
    past, future = ([t for t in lines if t["opacity"] == 1], [t for t in lines if t["opacity"] < 1])
    assert [t["name"] for t in past] == [t["name"] for t in future]
    for one, other in zip(past, future, strict=True):
        assert one["x"] == list(range(1, 21)) and other["x"] == list(range(20, 51))
        assert other["opacity"] <= 0.5 and other["showlegend"] is False
    held = figure(client, name, RUNS["many"], index=19, future=False)["data"]
    assert max(max(t["x"]) for t in held if t["name"] != "before") == 20
    assert all(t.get("opacity", 1) == 1 for t in figure(client, name, RUNS["many"])["data"])


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "heat"])
def test_a_line_stands_at_the_epoch_looked_at(client, name):
    def upright(index):
        shapes = figure(client, name, RUNS["many"], index=index)["layout"]["shapes"]
        return [shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]]

    assert upright(19) == [20]
    assert upright(None) == []
