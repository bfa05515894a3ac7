"""The figures and the table of a sweep."""

import json
import math

import plotly.graph_objects as go
import pytest
from playwright.sync_api import expect

from tests.experiments.sweeps import BASELINES, make_plan, make_points
from tsk_core.experiments.sweep_summary import sentence, summarise
from ui.sweep.message import message
from ui.sweep.options import Wanted

pytestmark = pytest.mark.browser
WIDTH = 900
MOUNT = """
const { mount, receive } = await import("/client/client.js");
globalThis.chosen = [];
receive([{ kind: "sweep", since: 1, payload: given[0] }]);
mount(document.getElementById("place"), { views: ["sweep"] }, (name, variant) => globalThis[name].push(variant));
"""


def sweep(plan, points, show="bca", band="sd", draw="map", baselines=BASELINES, chosen=None):
    """What the page sends."""
    cells = summarise(plan, points)
    text = sentence(plan, cells, baselines)
    (part,) = message(plan, points, cells, baselines, Wanted(plan.seeds, "mean", show, band, draw), text, chosen)
    return part["payload"]


def figure(client, sent, dark=False, width=WIDTH):
    return client.call("sweep/view.js", "sweepFigure", sent, dark, width)


def traces(drawn, name):
    return [trace for trace in drawn["data"] if trace.get("name") == name]


def one_axis(text="batch=16,32,64", means=(0.7, 0.8, 0.797), **options):
    plan = make_plan(text, seeds=8)
    return plan, make_points(plan, list(means)), options


def test_a_line_has_the_means_its_band_and_a_dot_for_each_training(client):
    plan, points, _ = one_axis()
    drawn = figure(client, sweep(plan, points))
    cells = summarise(plan, points)
    means = [cell.metrics["bca"].mean for cell in cells]
    (line,) = traces(drawn, "mean")
    assert line["x"] == pytest.approx([math.log10(value) for value in (16, 32, 64)])
    assert line["y"] == pytest.approx(means, abs=1e-5) and line["customdata"] == [0, 1, 2]
    (upper,) = traces(drawn, "SD over 8 seeds")
    assert upper["y"] == pytest.approx([mean + cell.metrics["bca"].sd for mean, cell in zip(means, cells, strict=True)], abs=1e-5)
    (dots,) = traces(drawn, "a training")
    assert sorted(dots["y"]) == pytest.approx(sorted(point["scores"]["mean"][1] for point in points), abs=1e-5)
    assert drawn["layout"]["xaxis"]["ticktext"] == ["16", "32", "64"]


def test_the_band_can_be_the_interval_and_says_so(client):
    plan, points, _ = one_axis()
    drawn = figure(client, sweep(plan, points, band="ci"))
    (upper,) = traces(drawn, "95% interval of the mean over 8 seeds")
    assert upper["y"] == pytest.approx([cell.metrics["bca"].high for cell in summarise(plan, points)], abs=1e-5)


def test_the_best_and_those_not_clearly_worse_are_marked(client):
    plan, points, _ = one_axis()
    drawn = figure(client, sweep(plan, points))
    (best,) = traces(drawn, "best")
    (close,) = traces(drawn, "not clearly worse than the best")
    assert (best["customdata"], close["customdata"], best["marker"]["symbol"]) == ([1], [2], "star")


def test_zero_stands_apart_on_a_logarithmic_axis_and_the_line_breaks(client):
    plan, points, _ = one_axis("ur=0,1,10", (0.7, 0.75, 0.8))
    drawn = figure(client, sweep(plan, points))
    (line,) = traces(drawn, "mean")
    zero, gap, one, ten = line["x"]
    assert gap is None and line["y"][1] is None and (one, ten) == (0, 1) and zero < -1
    assert drawn["layout"]["xaxis"]["ticktext"] == ["0", "1", "10"] and drawn["layout"]["xaxis"]["tickvals"][0] == zero


