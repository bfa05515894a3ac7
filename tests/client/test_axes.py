"""The axes of the figures by epoch, the level that a preset speaks of, and figures side by side on equal scales."""

import io
import json

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.client.messages import figure, make_epoch, make_history, make_shown, message_of, show_views
from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS
from tsk_core.train.stack import batch_plan
from ui.presets import PRESETS
from ui.runs.run_view import RunView

pytestmark = pytest.mark.browser

ROWS = np.eye(1, ENTROPY_BINS, dtype=int)[0] * 640  # training rows
LOSSES = {"with": [1.0, 0.5, 0.09, 0.05, 0.2], "without": [1.0, 0.7, 0.4, 0.2, 0.08, 0.05]}
WITH, WITHOUT = (next(preset for preset in PRESETS if preset.name == name) for name in ("bn_on", "bn_off"))


def falling(losses, run="now", **settings):
    history = [make_epoch(k, loss_ce=loss, entropy=ROWS, seconds=0.5 * k) for k, loss in enumerate(losses, 1)]
    return make_shown(history, run, metrics={}, **settings)


@pytest.fixture
def presets(monkeypatch):
    """Runs of the two presets on BN; what is asked of the gallery is answered here."""

    def of_run(run):
        return {preset.config: preset for preset in (WITH, WITHOUT)}.get(run.config)

    monkeypatch.setattr("ui.presets.of_run", of_run)
    runs = []
    for preset, name in ((WITH, "with"), (WITHOUT, "without")):
        run = falling(LOSSES[name], name)
        runs.append(RunView(run.id, preset.config, run.data, 0.3, run.status, history=run.history, result=run.result))
    return runs


def test_the_level_of_a_preset_is_a_line_and_both_runs_say_when_they_reach_it(client, presets):
    drawn = figure(client, "loss", *presets)
    [line] = [shape for shape in drawn["layout"]["shapes"] if shape["y0"] == shape["y1"]]
    assert (line["y0"], line["name"], line["showlegend"]) == (0.1, "0.1", True)
    assert drawn["headline"] == "Below 0.1 at epoch 3 (with BN) / 5 (without BN)"
    assert drawn["headline"] in drawn["name"]  # for those who cannot see it
    steps = figure(client, "loss", *presets, across="steps")  # ten of 64 rows in an epoch
    assert steps["headline"] == "Below 0.1 at step 30 (with BN) / 50 (without BN)"
    assert figure(client, "loss", *presets, across="seconds")["headline"] == "Below 0.1 at 1.5 s (with BN) / 2.5 s (without BN)"
    early = figure(client, "loss", *presets, index=1, future=False)
    assert early["headline"] == "Below 0.1: never (with BN) / epoch 5 (without BN)"


def test_other_runs_have_no_such_line(client, presets):
    drawn = figure(client, "loss", falling(LOSSES["with"]), presets[1])
    assert drawn["headline"] == "" and not drawn["layout"]["shapes"]


def test_the_texts_of_the_presets_name_their_level():
    assert WITH.goal == WITHOUT.goal
    assert all(str(preset.goal) in preset.watch for preset in (WITH, WITHOUT))


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_a_small_batch_takes_more_steps_on_the_same_axis(client, name):
    large, small = falling([1.0] * 4, batch_size=640), falling([1.0] * 4, "before", batch_size=10)
    drawn = figure(client, name, large, small, across="steps")
    reach = drawn["layout"]["xaxis"]["range"][1]
    shown = [t["x"] for t in drawn["data"] if t["mode"] == "lines" and t["x"] != [None]]
    assert {tuple(x) for x in shown} == {(1, 2, 3, 4), (64, 128, 192, 256)} and reach == pytest.approx(256 * 1.02)
    assert drawn["layout"]["xaxis"]["title"]["text"] == "Gradient steps"
    seconds = figure(client, name, large, small, across="seconds")
    assert seconds["data"][0]["x"] == [0.5, 1.0, 1.5, 2.0] and "econds" in seconds["layout"]["xaxis"]["title"]["text"]
    assert figure(client, name, large, small)["layout"]["xaxis"]["title"]["text"] == "Epoch"


def test_the_steps_of_an_axis_are_those_of_a_training():
    for rows in range(2, 70):
        for size in (2, 3, 16, 64, 100):
            assert TrainConfig(batch_size=size).steps_per_epoch(rows) == sum(count for *_, count in batch_plan(rows, size))


def test_the_loss_can_have_a_logarithmic_axis(client):
    run = falling(LOSSES["with"])
    assert figure(client, "loss", run, logLoss=True)["layout"]["yaxis"]["type"] == "log"
    assert figure(client, "loss", run)["layout"]["yaxis"]["type"] == "linear"


