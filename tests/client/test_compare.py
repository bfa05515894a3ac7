"""The charts of a comparison: figures made of its records, bands against Python's, and the views that draw them."""

import itertools
import json

import numpy as np
import plotly.graph_objects as go
import pytest
from playwright.sync_api import expect
from scipy import stats

from tests.client.messages import list_part, value_part
from tests.pages.comparisons import epoch_line, make_plan, point_line
from tsk_core.data import load_dataset
from ui.compare.charts import TABS, about
from ui.compare.texts import factors
from ui.experiments import Collected

pytestmark = pytest.mark.browser
FIGURE = """
const store = await import("/client/compare/store.js"), feed = await import("/client/core/feed.js");
const [message, name, dark, options] = JSON.parse(given[0]);
feed.receive(message);
store.setCompareOptions({ epoch: null, span: "all", playing: false, ...options });
const files = ["curves", "epoch_panels", "planes"].map((file) => import(`/client/compare/${file}.js`));
const [lines, panels, planes] = await Promise.all(files);
const of = { compareFiring: panels.firingPanels, compareEntropy: panels.entropyPanels, compareConfusion: panels.confusionPanels,
  comparePlane: planes.planePanels }[name] ?? ((now) => lines.curvesFigure(name, now));
const figure = of({ ...store.comparison(), dark }, 900);
const check = (key, part) => {
  if (typeof part === "number" && !Number.isFinite(part)) throw new Error(`${key} is ${part}`);
  return part;
};
return JSON.stringify(figure, check);
"""
ALL = [view for views in TABS.values() for view in views]
SHOW = """
const { mount, receive } = await import("/client/client.js");
globalThis.opened = [];
const { missing } = receive(JSON.parse(given[0]));
if (given[1]) mount(document.getElementById("place"), { views: given[1] }, (name, number) => globalThis[name].push(number));
return missing;
"""


names = itertools.count()


def message(plan, records, band="sd", experiment=None, since=0):
    """What a page sends of a comparison; by default another one at each call."""
    known = Collected()
    for record in records:
        known.add(record)
    name = f"experiment {next(names)}" if experiment is None else experiment
    said = about(plan, load_dataset("iris"), known, band, ended=False)
    entries = [known.entry(record) for record in known.log[since:]]
    return [value_part("comparison", {"experiment": name, **said}), list_part("records", name, entries, since, "")]


def figure(client, name, plan, lines, band="sd", dark=False, **options):
    text = json.dumps([message(plan, lines, band), name, dark, options], allow_nan=False)
    return json.loads(client.run(FIGURE, text))


def ended(plan):
    """Points with another score for each seed."""
    return [point_line(plan, number, 0.5 + number / 50) for number in range(plan.size)]


@pytest.mark.parametrize("band", ["sd", "ci"])
def test_the_mean_and_its_band_are_those_of_python(client, band):
    plan = make_plan()
    lines = ended(plan)
    drawn = figure(client, "compareBca", plan, lines, band)
    _, _, first_band, _, mean, _ = drawn["data"]
    scores = np.array([point["curves"]["bca"] for point in lines if point["variant"] == 0])
    assert mean["name"] == "MBGD" and np.allclose(mean["y"], scores.mean(0)) and mean["x"] == [0, 1, 2, 3]
    sd = scores.std(0, ddof=1)
    half = sd if band == "sd" else stats.t.ppf(0.975, 3) * sd * np.sqrt(1 / 4 + 3 / 7)
    assert np.allclose(first_band["y"][:4], scores.mean(0) + half)
    assert np.allclose(first_band["y"][4:][::-1], scores.mean(0) - half)
    assert ("1 SD" in drawn["caption"]) == (band == "sd") and "95% interval" in drawn["caption"] or band == "sd"
    assert len(factors(plan, {})) == 5


def test_each_seed_is_a_thin_line_that_begins_at_epoch_0_and_names_its_training(client):
    plan = make_plan()
    lines, *_ = figure(client, "compareLoss", plan, ended(plan))["data"]
    assert lines["x"][:5] == [0, 1, 2, 3, None] and lines["x"].count(None) == 4
    assert lines["customdata"][0] == [0, 0] and lines["customdata"][5] == [1, 1]


def test_live_lines_are_drawn_and_a_point_replaces_them(client):
    plan = make_plan()
    live = [epoch_line([0, 1, 4], t, t / 10) for t in range(3)]
    drawn = figure(client, "compareRca", plan, live)
    assert drawn["data"][-2]["x"] == [0, 1, 2] and np.allclose(drawn["data"][-2]["y"], [0.005, 0.105, 0.205])
    assert "One seed" not in drawn["caption"]
    again = figure(client, "compareRca", plan, [*live, *live, point_line(plan, 0), point_line(plan, 0)])
    assert again["data"][0]["x"].count(None) == 2


