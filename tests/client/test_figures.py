"""Every figure of a run, at any time of it."""

import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.client.messages import COMPARISON, figure, figures, make_history, make_shown
from tsk_core.epoch import ENTROPY_BINS
from ui.charts import CHARTS
from ui.charts.drawn import HEIGHT

pytestmark = pytest.mark.browser

PAGE = {False: (255, 255, 255), True: (22, 22, 20)}
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
COMPARISONS = {
    "no-comparison": None,
    "short": make_shown(make_history(1), "before"),
    "long-other-rules": make_shown(make_history(9, firing=np.full(7, 1 / 7)), "before", metrics=METRICS),
    "empty": make_shown([], "before"),
}


def colour(text):
    """Red, green and blue, 0 to 255."""
    if text.startswith("rgb("):
        return tuple(map(int, re.findall("[0-9]+", text)))
    return tuple(int(text[k : k + 2], 16) for k in (1, 3, 5))


def mix(above, below, opacity):
    return tuple(opacity * a + (1 - opacity) * b for a, b in zip(above, below, strict=True))


def contrast(one, other):
    """Of two colours, 1 to 21, as the Web Content Accessibility Guidelines define it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(rgb):
    parts = [part / 255 for part in rgb]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def traces(drawn, name):
    return [trace for trace in drawn["data"] if trace.get("name") == name]


@pytest.mark.parametrize("comparison", COMPARISONS.values(), ids=COMPARISONS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_every_figure_is_drawn_at_any_time(client, run, comparison):
    last = len(run.history) - 1 if run else -1
    for index, future, dark in [(None, True, False), (0, False, True), (last // 2, True, True)][: 3 if last > 0 else 1]:
        judge(figures(client, run, comparison, index=index, dark=dark, future=future))


def test_500_rules_over_many_epochs_are_drawn(client):
    judge(figures(client, make_shown(make_history(301, firing=np.full(500, 1 / 500)), epochs=400), COMPARISONS["short"]))


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
    for one in figures(client, RUNS[run], COMPARISONS["long-other-rules"], index=0).values():
        go.Figure(one["data"], one["layout"])  # refuses names and values that Plotly does not have


def test_the_ink_differs_between_light_and_dark(client):
    light, dark = (figures(client, RUNS["ended"], dark=is_dark) for is_dark in (False, True))
    for name in CHARTS:
        assert light[name]["layout"]["font"]["color"] != dark[name]["layout"]["font"]["color"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_a_line_of_the_comparison_is_a_thin_dashed_one_in_the_hue_of_its_line(client, name, dark):
    drawn = figure(client, name, RUNS["ended"], COMPARISONS["long-other-rules"], dark=dark)
    before = [trace for trace in traces(drawn, COMPARISON) if trace["x"] != [None]]
    hues = {trace["name"]: trace["line"]["color"] for trace in drawn["data"] if trace["name"] != COMPARISON and "line" in trace}
    widths = [trace["line"]["width"] for trace in drawn["data"] if trace["name"] in hues]
    assert before
    for trace in before:
        of = re.match("comparison, (.*): ", trace["hovertemplate"])[1]
        assert trace["line"]["color"] == hues[of]
        assert trace["line"]["dash"] == "dash" and trace["line"]["width"] < min(widths) and trace["opacity"] < 1
        mixed = mix(colour(trace["line"]["color"]), PAGE[dark], trace["opacity"])
        assert contrast(mixed, PAGE[dark]) >= 3


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "firing", "entropy", "reliability"])
def test_the_legend_names_the_comparison_once_in_no_hue_of_a_line(client, name, dark):
    drawn = figure(client, name, RUNS["ended"], COMPARISONS["long-other-rules"], dark=dark)
    [entry] = [trace for trace in drawn["data"] if trace.get("name", "").startswith(COMPARISON) and trace.get("showlegend", True)]
    red, green, blue = colour(entry["line"]["color"])
    assert max(red, green, blue) - min(red, green, blue) < 16


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["firing", "entropy"])
def test_an_outline_is_separated_from_bars_of_any_colour(client, name, dark):
    drawn = figure(client, name, RUNS["ended"], COMPARISONS["long-other-rules"], dark=dark)
    halo, ink = [trace for trace in drawn["data"] if trace.get("name", "").startswith(COMPARISON)]
    heights = {y for y in ink["y"] if y > 0.03 * max(ink["y"])}
    assert heights <= set(halo["y"])
    assert min(y for y in halo["y"] if y is not None) > 0  # not at the feet of the bars, which would seem to float
    assert halo["line"]["width"] >= ink["line"]["width"] + 2
    assert contrast(colour(halo["line"]["color"]), colour(ink["line"]["color"])) >= 7


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_in_a_picture_can_be_read_and_are_as_large_as_its_others(client, dark):
    for drawn in figures(client, RUNS["ended"], COMPARISONS["long-other-rules"], dark=dark).values():
        for note in drawn["layout"].get("annotations", []):
            assert contrast(colour(note["font"]["color"]), PAGE[dark]) >= 4.5
            assert "size" not in note["font"]  # so it takes the picture's
            assert note["yref"] == "paper" and note["y"] >= 1 and note["yanchor"] == "bottom"  # above all that is drawn


def test_levels_are_named_in_the_legend(client):
    drawn = figures(client, RUNS["ended"], names=["accuracy", "firing"])
    for name, text in (("accuracy", "logistic regression (RCA)"), ("firing", "1/R: equal shares")):
        [level] = drawn[name]["layout"]["shapes"]
        assert (level["name"], level["showlegend"]) == (text, True)


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "firing", "heat", "entropy"])
def test_until_the_first_epoch_the_comparison_is_drawn(client, name):
    drawn = figure(client, name, RUNS["waiting"], COMPARISONS["long-other-rules"])
    assert drawn["data"]
    assert all(trace.get("name", "").startswith(COMPARISON) or trace["opacity"] < 0.5 for trace in drawn["data"])
    assert "no epoch yet" in drawn["name"] or "comparison" in drawn["name"]


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_the_comparison_lies_behind_the_lines(client, name):
    names = [trace["name"] for trace in figure(client, name, RUNS["many"], COMPARISONS["short"])["data"]]
    count = names.count(COMPARISON)
    assert count and names[:count] == [COMPARISON] * count


@pytest.mark.parametrize("name", CHARTS)
def test_without_a_comparison_nothing_mentions_one(client, name):
    drawn = figures(client, RUNS["ended"])[name]
    assert not [trace for trace in traces(drawn, "comparison") if trace.get("visible", True) and trace.get("showlegend", True)]
    assert "comparison" not in drawn["name"]


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_the_epoch_axis_stands_still_while_a_run_trains(client, name):
    def reach(epochs, comparison=None, **options):
        return figure(client, name, make_shown(make_history(epochs), **options), comparison)["layout"]["xaxis"]["range"]

    ranges = {tuple(reach(n)) for n in (0, 1, 50, 200)}
    assert len(ranges) == 1
    assert next(iter(ranges))[1] >= 200
    assert 5 <= reach(5, metrics={})[1] < 6  # it stopped early
    assert reach(5, make_shown(make_history(30), "before", metrics={}), metrics={})[1] >= 30


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_what_comes_after_the_selected_epoch_is_faint(client, name):
    lines = [
        t for t in figure(client, name, RUNS["many"], index=19)["data"] if t["name"] != "comparison" and t["mode"] == "lines"
    ]
    past, future = ([t for t in lines if t["opacity"] == 1], [t for t in lines if t["opacity"] < 1])
    assert [t["name"] for t in past] == [t["name"] for t in future]
    for one, other in zip(past, future, strict=True):
        assert one["x"] == list(range(1, 21)) and other["x"] == list(range(20, 51))
        assert other["opacity"] <= 0.5 and other["showlegend"] is False
    held = figure(client, name, RUNS["many"], index=19, future=False)["data"]
    assert max(max(t["x"]) for t in held if t["name"] != "comparison") == 20
    assert all(t.get("opacity", 1) == 1 for t in figure(client, name, RUNS["many"])["data"])


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients", "heat"])
def test_a_line_stands_at_the_selected_epoch(client, name):
    def upright(index):
        shapes = figure(client, name, RUNS["many"], index=index)["layout"]["shapes"]
        return [shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]]

    assert upright(19) == [20]
    assert upright(None) == []


def test_shades_differ_on_a_dark_page(client):
    names = [f"class {k}" for k in range(24)]
    rules = [colour(client.call("core/colours.js", "ruleColour", index, True)) for index in range(24)]
    for shades in (rules, [tuple(one) for one in client.call("core/colours.js", "classParts", names, True)]):
        assert len(set(shades)) == 24
        assert min(contrast(shade, PAGE[True]) for shade in shades) >= 3