def test_choices_below_the_loss_change_its_axes(client):
    show_views(client.open(), message_of(falling(LOSSES["with"])), "loss")
    page = client.page
    page.locator(".tsk-view-loss .main-svg").first.wait_for()
    page.get_by_role("combobox", name="Axis").select_option("steps")
    expect(page.locator(".tsk-view-loss .xtitle")).to_have_text("Gradient steps")
    log = page.get_by_role("button", name="Logarithmic loss axis")
    log.click()
    expect(log).to_have_attribute("aria-pressed", "true")
    axis = "() => document.querySelector('.tsk-view-loss .tsk-chart')._fullLayout.yaxis.type"
    page.wait_for_function(f"() => ({axis})() === 'log'")
    page.get_by_role("combobox", name="Axis").select_option("epochs")
    log.click()
    page.wait_for_function(f"() => ({axis})() === 'linear'")


# Equal scales, and side by side.

EVEN, UNEVEN = [0.25] * 4, [0.7, 0.2, 0.09, 0.01]


def test_the_colours_of_the_heat_map_mean_the_same_before_and_after(client):
    before, after = (make_shown(make_history(9, firing=levels), metrics={}) for levels in (UNEVEN, EVEN))
    scales = [figure(client, "heat", *runs)["data"][0] for runs in ((before,), (after, before), (after,))]
    assert {(one["zmin"], one["zmax"]) for one in scales} == {(0, 4)}


SIDES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const of = ({ data: [{ y, zmax }], _fullLayout: { xaxis, yaxis, width } }) =>
  ({ y, zmax, x: xaxis.range, up: yaxis.range, width });
return [...document.querySelectorAll(`.tsk-view-${given[0]} .tsk-place > div .tsk-chart`)].map(of);
"""


def test_the_comparison_stands_beside_the_run_at_a_press(client):
    after, before = (
        make_shown(make_history(9, firing=EVEN), metrics={}),
        make_shown(make_history(12, firing=UNEVEN), "b", metrics={}),
    )
    show_views(client.open(), message_of(after, before), "order", "firing", "heat")
    page = client.page
    page.locator(".tsk-view-heat .main-svg").first.wait_for()
    assert len(client.run(SIDES, "firing")) == 1
    page.get_by_role("button", name="Draw the comparison beside the run").click()
    for name in ("firing", "heat"):
        page.locator(f".tsk-view-{name} .tsk-other .main-svg").first.wait_for()
        left, right = client.run(SIDES, name)
        assert left["x"] == right["x"] and left["width"] == pytest.approx(right["width"], abs=2)
        assert (left["zmax"], left["up"]) == (right["zmax"], right["up"])
    left, right = client.run(SIDES, "firing")
    assert (left["y"], right["y"]) == (UNEVEN, EVEN) and left["up"][1] > 0.7
    expect(page.locator(".tsk-view-firing .tsk-other")).to_contain_text("Comparison")
    page.get_by_role("button", name="Draw the comparison beside the run").click()
    assert len(client.run(SIDES, "firing")) == 1
    client.run('(await import("/client/client.js")).receive(JSON.parse(given[0]))', json.dumps(message_of(after)))
    expect(page.get_by_role("button", name="Draw the comparison beside the run")).to_be_hidden()


# Outlines over bars.

FEET = """
const node = document.querySelector(".tsk-view-entropy .tsk-chart"), { _fullLayout: { xaxis, yaxis, _size } } = node;
const box = node.getBoundingClientRect();
return given.map((bin) => [box.x + _size.l + xaxis.l2p((bin + 0.3) * Math.log(4) / 30), box.y + _size.t + yaxis.l2p(0)]);
"""


def test_bars_stand_on_their_axis_under_an_outline(client):
    """In pixels: where the comparison has no rows, its halo does not cut off the feet of the bars."""
    bars, past = np.ones(ENTROPY_BINS, int), np.zeros(ENTROPY_BINS, int)
    past[-1] = 30
    run, before = make_shown([make_epoch(entropy=bars)], metrics={}), make_shown([make_epoch(entropy=past)], "b", metrics={})
    show_views(client.open(), message_of(run, before), "entropy")
    page = client.page
    page.locator(".tsk-view-entropy .main-svg").first.wait_for()
    page.wait_for_timeout(100)
    places = client.run(FEET, 5, 12, 20)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    for x, y in places:
        column = [picture.getpixel((round(x), round(y) - up)) for up in (2, 3)]
        assert all(blue > red + 60 for red, _, blue in column), column