def test_baselines_are_lines_with_names_and_one_far_below_is_named_at_the_edge(client):
    plan, points, _ = one_axis()
    drawn = figure(client, sweep(plan, points))
    named = [shape["name"] for shape in drawn["layout"]["shapes"] if shape.get("name")]
    assert named == ["logistic regression 0.765"]
    assert "↓ majority class 0.330" in [note["text"] for note in drawn["layout"]["annotations"]]
    assert drawn["layout"]["yaxis"]["range"][0] > 0.4


def test_trainings_that_diverged_are_clipped_and_counted(client):
    plan, points, _ = one_axis()
    points[0] |= {"message": "Training diverged in epoch 2.", "scores": {"last": [0.1, 0.1], "mean": [0.1, 0.1], "best": None}}
    drawn = figure(client, sweep(plan, points))
    low = drawn["layout"]["yaxis"]["range"][0]
    (diverged,) = traces(drawn, "diverged")
    assert diverged["y"] == [low] and low > 0.1
    assert "1 of 8<br>diverged" in [note["text"] for note in drawn["layout"]["annotations"]]
    assert len(traces(drawn, "a training")[0]["y"]) == len(points) - 1


def test_a_heat_map_has_a_cell_for_each_pair_with_its_number_and_outlines(client):
    plan = make_plan("batch=16,32,64", "ur=0,10", seeds=6)
    points = make_points(plan, [0.7, 0.8, 0.75, 0.785, 0.6, 0.72])
    drawn = figure(client, sweep(plan, points))
    (heat,) = drawn["data"]
    assert heat["customdata"] == [[0, 2, 4], [1, 3, 5]] and heat["texttemplate"]
    means = [cell.metrics["bca"].mean for cell in summarise(plan, points)]
    assert [value for row in heat["z"] for value in row] == pytest.approx([means[k] for k in (0, 2, 4, 1, 3, 5)], abs=1e-5)
    assert heat["text"][1][0] == f"<b>{means[1]:.3f}</b>"
    dashes = [shape["line"].get("dash") for shape in drawn["layout"]["shapes"]]
    close = sum(cell.not_worse for cell in summarise(plan, points))
    assert dashes.count("solid") == 1 and dashes.count("dash") == close >= 1
    assert drawn["layout"]["coloraxis"]["cmin"] == pytest.approx(min(means), abs=1e-5)


def test_lines_of_two_axes_say_what_the_bands_are_and_how_many_trainings_diverged(client):
    plan = make_plan("batch=16,32", "ur=0,10", seeds=3)
    points = make_points(plan, [0.7, 0.8, 0.75, 0.6])
    points[4]["message"] = "Training diverged in epoch 2."
    drawn = figure(client, sweep(plan, points, draw="lines"))
    (entry,) = traces(drawn, "SD over 3 seeds")[-1:]
    assert entry["showlegend"] and [trace["text"] for trace in drawn["data"] if trace.get("mode") == "text"] == [["†1"]]


def test_numbers_that_do_not_fit_are_left_out(client):
    plan = make_plan("batch", "ur=0,0.1,0.3,1,3,10,30,100", seeds=2)
    drawn = figure(client, sweep(plan, make_points(plan, [0.5] * 64)), width=330)
    assert drawn["data"][0]["texttemplate"] == ""


def test_a_third_and_a_fourth_axis_make_panels(client):
    plan = make_plan("batch=16,32", "ur=0,10", "rules=2,5,10", seeds=2)
    points = make_points(plan, [0.7] * 12)
    drawn = figure(client, sweep(plan, points))
    assert len(drawn["data"]) == 3
    assert [note["text"] for note in drawn["layout"]["annotations"]] == ["<b>R 2</b>", "<b>R 5</b>", "<b>R 10</b>"]
    lines = figure(client, sweep(plan, points, draw="lines"))
    assert {trace["name"] for trace in lines["data"] if trace.get("customdata")} >= {"λ 0", "λ 10"}
    four = make_plan("batch=16,32", "ur=0,10", "rules=2,5", "lr=0.01,0.1", seeds=2)
    drawn = figure(client, sweep(four, make_points(four, [0.7] * 16)))
    titles = [note["text"] for note in drawn["layout"]["annotations"]]
    assert titles == [f"<b>R {rules}, η {rate}</b>" for rate in (0.01, 0.1) for rules in (2, 5)]
    (parallel,) = figure(client, sweep(four, make_points(four, [0.7] * 16), draw="parallel"))["data"]
    assert [one["label"] for one in parallel["dimensions"]] == [
        "Batch size B",
        "UR weight λ",
        "Rules R",
        "Learning rate η",
        "BCA",
    ]