def test_gradients_begin_at_epoch_1_on_a_logarithmic_axis(client):
    plan = make_plan()
    drawn = figure(client, "compareConsequents", plan, ended(plan))
    assert drawn["layout"]["yaxis"]["type"] == "log" and drawn["data"][-1]["x"] == [1, 2, 3]
    low = drawn["data"][2]["y"]
    assert min(low) > 0


def test_the_second_half_and_the_first_epochs_can_be_looked_at(client):
    plan = make_plan(max_epochs=40)
    assert figure(client, "compareBca", plan, ended(plan), span="early")["data"][-1]["x"] == list(range(21))
    assert figure(client, "compareBca", plan, ended(plan), span="late")["data"][-1]["x"] == list(range(20, 41))


def test_firing_levels_fall_with_whiskers_and_the_line_of_equal_shares(client):
    plan = make_plan()
    drawn = figure(client, "compareFiring", plan, ended(plan))
    assert np.allclose(drawn["data"][0]["y"], [0.4, 0.3, 0.2, 0.1]) and drawn["data"][1]["xaxis"] == "x2"
    assert [shape["y0"] for shape in drawn["layout"]["shapes"]] == [0.25, 0.25]
    assert drawn["layout"]["yaxis"]["range"] == drawn["layout"]["yaxis2"]["range"] and "4 seeds each" in drawn["caption"]
    assert figure(client, "compareFiring", plan, ended(plan), epoch=1)["data"][0]["y"] == [0.25] * 4


def test_confusion_matrices_are_summed_over_the_seeds(client):
    plan = make_plan()
    drawn = figure(client, "compareConfusion", plan, ended(plan))
    assert drawn["data"][0]["text"][0] == ["40", "0", "0"] and "MBGD 90.0%" in drawn["caption"]
    none = [point | {"looks": {**point["looks"], "confusion": None}} for point in ended(plan)]
    assert "more than 12 classes" in figure(client, "compareConfusion", plan, none)["caption"]


def test_planes_show_classes_and_rules_of_the_first_seed(client):
    plan = make_plan(seeds=2)
    drawn = figure(client, "comparePlane", plan, ended(plan))
    regions, ellipses, centres = drawn["data"][:3]
    assert regions["z"] == [[0, 1], [2, 0]] and regions["x"] == [0.5, 1.5] and regions["y"] == [-0.5, 0.5]
    assert max(x for x in ellipses["x"] if x is not None) == 1.5 and centres["x"] == [1.0] * 4 and "seed 0" in drawn["caption"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("known", ["nothing", "some", "all"])
def test_every_figure_can_be_drawn_at_any_time(client, dark, known):
    plan = make_plan("none", "bn", "ur", "ur-bn", "rules=2")
    lines = {"nothing": [], "some": [epoch_line([0, 4], 0), point_line(plan, 8)], "all": ended(plan)}[known]
    for name in ALL:
        drawn = figure(client, name, plan, lines, dark=dark)
        go.Figure(drawn["data"], drawn["layout"])  # refuses names and values that Plotly does not have
        assert drawn["name"] and not any(word in json.dumps(drawn) for word in ("NaN", "undefined", "Infinity", "[object"))


def test_what_is_missing_is_reported_and_the_views_are_drawn_in_place(client, phone):
    plan = make_plan(seeds=2)
    lines = ended(plan)
    client.open()
    views = ["compareBar", "compareBca", "compareFiring"]
    assert client.run(SHOW, json.dumps(message(plan, lines, experiment="a", since=1)), views) == ["records"]
    assert client.run(SHOW, json.dumps(message(plan, lines, experiment="a")), None) == []
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    expect(chart).to_have_attribute(
        "aria-label", "Balanced accuracy (BCA) by epoch; at epoch 3: MBGD 0.510 (mean of 2), UR 0.550 (mean of 2)."
    )
    slider = client.page.get_by_role("slider", name="Selected epoch")
    slider.fill("1")
    expect(client.page.get_by_text("epoch 1 of 3")).to_be_visible()
    expect(client.page.locator(".tsk-view-compareFiring .tsk-caption")).to_contain_text("After epoch 0, 2 seeds each")
    assert client.run("return document.documentElement.scrollWidth <= 390;")


def test_a_click_on_the_line_of_a_seed_opens_its_training(client):
    plan = make_plan(seeds=2)
    client.open().run(SHOW, json.dumps(message(plan, ended(plan))), ["compareBca"])
    chart = client.page.locator(".tsk-view-compareBca .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.page.wait_for_function("() => document.querySelector('.tsk-chart')._ev?.listenerCount('plotly_click')")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: [3, 1] }] });")
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{}] });")
    assert client.run("return opened;") == [3]