KINDS = {
    "line": (("ur=0,1,10",), "map"), "map": (("batch=16,32", "ur=0,1"), "map"), "lines": (("batch=16,32", "ur=0,1"), "lines"),
    "panels": (("batch=16,32", "ur=0,1", "rules=2,5"), "map"), "line panels": (("ur=0,1", "batch=16", "rules=2,5"), "lines"),
    "parallel": (("batch=16,32", "ur=0,1", "rules=2,5", "lr=0.01,0.1"), "parallel"), "one value": (("batch=64",), "map"),
    "one pair": (("batch=64", "ur=0"), "map"), "only zero": (("ur=0",), "map"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_is_drawn_at_any_time_light_and_dark(client, kind):
    axes, draw = KINDS[kind]
    plan = make_plan(*axes, seeds=2)
    points = make_points(plan, [0.7] * len(plan.variants))
    for known in ([], points[:1], points):
        for show in ("bca", "dead"):
            for dark in (False, True):
                drawn = figure(client, sweep(plan, known, show, draw=draw), dark)
                go.Figure(drawn["data"], drawn["layout"])  # refuses names and values that Plotly does not have
                assert not any(word in json.dumps(drawn) for word in ("NaN", "undefined", "Infinity", "[object"))


def test_the_table_names_the_runs_of_a_cell_and_the_figure_is_drawn_in_place(client):
    plan, points, _ = one_axis()
    client.open().run(MOUNT, sweep(plan, points[:8]))
    chart = client.page.locator(".tsk-view-sweep .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.run("globalThis.node = document.querySelector('.tsk-chart .main-svg');")
    client.page.get_by_text("All cells as a table (3)").click()
    expect(client.page.get_by_role("row")).to_have_count(4)
    send = "(await import('/client/client.js')).receive([{ kind: 'sweep', since: given[1], payload: given[0] }]);"
    client.run(send, sweep(plan, points), 3)
    expect(client.page.get_by_role("row").nth(2)).to_contain_text("best by BCA")
    client.run(send, sweep(plan, []), 2)
    client.page.get_by_role("button", name="Show the runs of batch size 64", exact=True).click()
    assert client.run("return globalThis.chosen;") == [2]
    expect(client.page.get_by_role("row").nth(2)).to_contain_text("best by BCA")  # a late message changes nothing
    assert client.run("return node === document.querySelector('.tsk-chart .main-svg');")


def test_a_click_on_a_cell_of_the_map_names_it(client):
    plan = make_plan("batch=16,32", "ur=0,10", seeds=2)
    client.open().run(MOUNT, sweep(plan, make_points(plan, [0.7, 0.8, 0.75, 0.6])))
    drag = client.page.locator(".tsk-view-sweep .nsewdrag").first
    expect(drag).to_be_attached()
    box = drag.bounding_box()
    for share, variant in ((0.25, 1), (0.75, 3)):  # the upper row: λ 10
        client.page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.3 * box["height"])
        expect(client.page.locator(".hoverlayer .hovertext")).to_contain_text(f"Batch size {16 if variant == 1 else 32}, λ 10")
        client.page.mouse.click(box["x"] + share * box["width"], box["y"] + 0.25 * box["height"])
        client.page.wait_for_function("variant => globalThis.chosen.at(-1) === variant", arg=variant)
    assert client.run("return globalThis.chosen;") == [1, 3]


def test_on_a_phone_the_legend_is_short(phone):
    plan, points, _ = one_axis()
    drawn = figure(phone, sweep(plan, points), width=340)
    assert [trace["name"] for trace in drawn["data"] if trace.get("showlegend")] == ["SD over 8 seeds"]
